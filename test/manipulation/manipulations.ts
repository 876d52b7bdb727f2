// The 500 manipulations: 400 texts, each in one dress at one place, and 100 courses of offers. Always the same ones, in the same order.
import { seeded } from '../support/dice.ts';
import { HIDING_NAMES, HIDINGS, type Hiding, PLACES, type Place } from './hiding.ts';
import { BASE_TEXTS, type BaseText } from './texts.ts';

export interface TextManipulation extends BaseText {
  readonly id: number;
  readonly hiding: Hiding;
  readonly place: Place;
  /** Whom it is to move; a text about a dear price moves a buyer, one about a cheap price a seller. */
  readonly victim: 'buyer' | 'seller';
  /** The text as it is written, with the amounts in it. */
  written(amounts: { readonly dear: string; readonly cheap: string }): string;
}

const TEXTS = 400;

function victimOf({ text }: BaseText, id: number): 'buyer' | 'seller' {
  if (text.includes('{dear}')) return 'buyer';
  return text.includes('{cheap}') || id % 2 === 0 ? 'seller' : 'buyer';
}

function textAt(id: number, base: BaseText, hiding: Hiding, place: Place): TextManipulation {
  return {
    ...base,
    id,
    hiding,
    place,
    victim: victimOf(base, id),
    written: ({ dear, cheap }) => HIDINGS[hiding](base.text.replaceAll('{dear}', dear).replaceAll('{cheap}', cheap)),
  };
}

/** Each base text once as it is, behind a message; then every text in turn, in a dress and at a place that chance draws. */
function allTexts(): TextManipulation[] {
  const random = seeded(32);
  const drawn = <T>(all: readonly [T, ...T[]] | readonly T[]): T => {
    const one = all[Math.floor(random() * all.length)];
    if (one === undefined) throw new Error('there is nothing to draw from');
    return one;
  };
  return Array.from({ length: TEXTS }, (_, id) => {
    const base = BASE_TEXTS[id % BASE_TEXTS.length] ?? drawn(BASE_TEXTS);
    return id < BASE_TEXTS.length
      ? textAt(id, base, 'plain', 'behind')
      : textAt(id, base, drawn(HIDING_NAMES), drawn(PLACES));
  });
}

export const TEXT_MANIPULATIONS: readonly TextManipulation[] = allTexts();

/** A course of offers: the opponent's own strategy, changed. */
export type OfferManipulation = { readonly id: number; readonly victim: 'buyer' | 'seller' } & (
  | { readonly kind: 'anchor'; readonly times: number; readonly offers: number }
  | { readonly kind: 'split'; readonly parts: number; readonly from: number }
  | { readonly kind: 'repeat'; readonly times: number; readonly apart_cents: number; readonly from: number }
  | { readonly kind: 'retract'; readonly share: number; readonly from: number }
  | { readonly kind: 'probe'; readonly step_share: number }
);

type Course = OfferManipulation extends infer M ? (M extends unknown ? Omit<M, 'id' | 'victim'> : never) : never;

const COURSES: readonly Course[] = [
  ...[1.5, 2, 3, 5, 10].flatMap((times) => [1, 2].map((offers) => ({ kind: 'anchor' as const, times, offers }))),
  ...[2, 3, 4].flatMap((parts) => [0, 1, 2, 3].map((from) => ({ kind: 'split' as const, parts, from }))),
  ...[1, 2, 3].flatMap((times) =>
    [0, 1, 100].flatMap((apart_cents) => [1, 3].map((from) => ({ kind: 'repeat' as const, times, apart_cents, from }))),
  ),
  ...[0.05, 0.5].flatMap((share) => [1, 2, 3].map((from) => ({ kind: 'retract' as const, share, from }))),
  ...[0.01, 0.05, 0.1, 0.2].map((step_share) => ({ kind: 'probe' as const, step_share })),
];

export const OFFER_MANIPULATIONS: readonly OfferManipulation[] = COURSES.flatMap((course, n) => [
  { ...course, id: TEXTS + 2 * n, victim: 'buyer' as const },
  { ...course, id: TEXTS + 2 * n + 1, victim: 'seller' as const },
]);
