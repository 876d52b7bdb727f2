// Faults in who may do what, and how often: credentials, rights, gates, claims of Idempotency-Keys, codes, limits, sizes.
import type { Fault } from './fault.ts';

const IDEMPOTENCY = 'src/pipeline/idempotency.ts';
const ADMISSION = 'src/pipeline/admission.ts';
const SCOPES = 'src/steps/admission.ts';
const LIMITS_OF_INPUT = 'src/pipeline/input-limits.ts';
const CODE = 'src/steps/session/code.ts';

const CLAIMS: readonly Fault[] = [
  {
    name: 'a claim without the acting agent',
    file: IDEMPOTENCY,
    find: "agent?.id ?? ''",
    replace: "''",
    tests: ['test/operations/idempotency.test.ts'],
  },
  {
    name: 'a claim without the caller',
    file: IDEMPOTENCY,
    find: 'const caller = account ??',
    replace: 'const caller =',
    tests: ['test/operations/idempotency.test.ts'],
  },
  {
    name: 'another body under a used key is taken for the same',
    file: IDEMPOTENCY,
    find: 'row.request_hash !== claim.request_hash',
    replace: 'row.request_hash === null',
    tests: ['test/operations/idempotency.test.ts'],
  },
  {
    name: 'a claim that never ends',
    file: IDEMPOTENCY,
    find: 'row && row.expires_at > claim.now_ms',
    replace: 'row',
    tests: ['test/operations/idempotency.test.ts'],
  },
  {
    name: 'a kept answer that a command does not look for',
    file: 'src/pipeline/runner.ts',
    find: 'const again = claim && (await readReplay(read.peek, claim));',
    replace: 'const again = claim && null;',
    tests: ['test/operations/idempotency.test.ts'],
  },
];

const KEPT: readonly Fault[] = [
  {
    name: 'a kept refresh token',
    file: IDEMPOTENCY,
    find: 'const { refresh: _secret, ...rest } = notes;',
    replace: 'const rest = notes;',
    tests: ['test/pipeline/calls.test.ts'],
  },
  {
    name: 'a replayed refusal under the id of its repetition',
    file: IDEMPOTENCY,
    find: 'replayed: { request_id } };',
    replace: "replayed: { request_id: '' } };",
    tests: ['test/pipeline/calls.test.ts'],
  },
  {
    name: 'an answer that is kept whole whatever its size',
    file: IDEMPOTENCY,
    find: 'if (reply.text.length > VALUE_MAX)',
    replace: 'if (reply.text.length > Number.MAX_VALUE)',
    tests: ['test/pipeline/calls.test.ts'],
  },
];

const INPUTS: readonly Fault[] = [
  {
    name: 'an input that only its door measures',
    file: LIMITS_OF_INPUT,
    find: 'if (bytes > limit_bytes)',
    replace: 'if (bytes < 0)',
    tests: ['test/pipeline/calls.test.ts'],
  },
  {
    name: 'a text with half a surrogate pair',
    file: LIMITS_OF_INPUT,
    find: "text.isWellFormed() && !text.includes('\\0')",
    replace: "!text.includes('\\0')",
    tests: ['test/pipeline/calls.test.ts'],
  },
  {
    name: 'a name of a field that is no text',
    file: LIMITS_OF_INPUT,
    find: "isText(key) ? improperPath(inside[key]) : ''",
    replace: 'improperPath(inside[key])',
    tests: ['test/pipeline/calls.test.ts'],
  },
  {
    name: 'an address that names nobody is a wrong field',
    file: LIMITS_OF_INPUT,
    find: "if (improperPath(input[name]) !== null) return fault('not_found');",
    replace: "if (input[name] === null) return fault('not_found');",
    tests: ['test/undecodable.test.ts'],
  },
  {
    name: 'a path that is told whole',
    file: 'src/domain/fault.ts',
    find: 'path.length > PATH_SHOWN_MAX',
    replace: 'path.length < 0',
    tests: ['test/transports/http.test.ts'],
  },
];

