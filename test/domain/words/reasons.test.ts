// Guards the reasons of a match as people read them: from the reader's side, without formulas, in both languages.
import { describe, expect, test } from 'bun:test';
import { decidingFirst, type ReaderSide, type Reason, reasonText } from '../../../src/domain/match/reason.ts';
import { reasons as de } from '../../../src/domain/words/de/reasons.ts';
import { reasons as en } from '../../../src/domain/words/en/reasons.ts';

const DAY = { amount: 'price', price_cents: 90_000, budget_cents: 100_000, period: 'day' } as const;
const TICKET = { amount: 'ticket', price_cents: 5_000_000, budget_cents: 100_000_000, period: 'once' } as const;
const TASTE = { code: 'taste', what: '', answers: 0, liked: false, blocked: false, earlier: false } as const;

describe('a reason', () => {
  test.each<[Reason, ReaderSide, string, string]>([
    [{ code: 'same_place', place: 'berlin' }, 'seek', 'Both in Berlin', 'Beide in Berlin'],
    [{ code: 'same_place', place: 'US' }, null, 'Both in the US', 'Beide in den USA'],
    [{ code: 'same_place', place: 'US-OR' }, null, 'Both in OR, US', 'Beide in OR, US'],
    [{ code: 'covered_place', place: 'DE' }, null, 'Both cover Germany', 'Beide arbeiten in Deutschland'],
    [
      { code: 'price_within', ...DAY },
      'seek',
      '$900 a day is within your budget',
      '900\u00a0$ pro Tag liegt in Ihrem Budget',
    ],
    [
      { code: 'price_within', ...DAY },
      'offer',
      'Their budget of $1,000 a day covers your price',
      'Das Budget von 1.000\u00a0$ pro Tag deckt Ihren Preis',
    ],
    [
      { code: 'price_within', ...TICKET },
      'seek',
      'Their ticket of $50,000 fits your round',
      'Ein Ticket von 50.000\u00a0$ passt in Ihre Runde',
    ],
    [
      { code: 'shared_labels', labels: ['product-photography', 'e-commerce'], more: 2 },
      'offer',
      'You both named product photography, e-commerce, and 2 more',
      'Sie beide nennen product photography, e-commerce und 2 weitere',
    ],
    [
      { ...TASTE, about: 'label', what: 'seo', answers: 3, liked: true, earlier: true },
      'seek',
      'You were interested in 3 matches that named seo',
      '3 Matches mit seo haben Sie interessiert',
    ],
  ])('%p to the %p reads %p and %p', (reason, side, english, german) => {
    expect(reasonText(en, reason, side)).toBe(english);
    expect(reasonText(de, reason, side)).toBe(german);
  });

  test('of close texts has no figure', () => {
    const close: Reason = { code: 'close_meaning', closeness: 1 };
    for (const words of [en, de]) expect(reasonText(words, close, null)).not.toMatch(/\d/);
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
