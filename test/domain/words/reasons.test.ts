// Guards the reasons of a match as people read them: from the reader's side, without formulas.
import { describe, expect, test } from 'bun:test';
import { decidingFirst, type ReaderSide, type Reason, reasonText } from '../../../src/domain/match/reason.ts';
import { reasons as en } from '../../../src/domain/words/en/reasons.ts';

const DAY = { amount: 'price', price_cents: 90_000, budget_cents: 100_000, period: 'day' } as const;
const TICKET = { amount: 'ticket', price_cents: 5_000_000, budget_cents: 100_000_000, period: 'once' } as const;
const TASTE = { code: 'taste', what: '', answers: 0, liked: false, blocked: false, earlier: false } as const;

describe('a reason', () => {
  test.each<[Reason, ReaderSide, string]>([
    [{ code: 'same_place', place: 'berlin' }, 'seek', 'Both in Berlin'],
    [{ code: 'same_place', place: 'US' }, null, 'Both in the US'],
    [{ code: 'same_place', place: 'US-OR' }, null, 'Both in OR, US'],
    [{ code: 'covered_place', place: 'DE' }, null, 'Both cover Germany'],
    [{ code: 'price_within', ...DAY }, 'seek', '$900 a day is within your budget'],
    [{ code: 'price_within', ...DAY }, 'offer', 'Their budget of $1,000 a day covers your price'],
    [{ code: 'price_within', ...TICKET }, 'seek', 'Their ticket of $50,000 fits your round'],
    [
      { code: 'shared_labels', labels: ['product-photography', 'e-commerce'], more: 2 },
      'offer',
      'You both named product photography, e-commerce, and 2 more',
    ],
    [
      { ...TASTE, about: 'label', what: 'seo', answers: 3, liked: true, earlier: true },
      'seek',
      'You were interested in 3 matches that named seo',
    ],
  ])('%p to the %p reads %p', (reason, side, english) => {
    expect(reasonText(en, reason, side)).toBe(english);
  });

  test('of close texts has no figure', () => {
    const close: Reason = { code: 'close_meaning', closeness: 1 };
    expect(reasonText(en, close, null)).not.toMatch(/\d/);
  });

  test('that decides comes first', () => {
    const all: Reason[] = [
      { code: 'close_meaning', closeness: 0.9 },
      { code: 'shared_labels', labels: ['seo'], more: 0 },
      { code: 'price_within', ...DAY },
      { code: 'same_place', place: 'berlin' },
    ];
    const codes = decidingFirst(all).map(({ code }) => code);
    expect(codes).toEqual(['price_within', 'same_place', 'shared_labels', 'close_meaning']);
  });
});
