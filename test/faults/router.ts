// Faults in the router: who is asked, what an answer is worth, what is charged and when, and what a repeat is told.
import type { Fault } from './fault.ts';

const BEGIN = 'src/steps/router/begin.ts';
const END = 'src/steps/router/end.ts';
const EXPIRE = 'src/steps/router/expire.ts';
const VERDICT = 'src/domain/router/verdict.ts';
const TABLE = ['test/domain/router/router.test.ts'];
const CALLS = ['test/operations/router.test.ts'];
const SEEN = ['test/operations/router-seen.test.ts'];

/** Faults in calls of capabilities. */
export const ROUTER: readonly Fault[] = [
  {
    name: 'a provider that charges more than its price',
    file: VERDICT,
    find: 'Math.min(asked_cents ?? price_cents, price_cents)',
    replace: '(asked_cents ?? price_cents)',
    tests: TABLE,
  },
  {
    name: 'an answer of another status that is paid',
    file: VERDICT,
    find: 'status < 200 || status > 299',
    replace: 'status < 200 || status > 499',
    tests: TABLE,
  },
  {
    name: 'an answer nested without end',
    file: VERDICT,
    find: 'isTooDeep(text) ? null',
    replace: 'text.length < 0 ? null',
    tests: TABLE,
  },
  {
    name: 'new providers that are asked first',
    file: 'src/domain/router/ranking.ts',
    find: 'Number(late(a)) - Number(late(b)) ||',
    replace: '',
    tests: TABLE,
  },
  {
    name: 'an account that makes a name by itself',
    file: 'src/domain/router/reliability.ts',
    find: 'Math.min(1, ACCOUNT_MAX / attempts)',
    replace: 'Math.max(1, ACCOUNT_MAX / attempts)',
    tests: TABLE,
  },
  {
    name: 'a provider that is suspended a failure late',
    file: 'src/domain/router/provider.ts',
    find: 'failed >= STREAK_MAX',
    replace: 'failed > STREAK_MAX',
    tests: CALLS,
  },
  {
    name: 'a hold of the cheapest candidate',
    file: BEGIN,
    find: 'Math.max(...offers.map',
    replace: 'Math.min(...offers.map',
    tests: CALLS,
  },
  {
    name: 'a repeat that is another call',
    file: BEGIN,
    find: 'const stands = known !== null && (known.claim_until ?? 0) > (claim?.now_ms ?? now_ms);',
    replace: 'const stands = known !== null && (known.claim_until ?? 0) > now_ms + now_ms;',
    tests: CALLS,
  },
  {
    name: 'a call that is charged after it was given up',
    file: END,
    find: "  if (call?.status !== 'open') return tooLate(done.call);\n  const fixed",
    replace: '  if (!call) return tooLate(done.call);\n  const fixed',
    tests: SEEN,
  },
  {
    name: 'a call that was cut off with nobody who was asked',
    file: EXPIRE,
    find: 'unknown ? [...call.attempts, unknown.tried] : call.attempts',
    replace: 'call.attempts',
    tests: SEEN,
  },
  {
    name: 'a failure that is forgotten with its process',
    file: END,
    find: "patch('router_calls', call, { attempts: [...tried] }), ",
    replace: '',
    tests: SEEN,
  },
  {
    name: 'an address inside the house that may serve',
    file: 'src/operations/provider/register.ts',
    find: 'if (unusable) return unusable;',
    replace: '',
    tests: ['test/operations/hostile-providers.test.ts'],
  },
  {
    name: 'a failed call that keeps its key',
    file: END,
    find: 'claim: null,',
    replace: '',
    tests: CALLS,
  },
  {
    name: 'money of a failed call that stays held',
    file: END,
    find: '...(hold ? voidHold(ctx, hold) : [])',
    replace: '...(hold ? [] : [])',
    tests: CALLS,
  },
  {
    name: 'a call to a provider of the same hands',
    file: 'src/steps/router/candidates.ts',
    find: '...together.map((each) => each.account_id)',
    replace: '',
    tests: SEEN,
  },
  {
    name: 'an outage of ours that providers pay for',
    file: 'src/steps/router/outage.ts',
    find: 'isOutage([failure, ...lately])',
    replace: 'isOutage([failure])',
    tests: SEEN,
  },
  {
    name: 'an offer that outlives its agent',
    file: 'src/operations/agent/deactivate.ts',
    find: "...offers.map((offer) => patch('providers', offer, { active: 0 })),",
    replace: '',
    tests: ['test/operations/router-seen.test.ts'],
  },
  {
    name: 'figures that forget what came since',
    file: 'src/steps/router/figures.ts',
    find: 'attempts: attempts + fresh.attempts,',
    replace: 'attempts,',
    tests: CALLS,
  },
  {
    name: 'a receipt of a call that is none of the reader’s',
    file: 'src/operations/router-call/read.ts',
    find: 'if (call?.agent_id !== agent_id)',
    replace: 'if (!call)',
    tests: CALLS,
  },
];
