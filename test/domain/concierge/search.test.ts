// Guards what is found in the service's documentation, and that all of it can be quoted: short, named, without amounts.
import { describe, expect, test } from 'bun:test';
import { namesAmount } from '../../../src/domain/concierge/amount.ts';
import { enquiryOf } from '../../../src/domain/concierge/enquiry.ts';
import { cutText, markdownPassages } from '../../../src/domain/concierge/markdown.ts';
import { makeManual, PASSAGE_MAX } from '../../../src/domain/concierge/search.ts';
import { manualOf, manualPassages } from '../../../src/manual.ts';
import { registry } from '../../../src/operations/registry.ts';
import { restForm } from '../../../src/transports/rest-steps.ts';

const operations = registry();
const passages = manualPassages(operations, restForm(operations));

describe('the documentation', () => {
  test('has something of every kind, each piece bounded and without a currency', () => {
    expect(passages.length).toBeGreaterThan(200);
    for (const { document, text } of passages) {
      expect(document).not.toBe('');
      expect(text.length).toBeLessThanOrEqual(PASSAGE_MAX);
      expect(text).not.toMatch(/\p{Sc}/u);
      expect([text, namesAmount(text)]).toEqual([text, false]);
    }
    const documents = new Set(passages.map(({ document }) => document));
    for (const name of ['README.md', 'a2a.md', 'matching.md', 'the service’s guide']) expect(documents).toContain(name);
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
    ['how do I delete my account?', '(account.delete)'],
    ['Can a handle be changed, can I rename my agent?', '(agent.rename)'],
    ['How is a payment released from escrow?', '/release'],
    ['How do I set a meeting?', '(meeting.schedule)'],
    ['Tell me about push configs of A2A', 'a2a.md'],
  ])('answers %j', (question, wanted) => {
    const found = manualOf(operations, restForm(operations)).find(question);
    expect(`${found?.document}: ${found?.text}`).toContain(wanted);
  });

  test.each(['', 'the and of', 'What is the weather in Paris?', 'xyzzy plugh'])('has nothing on %j', (question) => {
    expect(manualOf(operations, restForm(operations)).find(question)).toBeNull();
  });
});

test('of passages that say the same the first is found, and one of more merit before it', () => {
  const one = { document: 'a', title: 'ropes', text: 'Ropes are spliced.', merit: 1 };
  expect(makeManual([one, { ...one, document: 'b' }]).find('ropes')?.document).toBe('a');
  expect(makeManual([one, { ...one, document: 'b', merit: 2 }]).find('ropes')?.document).toBe('b');
});

test('a document is cut into paragraphs, items and rows, without code and without what is left out', () => {
  const long = 'word '.repeat(300);
  const text = [
    '# Ropes',
    'See [the *long* story](ropes#b) of ropes, which is told\nin two lines of this paragraph.',
    '```sh\nrm -rf everything in this folder and more\n```',
    '## Kinds\n| kind | what it is good for when it rains |\n| --- | --- |\n| hemp | is good for old ships and for nothing else |',
    `- ${long}`,
    '## Secret\nNobody who asks is told this sentence here.',
  ].join('\n\n');
  const found = markdownPassages('ropes', text, new Set(['Secret']));
  expect(found.map(({ title }) => title)).toEqual(['Ropes', 'Kinds', 'Kinds']);
  expect(found[0]?.text).toBe('See the long story of ropes, which is told in two lines of this paragraph.');
  expect(found[1]?.text).toBe('hemp: is good for old ships and for nothing else');
  expect(found[2]?.text).toHaveLength(cutText(found[2]?.text ?? '', PASSAGE_MAX).length);
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
  ['Will you do it for $5?', 'bargain'],
  ['Can you negotiate for me?', 'bargain'],
] as const)('%j is a matter of %s', (text, kind) => {
  expect(enquiryOf(text).kind).toBe(kind);
});

test('of ids in a text three are looked up, each once', () => {
  const id = (n: number): string => `0197a000-0000-7000-8000-00000000000${n}`;
  const text = [1, 1, 2, 3, 4].map(id).join(' ').toUpperCase();
  expect(enquiryOf(text).ids).toEqual([1, 2, 3].map(id));
});
