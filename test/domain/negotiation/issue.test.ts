// The issues of a proposal: which values they take, what a text says of them, and how they are found in one.
import { describe, expect, test } from 'bun:test';
import { type Issue, issuesFault, issuesNamed, issuesText } from '../../../src/domain/negotiation/issue.ts';
import { amountNamed } from '../../../src/domain/negotiation/price.ts';
import { textOf } from '../../../src/domain/task/part.ts';

const ALL: readonly Issue[] = [
  { issue: 'days_to_deliver', value: 5 },
  { issue: 'revisions', value: 3 },
  { issue: 'quantity', value: 20 },
  { issue: 'milestones', value: 2 },
  { issue: 'licence', value: 'commercial' },
  { issue: 'warranty_days', value: 90 },
];

test('what is written is found again, and hides no price', () => {
  const text = issuesText(ALL);
  expect(text).toBe(
    'within 5 days, 3 revisions, quantity 20, in 2 milestones, commercial licence, 90 days of warranty',
  );
  expect(issuesNamed(text)).toEqual([...ALL]);
  for (const words of ['I can move to', 'For all of this I ask', 'That is still far for me. What about']) {
    expect(amountNamed(`${words} $1,250.50, ${text}.`)).toBe(125_050);
  }
});

describe('of words is taken', () => {
  test.each<[string, readonly Issue[]]>([
    ['I can deliver in 2 weeks.', [{ issue: 'days_to_deliver', value: 14 }]],
    ['It takes 10 working days, with two of us.', [{ issue: 'days_to_deliver', value: 10 }]],
    ['Within 5 days? No: within 8 days.', [{ issue: 'days_to_deliver', value: 8 }]],
    ['3 rounds of changes are part of it', [{ issue: 'revisions', value: 3 }]],
    ['A warranty of 2 years.', [{ issue: 'warranty_days', value: 730 }]],
    ['With an Exclusive license', [{ issue: 'licence', value: 'exclusive' }]],
    ['I cannot do it within 5 days', []],
    ['not within 5 days', []],
    ['I was here 5 days ago', []],
    ['within 9999 days', []],
  ])('%s', (text, issues) => expect(issuesNamed(text)).toEqual([...issues]));
});

describe('refused are', () => {
  test.each<[string, readonly Issue[], number, string]>([
    ['a value out of range', [{ issue: 'revisions', value: 101 }], 0, 'issues.0.value'],
    ['a fraction', [{ issue: 'days_to_deliver', value: 1.5 }], 0, 'issues.0.value'],
    ['a number for a choice', [{ issue: 'licence', value: 3 }], 0, 'issues.0.value'],
    ['a word for a number', [{ issue: 'quantity', value: 'full' }], 0, 'issues.0.value'],
    [
      'an issue twice',
      [
        { issue: 'revisions', value: 1 },
        { issue: 'revisions', value: 2 },
      ],
      0,
      'issues.1.issue',
    ],
    ['parts that are others', [{ issue: 'milestones', value: 3 }], 2, 'issues.0.value'],
  ])('%s', (_what, issues, parts, path) =>
    expect(issuesFault(issues, parts)).toMatchObject({ fault: 'invalid_request', data: { fields: [{ path }] } }),
  );
  test('none of all', () => expect(issuesFault(ALL, 2)).toBeNull());
});

describe('a data part of a message', () => {
  const said = (data: unknown): string => textOf([{ kind: 'data', data }]);
  test('that is a bid is said in words, which are read again', () => {
    const text = said({ amount_cents: 30_000, issues: ALL });
    expect(text).toBe(`$300.00, ${issuesText(ALL)}`);
    expect([amountNamed(text), issuesNamed(text)]).toEqual([30_000, [...ALL]]);
  });
  test.each([
    { amount_cents: 0 },
    { amount_cents: 1.5 },
    { amount_cents: 10, issues: [{ issue: 'colour', value: 3 }] },
    { amount_cents: 10, issues: 'none' },
    [1],
  ])('%j is shown as it is', (data) => expect(said(data)).toBe(JSON.stringify(data)));
});
