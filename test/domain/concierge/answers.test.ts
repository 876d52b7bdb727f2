// Guards how well the service's own agent answers: what share of real questions gets the right section first, and that it says so where
// the documentation has nothing.
import { describe, expect, test } from 'bun:test';
import { manualOf, manualPassages } from '../../../src/compose/manual.ts';
import { withoutAmounts } from '../../../src/domain/concierge/amount.ts';
import { enquiryOf } from '../../../src/domain/concierge/enquiry.ts';
import { registry } from '../../../src/operations/registry.ts';
import { restForm } from '../../../src/transports/rest.ts';
import { toolForm } from '../../../src/transports/tools.ts';
import { finished } from '../../support/finished.ts';
import { type Question, WITH_ANSWER, WITHOUT_ANSWER } from './questions.ts';
import { HELD_OUT, HELD_OUT_WITHOUT, LATER, LEARNT, LEARNT_WITHOUT } from './unseen-questions.ts';

const operations = registry();
const forms = { http: restForm(operations), tools: toolForm(operations) };
const manual = manualOf(operations, forms.http);

/** Where passages of each heading stand. */
const passages = finished(manualPassages(operations, forms));
const standing = new Map<string, string[]>();
for (const { title, document } of passages) standing.set(title, [...(standing.get(title) ?? []), document]);

interface Told {
  /** The place of what is told: what the passage is quoted as and its heading, or what is told instead of one. */
  readonly first: readonly string[];
  /** The places that are named beside it, or in its place. */
  readonly more: readonly string[];
}

function told(asked: string): Told {
  const { kind } = enquiryOf(asked);
  if (kind === 'start') return { first: ['onboarding'], more: [] };
  if (kind === 'matches' || kind === 'bargain' || kind === 'service') return { first: [kind], more: [] };
  const { found, near } = manual.answer(withoutAmounts(asked));
  if (!found && kind === 'price') return { first: ['bargain'], more: [] };
  const more = near.flatMap((title) => [title, ...(standing.get(title) ?? [])]);
  return { first: found ? [found.document, found.title] : [], more };
}

/** Whether a place is the one that an answer names: an operation, a heading by how it begins, or one of a single word. */
const isPlace = (place: string, right: string): boolean => {
  if (right.startsWith('(')) return place.endsWith(right);
  return right.includes(' ') ? place.startsWith(right) : place === right;
};

const isRight = (places: readonly string[], { answered_by }: Question): boolean =>
  places.some((place) => answered_by.some((right) => isPlace(place, right)));

const isFirst = (question: Question): boolean => isRight(told(question.asked).first, question);

const isNamed = (question: Question): boolean => {
  const { first, more } = told(question.asked);
  return isRight([...first, ...more], question);
};

/** A refusal to bargain is no false answer. */
const isUnanswered = ({ asked }: Question): boolean => told(asked).first.every((place) => place === 'bargain');

const percentOf = (questions: readonly Question[], holds: (question: Question) => boolean): number =>
  (100 * questions.filter(holds).length) / questions.length;

/** The share that holds, and what does not. */
function share(questions: readonly Question[], holds: (question: Question) => boolean) {
  const failed = questions.filter((question) => !holds(question));
  const percent = percentOf(questions, holds);
  return { percent, failed: failed.map(({ asked }) => `${asked} → ${told(asked).first.join(', ')}`) };
}

/** 96.9 and 93.2 when this was written; the questions were learnt from. */
const RIGHT_MIN = 96;
const UNANSWERED_MIN = 92;

test('of the questions that the documentation answers the most get the right section first', () => {
  expect(WITH_ANSWER.length).toBeGreaterThan(200);
  const { percent, failed } = share(WITH_ANSWER, isFirst);
  expect([failed, percent >= RIGHT_MIN]).toEqual([failed, true]);
});

test('what the documentation does not answer is seldom taken for something that it does', () => {
  expect(WITHOUT_ANSWER.length).toBeGreaterThan(80);
  const { percent, failed } = share(WITHOUT_ANSWER, isUnanswered);
  expect([failed, percent >= UNANSWERED_MIN]).toEqual([failed, true]);
});

describe('in words that are not the documentation’s', () => {
  test('the right section is told or named to the most, of the questions learnt from', () => {
    // 61.2 and 82.5 when this was written; 95 of those without an answer.
    const [first, named] = [share(LEARNT, isFirst), share(LEARNT, isNamed)];
    expect([first.failed, first.percent >= 59]).toEqual([first.failed, true]);
    expect([named.failed, named.percent >= 80]).toEqual([named.failed, true]);
    expect(share(LEARNT_WITHOUT, isUnanswered).percent).toBeGreaterThanOrEqual(90);
  });

  test('and of those held out, of which is told only how many', () => {
    // 52.5 and 73.7 when this was written (35.0 and 58.7 before misspelling, meaning, synonyms and headings beside an answer); 95 of those
    // without an answer.
    expect(percentOf(HELD_OUT, isFirst)).toBeGreaterThanOrEqual(50);
    expect(percentOf(HELD_OUT, isNamed)).toBeGreaterThanOrEqual(71);
    expect(percentOf(HELD_OUT_WITHOUT, isUnanswered)).toBeGreaterThanOrEqual(90);
  });

  test('and of those written later, which say in other words what has none in common with the documentation', () => {
    // 26.2 and 57.3 when this was written (19.6 and 45.9 before).
    expect(percentOf(LATER, isFirst)).toBeGreaterThanOrEqual(23);
    expect(percentOf(LATER, isNamed)).toBeGreaterThanOrEqual(54);
  });
});

test('a question about the service that finds nothing is told headings that come near', () => {
  const lost = [...WITH_ANSWER, ...LEARNT].map(({ asked }) => told(asked)).filter(({ first }) => first.length === 0);
  expect(lost.filter(({ more }) => more.length > 0).length).toBeGreaterThanOrEqual(lost.length - 1);
});

test('each place that a question names is there', () => {
  const known = passages.flatMap(({ document, title }) => [document, title]);
  known.push('onboarding', 'service', 'matches');
  const lost = [...WITH_ANSWER, ...LEARNT, ...HELD_OUT, ...LATER].flatMap(({ answered_by }) =>
    answered_by.filter((right) => !known.some((place) => isPlace(place, right))),
  );
  expect(lost).toEqual([]);
});
