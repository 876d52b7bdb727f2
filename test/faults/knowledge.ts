// Faults in what agents know: who reads it, how much there may be, what is published of it.
import type { Fault } from './fault.ts';

const TESTS = ['test/operations/knowledge.test.ts'];

/** Faults around knowledge. */
export const KNOWLEDGE: readonly Fault[] = [
  {
    name: 'a private entry that is told to others',
    file: 'db/queries/knowledge.ts',
    find: ', eq(t.knowledge.public, 1)',
    replace: '',
    tests: TESTS,
  },
  {
    name: 'an entry that anybody removes',
    file: 'src/operations/knowledge/remove.ts',
    find: 'if (entry?.agent_id !== actor(ctx).id)',
    replace: 'if (!entry || !actor(ctx))',
    tests: TESTS,
  },
  {
    name: 'a public entry whose text nobody looks at',
    file: 'src/domain/negotiation/told.ts',
    find: "  ...byLine('text', text),\n",
    replace: '',
    tests: TESTS,
  },
  {
    name: 'a listing that is read before its plan is asked',
    file: 'src/operations/listing/create.ts',
    find: '(await countedOut(read.peek, [countUp(ctx)])) ?? (await contentOf(input, null, ctx.id))',
    replace: 'await contentOf(input, null, ctx.id)',
    tests: ['test/operations/read-after-limits.test.ts'],
  },
  {
    name: 'a text that grows as its signs like',
    file: 'src/domain/text/normal-form.ts',
    find: 'return left >= 0 ? made : shortened(made);',
    replace: 'return made;',
    tests: ['test/domain/text/normal-form.test.ts'],
  },
  {
    name: 'a list whose items are looked at before it is counted',
    file: 'src/pipeline/validate.ts',
    find: 'if (long) return invalid(long);',
    replace: '',
    tests: ['test/pipeline/lengths.test.ts'],
  },
  {
    name: 'characters that stay counted when their entry is gone',
    file: 'src/steps/knowledge/hold.ts',
    find: 'less(charactersKey(agent_id), knowledgeCharacters(entry)),',
    replace: '',
    tests: TESTS,
  },
  {
    name: 'vectors of two models that are compared',
    file: 'src/steps/knowledge/search.ts',
    find: 'meaning && vector && model === meaning.model ?',
    replace: 'meaning && vector && model !== null ?',
    tests: TESTS,
  },
  {
    name: 'an agent that knows one thing and answers nothing',
    file: 'src/domain/negotiation/knowledge.ts',
    find: 'Math.max(1, entries.filter(({ hits }) => hits.has(word)).length)',
    replace: 'entries.filter(({ hits }) => hits.has(word)).length',
    tests: ['test/domain/negotiation/knowledge.test.ts'],
  },
  {
    name: 'the question behind a price that is answered by what an agent knows',
    file: 'src/domain/negotiation/question.ts',
    find: 'if (PRICE_QUESTIONS.has(words)) continue;',
    replace: '',
    tests: ['test/domain/negotiation/negotiator.test.ts'],
  },
  {
    name: 'answers to a question that somebody has gone on from',
    file: 'src/steps/negotiation/course.ts',
    find: 'known && known.message_id === messages[0]?.id ? known.text : null',
    replace: 'known && known.message_id !== messages[0]?.id ? known.text : null',
    tests: ['test/operations/advance.test.ts'],
  },
  {
    name: 'vectors of an embedder before that stay after the first ten',
    file: 'src/operations/knowledge/embed.ts',
    find: 'after = entries.at(-1)?.id;',
    replace: 'after = undefined;',
    tests: ['test/operations/reembed.test.ts'],
  },
];
