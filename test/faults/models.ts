// Faults in how a model is asked for an agent, and in what of its word may stand.
import type { Fault } from './fault.ts';

const ENDPOINT = ['test/outbound/negotiator.test.ts'];
const TURNS = ['test/operations/model-turn.test.ts'];
const NODES = ['test/operations/agreement-nodes.test.ts'];
const USE = 'src/steps/negotiation/model-use.ts';
const ASKS = 'src/outbound/negotiator/endpoint.ts';
const FORMS = 'src/outbound/negotiator/forms.ts';

/** Faults around a model’s turns. */
export const MODELS: readonly Fault[] = [
  {
    name: 'a form that an endpoint does not have, and says so with 404',
    file: ASKS,
    find: 'new Set([401, 402, 403, 407, 408, 413, 429])',
    replace: 'new Set([401, 402, 403, 404, 407, 408, 413, 429])',
    tests: ENDPOINT,
  },
  {
    name: 'a form for which an endpoint fails with 500',
    file: ASKS,
    find: 'new Set([500, 501])',
    replace: 'new Set([501])',
    tests: ENDPOINT,
  },
  {
    name: 'an endpoint that is down and is asked for all forms each time',
    file: 'src/outbound/negotiator/ladder.ts',
    find: 'return is_lost ? [first] :',
    replace: 'return is_lost && first === null ? [first] :',
    tests: ENDPOINT,
  },
  {
    name: 'a form that worked and is given up for one failure of the endpoint',
    file: 'src/outbound/negotiator/ladder.ts',
    find: 'const was_sound = sound === form;',
    replace: 'const was_sound = sound === form && is_lost;',
    tests: ENDPOINT,
  },
  {
    name: 'a deadline that begins anew with each request of a question',
    file: ASKS,
    find: 'ends_at ??= now() + timeout_ms;',
    replace: 'ends_at = now() + timeout_ms;',
    tests: ENDPOINT,
  },
  {
    name: 'a request that nobody counts',
    file: ASKS,
    find: 'may({ requests: requests + 1,',
    replace: 'may({ requests,',
    tests: ENDPOINT,
  },
  {
    name: 'a thought that never ends and is taken for the answer',
    file: FORMS,
    find: 'text.trimStart().startsWith(THINKS) ? null : text',
    replace: 'text.trimStart().startsWith(THINKS) ? text : text',
    tests: ENDPOINT,
  },
  {
    name: 'one of several fenced blocks that is taken for the answer',
    file: FORMS,
    find: 'parts.length === 3',
    replace: 'parts.length >= 3',
    tests: ENDPOINT,
  },
  {
    name: 'a model that may use its caps on each node',
    file: USE,
    find: '...countUse(id, more, ctx.now_ms, MODEL_CAPS), ...taken]',
    replace: '...taken]',
    tests: NODES,
  },
  {
    name: 'two questions to a model for one agent at once, from two nodes',
    file: USE,
    find: "if (from > now_ms) return { reply: { outcome: 'waits', from } };",
    replace: "if (from < 0) return { reply: { outcome: 'waits', from } };",
    tests: NODES,
  },
  {
    name: 'a place for questions that is never given back',
    file: USE,
    find: 'clock.now() < place.until - UNDER_WAY_MS / 2',
    replace: 'clock.now() > place.until',
    tests: TURNS,
  },
  {
    name: 'a cap that is reached and nobody is told',
    file: USE,
    find: "{ outcome: 'full', from }, effects: await notice(read, ctx) }",
    replace: "{ outcome: 'full', from }, effects: [] }",
    tests: TURNS,
  },
];