const RIGHTS: readonly Fault[] = [
  {
    name: 'the door for mail does all that the platform does',
    file: ADMISSION,
    find: "principal.kind === 'mail' && from_mail",
    replace: "principal.kind === 'mail'",
    tests: ['test/pipeline/calls.test.ts'],
  },
  {
    name: "a page in a browser shows the platform's token",
    file: 'src/pipeline/principals.ts',
    find: 'if (browser)',
    replace: 'if (browser && token === null)',
    tests: ['test/pipeline/calls.test.ts'],
  },
  {
    name: 'a key does what its scopes do not say',
    file: SCOPES,
    find: 'if (!principal.scopes.has(scope)) {',
    replace: 'if (principal.scopes.size === 0) {',
    tests: ['test/operations/developer-key.test.ts'],
  },
  {
    name: 'a binding whose own access nobody asks for',
    file: ADMISSION,
    find: 'if (!admits) return operation;',
    replace: 'if (admits !== null) return operation;',
    tests: ['test/pipeline/calls.test.ts'],
  },
  {
    name: 'a provisional key does what needs a claimed account',
    file: SCOPES,
    find: 'return principal.provisional && !provisional ?',
    replace: 'return principal.provisional && provisional ?',
    tests: ['test/access-matrix.test.ts'],
  },
  {
    name: 'an unverified agent passes the gate',
    file: SCOPES,
    find: "gate !== 'verified' || agent === null || agent.verified_at !== null",
    replace: "gate !== 'verified' || agent === null || agent.created_at !== null",
    tests: ['test/operations/admission.test.ts'],
  },
  {
    name: 'a key of one agent acts as another',
    file: 'src/pipeline/acting.ts',
    find: 'bound === null ? all : all.filter((agent) => agent.id === bound)',
    replace: 'bound === null ? all : all.filter((agent) => agent.id !== null)',
    tests: ['test/operations/developer-key.test.ts'],
  },
  {
    name: "a turn without its credential's guard",
    file: 'src/pipeline/runner.ts',
    find: 'guards: running.call.operation.safe ? [] : guardRows(guard),',
    replace: 'guards: [],',
    tests: ['test/operations/same-moment.test.ts'],
  },
  {
    name: 'a key whose successor is in use renews once more',
    file: 'src/operations/key/renew.ts',
    find: 'if (successor && successor.used_at !== null) {',
    replace: 'if (successor && successor.used_at === 0) {',
    tests: ['test/operations/key-renew.test.ts'],
  },
  {
    name: 'a challenge that is signed twice',
    file: 'src/operations/challenge/verify.ts',
    find: "effects: [remove('challenges', issued)] };",
    replace: "effects: issued.id ? [] : [remove('challenges', issued)] };",
    tests: ['test/operations/keypair.test.ts'],
  },
  {
    name: 'a stranger writes into a thread',
    file: 'src/steps/message/post.ts',
    find: 'if (!thread || (thread.opener_id !== me.id && thread.other_id !== me.id))',
    replace: 'if (!thread)',
    tests: ['test/operations/message.test.ts'],
  },
  {
    name: 'the blocker is silenced in place of the blocked',
    file: 'src/domain/conversation/block.ts',
    find: 'by_opener ? thread.other_blocks : thread.opener_blocks',
    replace: 'by_opener ? thread.opener_blocks : thread.other_blocks',
    tests: ['test/domain/conversation/block.test.ts'],
  },
  {
    name: 'a thread that is opened past a block of the same moment',
    file: 'src/steps/conversation.ts',
    find: 'effects: [gate, ...(metered',
    replace: 'effects: [...(gate.limit < 0 ? [gate] : []), ...(metered',
    tests: ['test/operations/same-moment.test.ts'],
  },
];

