// Guarantees of taste: one answer is none, a chip moves what it names alone, no taste moves a pair by more than its bound,
// what an agent says as one thing counts as nothing else, and old answers fade.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeMatchSide } from '../../../src/domain/match/side.ts';
import {
  ANSWERS_MAX,
  actsAs,
  blockSignal,
  learn,
  type Said,
  type Signal,
  saidBy,
  signalOf,
  type TasteSide,
} from '../../../src/domain/match/signal.ts';
import {
  ALIKE_MIN,
  HALF_LIFE_MS,
  leaningOf,
  TASTE_BOUNDS,
  TASTE_MAX,
  type TasteShift,
  tasteShift,
} from '../../../src/domain/match/taste.ts';
import { geoNorm } from '../../../src/domain/place/geo.ts';

const NOW = Date.UTC(2026, 5, 15);

interface Listing {
  readonly by?: string;
  readonly labels?: readonly string[];
  readonly geo?: string;
  readonly price?: number;
}

function side(direction: 'offer' | 'seek', { by = 'x', labels = [], geo, price }: Listing): TasteSide {
  const amount = direction === 'offer' ? { price_cents: price ?? null } : { budget_cents: price ?? null };
  return makeMatchSide({
    id: `listing-${by}`,
    agent_id: `agent-${by}`,
    account_id: `account-${by}`,
    card_type: direction === 'offer' ? 'selling' : 'buying',
    direction,
    headline: 'x',
    labels,
    geo: geoNorm(geo ?? null),
    visibility: 'listed',
    trust_score: 50,
    responsiveness: null,
    ...amount,
  });
}

const MINE = side('seek', { by: 'me', labels: ['logo-design'], geo: 'Portland, Oregon, US', price: 10_000 });
const offer = (listing: Listing): TasteSide => side('offer', listing);

function answers(said: Said, listings: readonly Listing[], at = NOW): Signal[] {
  return listings.map((listing, i) => {
    const by = listing.by ?? `${said}${i}`;
    return signalOf({ about: `${said} ${by} ${i}`, said, at }, MINE, offer({ ...listing, by }));
  });
}

const shiftOf = (signals: readonly Signal[], other: Listing, own = MINE, now = NOW): TasteShift =>
  tasteShift(leaningOf(signals, actsAs(own), now), own, own === MINE ? offer(other) : side('seek', other));

const three = (listing: Listing): Listing[] => [listing, listing, listing];
const WITH = { labels: ['logo-design', 'crypto'], geo: 'Berlin, Germany', price: 9_000 };

describe('what an answer says', () => {
  test.each<[string, string | null, Said | null]>([
    ['interested', null, 'interested'],
    ['interested', 'price', 'interested'],
    ['saved', null, 'saved'],
    ['not_a_fit', 'price', 'price'],
    ['not_a_fit', 'location', 'location'],
    ['not_a_fit', 'skills', 'skills'],
    ['not_a_fit', 'not_relevant', 'not_relevant'],
    ['not_a_fit', 'not_trusted', 'not_trusted'],
    ['not_a_fit', 'timing', null],
    ['not_a_fit', 'already_found', null],
    ['not_a_fit', 'other', null],
    ['not_a_fit', null, null],
    ['not_a_fit', 'Too far away, and the price is mad.', null],
    ['not_a_fit', 'blocked', null],
  ])('%s with %p is %p', (action, reason, said) => {
    expect(saidBy(action, reason)).toBe(said);
  });

  test('holds of the other listing what the answer names, and nothing else', () => {
    const held = (said: Said) => {
      const [{ labels, own_labels, places, own_places, share } = blockSignal('', '', 0)] = answers(said, [WITH]);
      return { labels, own_labels, places, own_places, share };
    };
    const nothing = { labels: [], own_labels: [], places: [], own_places: [], share: null };
    const labels = { labels: ['crypto'], own_labels: ['logo-design'] };
    const places = { places: ['DE', 'berlin'], own_places: [] };
    expect(held('price')).toEqual({ ...nothing, share: 0.9 });
    expect(held('location')).toEqual({ ...nothing, ...places });
    expect(held('skills')).toEqual({ ...nothing, ...labels });
    expect(held('not_relevant')).toEqual({ ...nothing, ...labels });
    expect(held('not_trusted')).toEqual(nothing);
    expect(held('interested')).toEqual({ ...labels, ...places, share: 0.9 });
  });
});

