// Faults in what programs ask for outside their bounds: who may say yes, to what, how often.
import type { Fault } from './fault.ts';

const TESTS = ['test/operations/action.test.ts'];
const POLICY_TESTS = ['test/operations/policy.test.ts'];

const LIMIT_TESTS = ['test/operations/wallet-limits.test.ts'];
const ESCALATE = 'src/steps/money/escalate.ts';

/** Faults around actions. */
export const ACTIONS: readonly Fault[] = [
  {
    name: 'a call that is made by a yes which is not recorded',
    file: 'src/steps/negotiation/action.ts',
    find: "effects: [patch('actions', action, set), recordDecision(ctx, actor(ctx), action, 'approve', 'action')]",
    replace: "effects: [patch('actions', action, set)]",
    tests: ['test/operations/action-routed.test.ts'],
  },
  {
    name: 'the same request that waits twice',
    file: ESCALATE,
    find: 'lately.waiting.find((row) => isSame(asked, row))',
    replace: 'lately.waiting.find((row) => row.id === row.agent_id)',
    tests: TESTS,
  },
  {
    name: 'the same request that waits twice, asked through two nodes',
    file: ESCALATE,
    find: "lately.asked + 1, 'again', ctx.now_ms + DAY_MS)",
    replace: "UNLIMITED, 'again', ctx.now_ms + DAY_MS)",
    tests: ['test/operations/agreement-nodes.test.ts'],
    on: 'postgres',
  },
  {
    name: 'a person who is asked nothing more, since a clock was behind once',
    file: ESCALATE,
    find: 'count(askedKey(agent.id), lately.asked + 1,',
    replace: "count(`asked:${agent.id}:${lately.waiting[0]?.id ?? ''}`, 1,",
    tests: TESTS,
  },
  {
    name: 'a program that fills the store with what nobody has the time to answer',
    file: ESCALATE,
    find: 'lately.escalated >= ASKED_A_DAY',
    replace: 'lately.escalated >= UNLIMITED',
    tests: TESTS,
  },
  {
    name: 'a person who is asked again after a no',
    file: ESCALATE,
    find: 'lately.refused.find((row) => isSame(asked, row))',
    replace: 'lately.refused.find((row) => row.id === row.agent_id)',
    tests: TESTS,
  },
  {
    name: 'a no that counts for ever',
    file: ESCALATE,
    find: 'since: now_ms - REFUSED_MS',
    replace: 'since: now_ms - 9 * REFUSED_MS',
    tests: TESTS,
  },
  {
    name: 'a yes after which nothing is asked any more',
    file: 'db/queries/action.ts',
    find: '        isNull(t.actions.decided_at),\n',
    replace: '',
    tests: TESTS,
  },
  {
    name: 'more requests than anybody looks through',
    file: ESCALATE,
    find: 'lately.waiting.length >= ACTIONS_OPEN_MAX',
    replace: 'lately.waiting.length > ACTIONS_OPEN_MAX',
    tests: TESTS,
  },
  {
    name: 'a letter for whatever a program tries',
    file: ESCALATE,
    find: 'const late = escalated >= ESCALATIONS_MAX &&',
    replace: 'const late = escalated > 9 * ESCALATIONS_MAX &&',
    tests: LIMIT_TESTS,
  },
  {
    name: 'a letter of the end of the day that is sent at once',
    file: 'src/domain/inbox/notification-settings.ts',
    find: 'Math.max(now_ms, heldUntil(data) ?? now_ms)',
    replace: 'Math.min(now_ms, heldUntil(data) ?? now_ms)',
    tests: ['test/domain/inbox/notification.test.ts'],
  },
  {
    name: 'what is left for the end of the day, and pushed at once',
    file: 'src/domain/inbox/push.ts',
    find: "push === 'none' || heldUntil(data) !== null",
    replace: "push === 'none' || heldUntil(data) === 0",
    tests: ['test/domain/inbox/notification.test.ts'],
  },
  {
    name: 'a program that approves what it asked for',
    file: 'src/operations/action/perform.ts',
    find: "principal.kind === 'session' ?",
    replace: "principal.kind !== 'none' ?",
    tests: TESTS,
  },
  {
    name: 'an action that is done again',
    file: 'src/steps/negotiation/action.ts',
    find: "      patch('actions', action, set),\n",
    replace: '',
    tests: TESTS,
  },
  {
    name: 'a yes that pays more than was asked for',
    file: 'src/steps/money/escalate.ts',
    find: 'amount_cents > bound_cents : amount_cents < bound_cents',
    replace: 'false : amount_cents < bound_cents',
    tests: TESTS,
  },
  {
    name: 'an action that waits for ever',
    file: 'src/domain/negotiation/action.ts',
    find: "return on_timeout === 'allow' && result === null ? status : 'expired';",
    replace: "return on_timeout !== 'allow' || result === null ? status : 'expired';",
    tests: TESTS,
  },
  {
    name: 'a policy that is wider than the bounds',
    file: 'src/steps/money/spend.ts',
    find: '  if (passed) return',
    replace: '  if (passed && policy === null) return',
    tests: POLICY_TESTS,
  },
  {
    name: 'silence that goes beyond bounds which were narrowed since',
    file: 'src/steps/money/spend.ts',
    find: 'ctx.approved ? sinceNarrowed() : escalate(ctx, agent, spending, { bound, bound_cents }, told)',
    replace: 'ctx.approved ? null : escalate(ctx, agent, spending, { bound, bound_cents }, told)',
    tests: POLICY_TESTS,
  },
  {
    name: 'silence that counts where nobody said so',
    file: 'src/domain/negotiation/action.ts',
    find: "on_timeout === 'allow' && now_ms",
    replace: "on_timeout !== 'refuse' && now_ms",
    tests: ['test/domain/negotiation/action.test.ts'],
  },
  {
    name: 'silence that counts before its time',
    file: 'src/domain/negotiation/action.ts',
    find: 'now_ms >= respond_by ? null',
    replace: 'now_ms >= 0 ? null',
    tests: ['test/domain/negotiation/action.test.ts'],
  },
  {
    name: 'a key that has ended, and pays by silence',
    file: 'src/steps/negotiation/program.ts',
    find: 'key.revoked_at === null && key.expires_at > ctx.now_ms ?',
    replace: 'key.expires_at > 0 ?',
    tests: POLICY_TESTS,
  },
  {
    name: 'a policy of everybody that goes before that of the counterparty',
    file: 'src/domain/agent/policy.ts',
    find: 'return known ?? of_it.find(({ agent_id }) => agent_id === null) ?? null;',
    replace: 'return of_it.find(({ agent_id }) => agent_id === null) ?? known ?? null;',
    tests: POLICY_TESTS,
  },
  {
    name: 'a program that lifts the policies of its person',
    file: 'src/operations/agent/bounds.ts',
    find: "return known.includes('policies') && !same ? 'policies' : null;",
    replace: "return known.includes('policies') && same ? 'policies' : null;",
    tests: POLICY_TESTS,
  },
  {
    name: 'a proposal that a program agrees to though its person is to be asked',
    file: 'src/domain/negotiation/proposal.ts',
    find: "  if (asksOf(bounds, other_id)) return 'policy';\n",
    replace: '',
    tests: ['test/operations/proposal.test.ts'],
  },
  {
    name: 'a call that goes to a provider whom a policy forbids',
    file: 'src/steps/router/begin.ts',
    find: "?? 'allow') === 'allow';",
    replace: "?? 'allow') !== 'ask';",
    tests: ['test/operations/action-routed.test.ts'],
  },
];