const LIMITS: readonly Fault[] = [
  {
    name: 'a code with one try more',
    file: CODE,
    find: 'row.tries >= CODE_TRIES',
    replace: 'row.tries > CODE_TRIES',
    tests: ['test/operations/login.test.ts', 'test/operations/signup.test.ts'],
  },
  {
    name: 'a wrong code that burns no try',
    file: CODE,
    find: 'tries: now.tries + 1',
    replace: 'tries: now.tries',
    tests: ['test/operations/login.test.ts', 'test/operations/signup.test.ts'],
  },
  {
    name: 'a code that is right twice',
    file: CODE,
    find: "return { effects: [remove('codes', row)] };",
    replace: "return { effects: row.tries > CODE_TRIES ? [remove('codes', row)] : [] };",
    tests: ['test/operations/login.test.ts', 'test/operations/signup.test.ts'],
  },
  {
    name: 'a listing more than the plan allows',
    file: 'src/steps/listing/cap.ts',
    find: "counterKey('listings', ctx.account_id, ctx.now_ms),\n    limit,",
    replace: "counterKey('listings', ctx.account_id, ctx.now_ms),\n    limit + 1,",
    tests: ['test/operations/listing-create.test.ts', 'test/operations/billing.test.ts'],
  },
  {
    name: 'a monthly meter that never begins anew',
    file: 'src/domain/identity/plan.ts',
    find: '.slice(0, 7)}`',
    replace: '.slice(0, 3)}`',
    tests: ['test/domain/identity/plan.test.ts'],
  },
  {
    name: 'a request more than the rate allows',
    file: 'src/domain/identity/rate.ts',
    find: 'if (used < limit_per_minute) {',
    replace: 'if (used <= limit_per_minute) {',
    tests: ['test/domain/identity/rate.test.ts'],
  },
  {
    name: 'a rate whose window is a second short',
    file: 'src/domain/identity/rate.ts',
    find: 'slot.second > second - WINDOW_SECONDS',
    replace: 'slot.second > second - WINDOW_SECONDS + 1',
    tests: ['test/domain/identity/rate.test.ts'],
  },
  {
    name: 'a webhook that is switched off after eleven failures',
    file: 'src/domain/inbox/webhook.ts',
    find: 'failure_count >= FAILURES_MAX',
    replace: 'failure_count > FAILURES_MAX',
    tests: ['test/domain/inbox/webhook.test.ts'],
  },
  {
    name: 'a message that is measured in letters',
    file: 'src/domain/conversation/conversation.ts',
    find: '|| new TextEncoder().encode(content).length > MESSAGE_MAX_BYTES',
    replace: '|| [...content].length > MESSAGE_MAX_BYTES',
    tests: ['test/domain/conversation/conversation.test.ts', 'test/operations/message.test.ts'],
  },
  {
    name: 'a chunked body without an end',
    file: 'src/transports/body.ts',
    find: 'if (size > bytes_max) {',
    replace: 'if (size < 0) {',
    tests: ['test/transports/http.test.ts'],
  },
  {
    name: 'a declared length that is not looked at',
    file: 'src/transports/body.ts',
    find: 'if (Number(declared) > bytes_max) return Number(declared);',
    replace: '',
    tests: ['test/transports/http.test.ts'],
  },
];

const TOOLS: readonly Fault[] = [
  {
    name: 'an argument in the place of what a tool fixes',
    file: 'src/transports/tools.ts',
    find: '!(field in fixed) && ',
    replace: '',
    tests: ['test/transports/tools.test.ts'],
  },
  {
    name: 'a tool that takes more than it is said to take',
    file: 'src/transports/tools.ts',
    find: '(takes?.includes(field) ?? true)',
    replace: 'true',
    tests: ['test/transports/tools.test.ts'],
  },
  {
    name: 'a tool that destroys and does not say so, since it also reads',
    file: 'src/transports/tools.ts',
    find: 'routes.some(({ effect }) => takesAway(effect))',
    replace: 'routes.every(({ effect }) => takesAway(effect))',
    tests: ['test/transports/tools.test.ts'],
  },
  {
    name: 'two tools of one name',
    file: 'src/operations/tool-rules.ts',
    find: 'whens.length < bound.length || ',
    replace: '',
    tests: ['test/operations/declarations.test.ts'],
  },
  {
    name: 'an operation for everybody that is no tool and says nothing of it',
    file: 'src/operations/tool-rules.ts',
    find: "(access === 'public' || (access === 'key' && scope !== undefined))",
    replace: "access === 'key'",
    tests: ['test/operations/declarations.test.ts'],
  },
];

/** Faults in who may do what, and how often. */
export const CALLERS: readonly Fault[] = [...CLAIMS, ...KEPT, ...INPUTS, ...RIGHTS, ...LIMITS, ...TOOLS];