describe('what is learnt', () => {
  test('about a match is its last answer, and the same again changes nothing', () => {
    const [saved, again] = [...answers('saved', [WITH]), ...answers('saved', [WITH], NOW + 5)];
    const [declined] = answers('skills', [WITH], NOW + 9);
    if (!saved || !again || !declined) throw new Error('three answers were made');
    const once = learn([], 'm', { ...saved, about: 'm' });
    expect(learn(once, 'm', { ...again, about: 'm' })).toBe(once);
    const then = learn(once, 'm', { ...declined, about: 'm' });
    expect(then.map(({ said }) => said)).toEqual(['skills']);
    expect(learn(then, 'm', null)).toEqual([]);
    expect(learn(once, 'another', null)).toBe(once);
  });

  test(`is the last ${ANSWERS_MAX} answers, in whatever order they are written`, () => {
    const all = Array.from({ length: ANSWERS_MAX + 7 }, (_, i) => ({ ...blockSignal(`${i}`, '', i), about: `${i}` }));
    const learnt = all.reduce<readonly Signal[]>((held, signal) => learn(held, signal.about, signal), []);
    expect(learnt).toHaveLength(ANSWERS_MAX);
    expect(learnt.map(({ at }) => at)).toEqual(all.slice(7).map(({ at }) => at));
    const [a, b] = [blockSignal('a', '', 1), blockSignal('b', '', 1)];
    expect(learn(learn([], a.about, a), b.about, b)).toEqual(learn(learn([], b.about, b), a.about, a));
  });
});

