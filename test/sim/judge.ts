// What must hold of every single answer, whatever was asked: no fault of the service, only declared refusals, dead
// credentials refused, nothing of others' private matters.
import { FAULTS } from '../../src/domain/fault.ts';
import { faultsOf } from '../../src/transports/openapi/responses.ts';
import type { TestAnswer } from '../support/testbed.ts';
import type { Call } from './call.ts';
import type { standings } from './credentials.ts';
import { must } from './failure.ts';
import type { Sim } from './sim.ts';

/** These may answer 401 to a credential that works: renewal of a renewed key, a token for an assertion that no registered key
 * signed, a refresh cookie that was traded. */
const OWN_401 = new Set(['key.renew', 'oauth.token', 'session.refresh']);

/** Fields that only an agent's owner sees. */
const PRIVATE = ['"goals"', '"bounds"', '"visibility"', '"gate_report"', '"external_id"', '"account_id"'];
/** What never leaves the service in any answer. */
const INNER = ['"hash"', '"refresh_hash"', '"password"', 'SQLiteError', 'node_modules'];
/** Of a day of the ledger and of evidence, whose hashes are there to be seen; those of keys and codes are in neither. */
const SEALED = /^(?:ledger|dispute)\./;

/** What is told with a 5xx and is no fault of the service: those whom it asked gave no answer. */
const OF_OTHERS: ReadonlySet<string> = new Set(['providers_failed']);

function refusal(sim: Sim, call: Call, { status, headers, body }: TestAnswer): void {
  const { operation, method } = call;
  const code = String(body?.error);
  const declared: readonly string[] = faultsOf(operation, {
    input: true,
    body: method !== 'GET',
    path: operation.rest.some(({ path }) => path.includes('{')),
  });
  must(status < 500 || OF_OTHERS.has(code), `${operation.name} answered ${status}`, sim.errors);
  must(declared.includes(code), `${operation.name} refused with ${code}, which it does not declare`, body);
  const known = FAULTS[code as keyof typeof FAULTS];
  must(known.status === status, `${code} came with the status ${status}`);
  // A kept refusal is told again to the byte, with the id of the request that it first answered.
  const same = headers.has('idempotent-replayed') || body.request_id === headers.get('x-request-id');
  must(typeof body.message === 'string' && same, 'an error body lacks parts', body);
  if (code === 'rate_limited') must(Number(headers.get('retry-after')) > 0, 'a 429 without Retry-After');
}

function credentials(call: Call, { status }: TestAnswer, before: ReturnType<typeof standings>, alone: boolean): void {
  const { operation } = call;
  if (before.length === 0 || status === 429) return;
  const looks = operation.access === 'key' || operation.access === 'session' || operation.agent !== undefined;
  const dead = before.some(({ alive }) => !alive);
  if (looks && dead) must(status === 401, `${operation.name} took a dead credential`, { status, before });
  const accounts = new Set(before.map(({ account_id }) => account_id));
  const open = alone && !dead && operation.access !== 'platform' && operation.access !== 'admin';
  if (open && accounts.size === 1 && !OWN_401.has(operation.name)) {
    must(status !== 401, `${operation.name} refused a credential that works`, before);
  }
}

function secrecy(sim: Sim, call: Call, text: string, before: ReturnType<typeof standings>): void {
  const { name } = call.operation;
  const inner = SEALED.test(name) ? INNER.filter((word) => word !== '"hash"') : INNER;
  for (const word of inner) must(!text.includes(word), `an answer of ${name} holds ${word}`);
  // Whoever knows the address of a page of the sandbox is who it is for: the address is the credential.
  if (call.operation.access === 'platform' || call.operation.access === 'admin' || name === 'sandbox.page') return;
  const owners = new Set([call.person.email, ...before.map(({ email }) => email)]);
  // What somebody said may be said back.
  const said = JSON.stringify(call.request.body) ?? '';
  for (const other of sim.people) {
    if (owners.has(other.email)) continue;
    const secrets = [other.email, other.phone, ...other.keys.map((key) => key.text)];
    const leaked = secrets.find((secret) => text.includes(secret) && !said.includes(secret));
    must(leaked === undefined, `${call.operation.name} told ${call.person.name} of ${other.name}: ${leaked}`);
  }
  if (before.length > 0 || call.operation.access !== 'public') return;
  const shown = PRIVATE.find((name) => text.includes(name));
  must(shown === undefined, `${call.operation.name} shows ${shown} to everybody`);
}

/** The platform's agent is in no list, but its handle stands on its card, which anybody reads. */
const UNSEEN = `SELECT handle FROM agents WHERE kind <> 'platform'
  AND (visibility <> 'listed' OR provisional = 1 OR deactivated_at IS NOT NULL)`;
const LIVE = "SELECT id FROM listings WHERE status = 'live'";

/** What anybody may look up names nobody who hides, and lists what is live alone. */
function discovery(
  sim: Sim,
  { operation }: Call,
  body: TestAnswer['body'],
  before: ReturnType<typeof standings>,
): void {
  // Whether a handle is taken is everybody's to ask, whoever has it.
  if (!operation.any_origin || before.length > 0 || operation.name === 'handle.check') return;
  const text = JSON.stringify(body);
  const named = sim.db.column(UNSEEN).find((handle) => text.includes(`"${handle}"`));
  must(named === undefined, `${operation.name} shows @${named}, who is not to be seen`, body);
  if (operation.name !== 'agent.card') return;
  const live = new Set(sim.db.column(LIVE));
  const listings: { id: string; metadata: { type: string } }[] = body.skills;
  const gone = listings.find(({ id, metadata }) => metadata.type !== 'platform' && !live.has(id));
  must(gone === undefined, 'a card shows a listing that is not live', gone);
}

/** Checks one answer; `alone` when nothing else ran at the same time. */
export function judge(
  sim: Sim,
  call: Call,
  answer: TestAnswer,
  before: ReturnType<typeof standings>,
  alone: boolean,
): void {
  const { status, headers, body } = answer;
  must(headers.get('x-request-id') !== null, 'an answer without X-Request-Id');
  if (status >= 400) refusal(sim, call, answer);
  else must([200, 201].includes(status), `${call.operation.name} answered ${status}`);
  if (status < 400 && alone) discovery(sim, call, body, before);
  credentials(call, answer, before, alone);
  secrecy(sim, call, JSON.stringify(body), before);
  must(sim.errors.length === 0, 'the service logged an error of its own', sim.errors);
}
