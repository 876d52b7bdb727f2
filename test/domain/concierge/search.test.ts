// Guards what is found in the service's documentation, and that all of it can be quoted: short, named, without amounts.
import { describe, expect, test } from 'bun:test';
import { manualOf, manualPassages } from '../../../src/compose/manual.ts';
import { namesAmount } from '../../../src/domain/concierge/amount.ts';
import { enquiryOf } from '../../../src/domain/concierge/enquiry.ts';
import { markdownPieces } from '../../../src/domain/concierge/markdown.ts';
import { makeManual, PASSAGE_MAX } from '../../../src/domain/concierge/search.ts';
import { registry } from '../../../src/operations/registry.ts';
import { builtInLanguage } from '../../../src/outbound/embedder/built-in.ts';
import { restForm } from '../../../src/transports/rest.ts';
import { toolForm } from '../../../src/transports/tools.ts';
import { finished } from '../../support/finished.ts';
import { WITH_ANSWER } from './questions.ts';

const operations = registry();
const forms = { http: restForm(operations), tools: toolForm(operations) };
const passages = finished(manualPassages(operations, forms));
const manual = manualOf(operations, forms.http);
const find = (question: string) => manual.answer(question).found;

describe('the documentation', () => {
  test('has something of every kind, each piece bounded and without a currency', () => {
    expect(passages.length).toBeGreaterThan(200);
    for (const { document, text } of passages) {
      expect(document).not.toBe('');
      for (const said of [text.http, text.tools]) {
        expect(said.length).toBeLessThanOrEqual(PASSAGE_MAX);
        expect(said).not.toMatch(/\p{Sc}/u);
        expect([said, namesAmount(said)]).toEqual([said, false]);
      }
    }
    const documents = new Set(passages.map(({ document }) => document));
    for (const name of ['README.md', 'guide.md', 'negotiation.md', 'a2a.md', 'matching.md', 'operate.md'])
      expect(documents).toContain(name);
  });

  test('quotes nothing that only those who run the service reach', () => {
    for (const { name, access } of operations.filter(
      ({ access: by }) => by !== 'public' && by !== 'key' && by !== 'session',
    )) {
      expect([access, passages.some(({ document }) => document.endsWith(`(${name})`))]).toEqual([access, false]);
    }
  });

  test.each([
    ['How does matching work?', 'compared with all that may meet it'],
    ['how do I delete my account?', 'DELETE /api/account'],
    ['Can a handle be changed, can I rename my agent?', 'PATCH /api/agents/rename'],
    ['How is a payment released from escrow?', '/release'],
    ['How do I set a meeting?', '(meeting.schedule)'],
    ['Tell me about push configs of A2A', 'push config'],
  ])('answers %j', (question, wanted) => {
    const found = find(question);
    expect(`${found?.document}: ${found?.text.http}`).toContain(wanted);
  });

  test.each(['', 'the and of', 'What is the weather in Paris?', 'xyzzy plugh'])('has nothing on %j', (question) => {
    expect(find(question)).toBeNull();
  });
});

test('of passages that say the same the first is found, and one of more merit before it', () => {
  const text = { http: 'Ropes are spliced.', tools: 'Ropes are spliced.' };
  const one = { document: 'a', title: 'ropes', keywords: '', about: '', text, merit: 1 };
  const found = (merit: number) =>
    finished(makeManual([one, { ...one, document: 'b', merit }], builtInLanguage)).answer('ropes').found;
  expect(found(1)?.document).toBe('a');
  expect(found(2)?.document).toBe('b');
});

test('one unknown word leaves an answer standing, and more of them than known ones none', () => {
  const passage = (title: string) => ({
    ...{ document: 'a', title, keywords: '', about: '', merit: 1 },
    text: { http: 'Of ropes.', tools: 'Of ropes.' },
  });
  const ropes = finished(
    makeManual(
      [...'abcdefghijklmnop', 'splicing'].map((title) => passage(`${title} ropes`)),
      builtInLanguage,
    ),
  );
  // A word that every passage has says little, and one that none has no more than those that were found.
  expect(ropes.answer('ropes splicing zanily').found?.title).toBe('splicing ropes');
  expect(ropes.answer('ropes splicing zanily quixotically flurbs').found).toBeNull();
  expect(find('How do I withdraw my winnings to a bank?')?.title).toMatch(/withdraw/i);
  expect(find('withdraw flurbs glorps')).toBeNull();
  expect(manual.answer('withdraw flurbs glorps').near[0]).toContain('ithdraw');
});

