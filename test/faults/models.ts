// Faults in how a model is asked for an agent, and in what of its word may stand.
import type { Fault } from './fault.ts';

const ENDPOINT = ['test/outbound/negotiator.test.ts'];
const TURNS = ['test/operations/model-turn.test.ts'];
const NODES = ['test/operations/agreement-nodes.test.ts'];
const WORDS = ['test/domain/negotiation/model-turn.test.ts'];
const JUDGE = 'src/domain/negotiation/model-turn.ts';
const ADVISE = 'src/steps/negotiation/advise.ts';
const COURSE = 'src/steps/negotiation/course.ts';
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
    find: 'effects: [...counted, taken]',
    replace: 'effects: [taken]',
    tests: NODES,
  },
  {
    name: 'two questions to a model for one agent at once, from two nodes',
    file: USE,
    find: 'if (from > now_ms) return',
    replace: 'if (from < 0) return',
    tests: NODES,
  },
  {
    name: 'a place for questions that is never given back',
    file: USE,
    find: 'if (!place || now_ms >= place.until',
    replace: 'if (!place || now_ms < place.until',
    tests: TURNS,
  },
  {
    name: 'a cap that is reached and nobody is told',
    file: USE,
    find: "{ outcome: 'full' }, effects: await notice(read, ctx) }",
    replace: "{ outcome: 'full' }, effects: [] }",
    tests: TURNS,
  },
  {
    name: 'a model’s price that is worse than the next of the rules',
    file: JUDGE,
    find: 'isBetter(range, rules, cents) ?',
    replace: 'isBetter(range, rules, cents) && rules < 0 ?',
    tests: WORDS,
  },
  {
    name: 'a model’s yes to what the rules would not take',
    file: JUDGE,
    find: 'judged.range && amountRefusal(judged, judged.range, amount_cents)',
    replace: "judged.range && !isWithin(judged.range, amount_cents) ? 'outside_limits' : null",
    tests: WORDS,
  },
  {
    name: 'a price of a model before its phase',
    file: JUDGE,
    find: 'isOpening(facts) && ours.amount_cents === null',
    replace: 'isOpening(facts) && ours.amount_cents !== null',
    tests: WORDS,
  },
  {
    name: 'a model that goes on without a price where one is due',
    file: JUDGE,
    find: "action === 'say' && ours.rule === 'answer_and_ask' ?",
    replace: "action === 'say' ?",
    tests: WORDS,
  },
  {
    name: 'a price of a model that is told as a step where it is none',
    file: 'src/domain/negotiation/negotiator.ts',
    find: 'lastPrice(own) ?? offerAfter(range, made - 1)',
    replace: 'offerAfter(range, made - 1)',
    tests: WORDS,
  },
  {
    name: 'an instruction with private data that a model reads',
    file: ADVISE,
    find: "const words = [ours.text, instruction ?? ''].join('\\n');",
    replace: "const words = [ours.text].join('\\n');",
    tests: TURNS,
  },
  {
    name: 'an instruction with a limit that a model reads',
    file: ADVISE,
    find: " || tellsBound(instruction ?? '', facts.bounds)",
    replace: '',
    tests: TURNS,
  },
  {
    name: 'what an agent knows for itself that a model reads',
    file: 'src/steps/knowledge/search.ts',
    find: 'read.peek(publicKnowledgeOfAgent,',
    replace: 'read.peek(knowledgeOfAgent,',
    tests: TURNS,
  },
  {
    name: 'a limit that an agent wrote down for others and that a model reads',
    file: COURSE,
    find: ' || tellsBound(known, me.bounds)',
    replace: '',
    tests: TURNS,
  },
  {
    name: 'a fence whose word everybody knows',
    file: 'src/domain/text/fence.ts',
    find: "return btoa(binary).replaceAll('+', '-').replaceAll('/', '_');",
    replace: "return btoa('x'.repeat(binary.length)).replaceAll('+', '-').replaceAll('/', '_');",
    tests: TURNS,
  },
  {
    name: 'a turn that a model is asked for in vain',
    file: ADVISE,
    find: 'return (turns?.n ?? 0) >= TURNS_A_DAY;',
    replace: 'return (turns?.n ?? 0) > TURNS_A_DAY;',
    tests: TURNS,
  },
  {
    name: 'a turn that a model is asked for under a block',
    file: ADVISE,
    find: ' || writeFault(thread.conversation, by_opener, now_ms))',
    replace: ' || (by_opener && writeFault(thread.conversation, !by_opener, now_ms)))',
    tests: TURNS,
  },
  {
    name: 'proposals that are no part of the thread which a model was shown',
    file: COURSE,
    find: '...seen.map(({ id, version }) => `${id}.${version}`)',
    replace: '...seen.map(() => 0)',
    tests: TURNS,
  },
  {
    name: 'a withheld proposal that is noticed by what becomes of a model’s word',
    file: COURSE,
    find: "status !== 'withheld' || by_id === talk.me.id",
    replace: "status !== 'rejected' || by_id === talk.me.id",
    tests: TURNS,
  },
  {
    name: 'a turn that is taken though a word came in behind the last look',
    file: 'src/steps/negotiation/turn.ts',
    find: 'now.last_n === last_n ? null : fault(',
    replace: 'now.last_n >= last_n ? null : fault(',
    tests: TURNS,
  },
];