describe('a taste', () => {
  test.each<[Said, Listing]>([
    ['interested', { labels: ['crypto'] }],
    ['not_relevant', { labels: ['crypto'] }],
    ['location', { geo: 'Germany' }],
    ['price', { price: 9_500 }],
  ])('needs answers about several accounts: %s', (said, other) => {
    const few = answers(said, Array(ALIKE_MIN - 1).fill(WITH));
    expect(shiftOf(few, other).shift).toBe(0);
    expect(shiftOf(answers(said, three(WITH)), other).shift).not.toBe(0);
    const ofOne = answers(said, Array(20).fill({ ...WITH, by: 'one' }));
    expect(shiftOf(ofOne, other).shift).toBe(0);
  });

  test.each<[Said, Record<'labels' | 'place' | 'price' | 'agent', number>]>([
    ['interested', { labels: 0.036, place: 0.03, price: 0, agent: 0 }],
    ['saved', { labels: 0.036, place: 0.03, price: 0, agent: 0 }],
    ['skills', { labels: -0.036, place: 0, price: 0, agent: 0 }],
    ['not_relevant', { labels: -0.036, place: 0, price: 0, agent: 0 }],
    ['location', { labels: 0, place: -0.03, price: 0, agent: 0 }],
    ['price', { labels: 0, place: 0, price: -0.024, agent: 0 }],
    ['not_trusted', { labels: 0, place: 0, price: 0, agent: -0.1 }],
  ])('moves what %s names, and nothing else', (said, moved) => {
    const signals = answers(said, three(WITH));
    expect({
      labels: shiftOf(signals, { labels: ['crypto'] }).shift,
      place: shiftOf(signals, { geo: 'Munich, Germany' }).shift,
      price: shiftOf(signals, { price: 9_000 }).shift,
      agent: shiftOf(signals, { by: `${said}0` }).shift,
    }).toEqual(moved);
  });

  test('does not hold against another what its own listing asks for, nor its own place', () => {
    const mine = { labels: ['logo-design'], geo: 'Portland, Oregon, US' };
    expect(shiftOf([...answers('skills', three(mine)), ...answers('location', three(mine))], mine).shift).toBe(0);
    // Answers of a listing that did not ask for it are no word on one that does.
    const other = answers('skills', three(WITH)).map((signal) => ({
      ...signal,
      labels: ['logo-design'],
      own_labels: [],
    }));
    expect(shiftOf(other, mine).shift).toBe(0);
  });

  test('says nothing against a place where the work can be done from anywhere', () => {
    const declined = answers('location', three(WITH));
    expect(shiftOf(declined, { geo: 'Germany' }).shift).toBeLessThan(0);
    expect(shiftOf(declined, { geo: 'Germany, remote' }).shift).toBe(0);
    expect(answers('location', three({ geo: 'Germany, remote' })).flatMap(({ places }) => places)).toEqual([]);
  });

  test('of prices is that what was too dear makes the dearer too dear, and never the cheaper', () => {
    const dear = answers('price', [{ price: 7_000 }, { price: 8_000 }, { price: 9_000 }]);
    expect(shiftOf(dear, { price: 9_500 }).shift).toBe(-0.024);
    expect(shiftOf(dear, { price: 8_500 }).shift).toBe(0);
    expect(shiftOf(dear, { price: 1_000 }).shift).toBe(0);
    const taken = [...dear, ...answers('interested', three({ price: 10_000 }))];
    expect(shiftOf(taken, { price: 9_500 }).shift).toBe(0);
  });

  test('as a buyer is none as a seller', () => {
    const signals = answers('skills', three(WITH));
    const selling = side('offer', { by: 'me', labels: ['logo-design'] });
    expect(shiftOf(signals, WITH, selling).shift).toBe(0);
    expect(shiftOf(signals, WITH).shift).toBeLessThan(0);
  });

  test('is weighed by the answers for against those against it, and grows with their number', () => {
    const likes = (n: number) => answers('interested', Array(n).fill({ labels: ['crypto'] }));
    const declines = (n: number) => answers('skills', Array(n).fill({ labels: ['crypto'] }));
    const of = (signals: Signal[]) => shiftOf(signals, { labels: ['crypto'] }).shift;
    expect(of(likes(3))).toBeLessThan(of(likes(6)));
    expect(of(likes(60))).toBeLessThanOrEqual(TASTE_BOUNDS.label);
    expect(of([...likes(6), ...declines(3)])).toBeLessThan(of(likes(6)));
    expect(of([...likes(5), ...declines(5)])).toBe(0);
    expect(of([...likes(3), ...declines(6)])).toBeLessThan(0);
  });

  test('fades: after a half-life answers count half, and in the end nothing', () => {
    const signals = answers('skills', three(WITH));
    const after = (half_lives: number) => shiftOf(signals, WITH, MINE, NOW + half_lives * HALF_LIFE_MS).shift;
    expect(after(0)).toBe(-0.036);
    // 1.5 answers against none, and two of doubt.
    expect(after(1)).toBe(Math.round(-0.06 * (1.5 / 3.5) * 10_000) / 10_000);
    expect(after(20)).toBeCloseTo(0, 4);
  });

  test('of an agent is that agent alone, until it is trusted again or the block is taken back', () => {
    const untrusted = answers('not_trusted', [{ by: 'bad' }]);
    expect(shiftOf(untrusted, { by: 'bad' }).shift).toBe(-TASTE_BOUNDS.agent);
    expect(shiftOf(untrusted, { by: 'good' }).shift).toBe(0);
    expect(shiftOf([...untrusted, ...answers('interested', [{ by: 'bad' }], NOW + 1)], { by: 'bad' }).shift).toBe(0);
    const block = blockSignal('agent-bad', 'account-bad', NOW);
    const blocked = learn([], block.about, block);
    expect(shiftOf(blocked, { by: 'bad' }, MINE, NOW + 99 * HALF_LIFE_MS).shift).toBe(-TASTE_BOUNDS.agent);
    expect(shiftOf(learn(blocked, block.about, null), { by: 'bad' }).shift).toBe(0);
  });
});

test('no answers whatever move a pair by more than the bound, nor a kind by more than its own', () => {
  const words = fc.subarray(['logo-design', 'crypto', 'ai', 'seo'], { minLength: 1 });
  const listing = fc.record({
    by: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    labels: words,
    geo: fc.constantFrom('Germany', 'Berlin, Germany', 'US', 'Portland, Oregon, US', 'remote', ''),
    price: fc.integer({ min: 0, max: 12_000 }),
  });
  const said = fc.constantFrom<Said>(
    'interested',
    'saved',
    'skills',
    'not_relevant',
    'location',
    'price',
    'not_trusted',
  );
  const answered = fc.array(fc.tuple(said, listing), { maxLength: ANSWERS_MAX });
  fc.assert(
    fc.property(answered, listing, fc.boolean(), (given, other, isBlocked) => {
      const signals = given.flatMap(([word, about]) => answers(word, [about]));
      const block = blockSignal(`agent-${other.by}`, `account-${other.by}`, NOW);
      const { shift, parts } = shiftOf(isBlocked ? [...signals, block] : signals, other);
      expect(Math.abs(shift)).toBeLessThanOrEqual(TASTE_MAX);
      for (const part of parts) expect(Math.abs(part.shift)).toBeLessThanOrEqual(TASTE_BOUNDS[part.kind]);
    }),
    { seed: 7, numRuns: 300 },
  );
});