test('a misspelt word is taken for the one that it is near to, and a word of the language for itself', () => {
  expect(find('chnage my hanlde')?.title).toContain('change my handle');
  expect(find('How do I withdrawl to a bnak?')?.title).toMatch(/withdraw/i);
  // “Weather” is one letter from “whether”, and “bread” from “break”.
  expect(find('bread')).toBeNull();
});

test('what comes close behind a passage is named beside it: other headings, two at most', () => {
  let beside = 0;
  const titles = new Set(passages.map(({ title }) => title));
  for (const { asked } of WITH_ANSWER) {
    const answer = manual.answer(asked);
    expect(answer.near.length).toBeLessThanOrEqual(answer.found ? 2 : 3);
    if (answer.found && answer.near.length > 0) beside += 1;
    for (const title of answer.near) {
      expect(title).not.toBe(answer.found?.title ?? '');
      expect(titles).toContain(title);
    }
  }
  // Nothing beside what leaves no doubt.
  expect(beside).toBeGreaterThan(WITH_ANSWER.length / 4);
  expect(manual.answer('Somebody else has stolen my key, what now?')).toMatchObject({ near: [] });
});

test('it is made in slices, and whoever asks before that makes the rest', async () => {
  const steps = manualPassages(operations, forms);
  let slices = 0;
  while (!steps.next().done) slices += 1;
  expect(slices).toBeGreaterThan(30);
  const fresh = manualOf(operations, forms.http);
  const preparing = fresh.prepare();
  expect(fresh.answer('What is an escrow?').found?.title).toContain('escrow');
  await preparing;
});

test('a document is cut into paragraphs, items and rows, without code and without what is left out', () => {
  const long = 'word '.repeat(300);
  const text = [
    '# Ropes\n<!-- cord, twine -->',
    'See [the *long* story](ropes#b) of ropes, which is told\nin two lines of this paragraph.',
    '```sh\nrm -rf everything in this folder and more\n```',
    '## Kinds\n| kind | what it is good for when it rains |\n| --- | --- |\n| hemp | is good for old ships and for nothing else |',
    `- ${long}`,
    '## Secret\nNobody who asks is told this sentence here.',
  ].join('\n\n');
  const found = markdownPieces('ropes', text, new Set(['Secret']));
  expect(found.map(({ keywords }) => keywords.trim())).toEqual(['cord, twine', '', '']);
  expect(found[2]?.about).toBe('Ropes');
  expect(found.map(({ title }) => title)).toEqual(['Ropes', 'Kinds', 'Kinds']);
  expect(found[0]?.text).toBe('See the long story of ropes, which is told in two lines of this paragraph.');
  expect(found[1]?.text).toBe('hemp: is good for old ships and for nothing else');
  expect(found[2]?.text).toStartWith('- word word');
});

test.each([
  ['Hi', 'start'],
  ['hello there!', 'start'],
  ['What’s next?', 'start'],
  ['How do I start?', 'start'],
  ['How do I start a dispute?', 'question'],
  ['hello, how are listings compared by place?', 'question'],
  ['Which matches do I have?', 'matches'],
  ['How does matching work?', 'question'],
  ['how do you verify a webhook signature', 'question'],
  ['Can I verify a deliverable?', 'question'],
  ['How do I get verified?', 'start'],
  ['How do I decline my match?', 'question'],
  ['What is this?', 'service'],
  ['Will you do it for $5?', 'price'],
  ['How much does Pro cost?', 'price'],
  ['I offer you a deal', 'bargain'],
  ['Can you negotiate for me?', 'bargain'],
] as const)('%j is a matter of %s', (text, kind) => {
  expect(enquiryOf(text).kind).toBe(kind);
});

test('of ids in a text three are looked up, each once', () => {
  const id = (n: number): string => `0197a000-0000-7000-8000-00000000000${n}`;
  const text = [1, 1, 2, 3, 4].map(id).join(' ').toUpperCase();
  expect(enquiryOf(text).ids).toEqual([1, 2, 3].map(id));
});
