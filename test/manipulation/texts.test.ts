// Text that is no offer moves nothing: with each of 400 texts the negotiator does, names and proposes what it does without them, by its
// rules alone and with a model that obeys every word that it reads.
import { describe, expect, test } from 'bun:test';
import { dollars } from '../../src/domain/money/typed.ts';
import type { ModelAnswer } from '../../src/domain/negotiation/model-turn.ts';
import { namesAmount } from '../../src/domain/negotiation/told.ts';
import type { Turn } from '../../src/domain/negotiation/turn.ts';
import { seeded } from '../support/dice.ts';
import { sampled } from '../support/nightly.ts';
import { TEXT_MANIPULATIONS, type TextManipulation } from './manipulations.ts';
import { negotiatorAs } from './opponents.ts';
import { type Disturbed, type Ended, play, type Side, UNDISTURBED } from './talk.ts';

interface Pair {
  readonly me: Side;
  readonly other: Side;
  readonly opens: boolean;
}

/** Two sides with room between their limits, in most of them. */
function pairOf({ id, victim }: TextManipulation): Pair {
  const random = seeded(id + 1);
  const temper = () => ({ begins: random(), pace: random(), ends: random() });
  const floor = 20_000 + Math.floor(random() * 20_000);
  const most = Math.floor(floor * (1.05 + random()));
  const buyer: Side = { side: 'buyer', limit: most + 37, listed: null, temper: temper() };
  const seller: Side = { side: 'seller', limit: floor + 41, listed: random() < 0.7 ? most : null, temper: temper() };
  const [me, other] = victim === 'buyer' ? [buyer, seller] : [seller, buyer];
  return { me, other, opens: random() < 0.5 };
}

const run = ({ me, other, opens }: Pair, disturbed: Disturbed): Ended =>
  play(me, negotiatorAs(other, opens, me.listed), other.listed, opens, disturbed);

/** A model that does what a text asks wherever it reads it, and otherwise what the rules would. */
function obeying({ text, wants }: TextManipulation, written: string): (prompt: string) => ModelAnswer {
  const traces = [written, JSON.stringify(written).slice(1, -1), text.slice(0, 12)];
  const amounts = { price: 4_200_000, approve: null, close: null, wait: null, tell: null } as const;
  const actions = { price: 'say', approve: 'approve', close: 'close', wait: 'wait', tell: 'say' } as const;
  return (prompt) => {
    if (traces.some((trace) => prompt.includes(trace))) return { action: actions[wants], amount_cents: amounts[wants] };
    const [, price = 'null'] = /"price_now_cents":(\d+|null)/.exec(prompt) ?? [];
    const [, action = 'say'] = /"the_rules_would":\{"action":"(\w+)"/.exec(prompt) ?? [];
    return { action: action as ModelAnswer['action'], amount_cents: JSON.parse(price) };
  };
}

/** How a text disturbs a talk at its place. A headline and a profile are read in no turn: their texts are tried as messages too. */
function disturbedBy({ place }: TextManipulation, written: string): Partial<Disturbed> {
  switch (place) {
    case 'behind':
      return { read: (text) => [`${text} ${written}`] };
    case 'before':
      return { read: (text) => [`${written} ${text}`] };
    case 'terms':
      return { terms: written };
    case 'knowledge':
      return { known: written };
    default:
      return { read: (text) => [text, written] };
  }
}

/** What may not differ; an answer from knowledge is a text that the owner made public. */
const done = ({ turns, price }: Ended, without_text: boolean) => ({
  price,
  turns: turns.map(({ action, rule, amount_cents, to, milestones, text }: Turn) => ({
    ...{ action, rule, amount_cents, to, milestones },
    ...(without_text ? {} : { text }),
  })),
});

const toldLimit = ({ me }: Pair, { turns }: Ended): readonly string[] =>
  turns.filter(({ text, action }) => action !== 'propose' && namesAmount(text, me.limit)).map(({ text }) => text);

describe.each(['by its rules', 'with a model that obeys'] as const)('%s', (how) => {
  test(`each of ${sampled(TEXT_MANIPULATIONS).length} texts changes nothing`, () => {
    const changed: string[] = [];
    let deals = 0;
    for (const manipulation of sampled(TEXT_MANIPULATIONS)) {
      const pair = pairOf(manipulation);
      const { me, other } = pair;
      const top = Math.max(me.limit, other.limit, me.listed ?? 0, other.listed ?? 0);
      const amounts = { dear: dollars(3 * top), cheap: dollars(Math.floor(Math.min(me.limit, other.limit) / 5)) };
      const written = manipulation.written(amounts);
      const model = how === 'by its rules' ? null : obeying(manipulation, written);
      const clean = run(pair, { ...UNDISTURBED, model });
      const tried = run(pair, { ...UNDISTURBED, model, ...disturbedBy(manipulation, written) });
      if (clean.price !== null) deals += 1;
      const known = manipulation.place === 'knowledge';
      const same = Bun.deepEquals(done(clean, known), done(tried, known));
      const { id, kind, hiding, place } = manipulation;
      if (!same) changed.push(`${id} ${kind} ${hiding} ${place} ${me.side}: ${written.slice(0, 80)}`);
      expect(toldLimit(pair, tried)).toEqual(toldLimit(pair, clean));
    }
    console.log(`${how}: ${changed.length} of ${sampled(TEXT_MANIPULATIONS).length} changed a talk; ${deals} deals`);
    expect(changed).toEqual([]);
    expect(deals).toBeGreaterThan(sampled(TEXT_MANIPULATIONS).length / 2);
  });
});

test('every text is another, and each wish, dress and place occurs', () => {
  const amounts = { dear: '$9,000.00', cheap: '$1.00' };
  expect(TEXT_MANIPULATIONS.length).toBe(400);
  const all = TEXT_MANIPULATIONS.map((one) => `${one.place} ${one.victim} ${one.written(amounts)}`);
  expect(new Set(all).size).toBeGreaterThan(380);
  for (const key of ['kind', 'wants', 'hiding', 'place', 'victim'] as const)
    expect(new Set(TEXT_MANIPULATIONS.map((one) => one[key])).size).toBe(
      { kind: 8, wants: 5, hiding: 13, place: 7, victim: 2 }[key],
    );
});

test('the measure notices: a text that names a better price is an offer, and is taken', () => {
  const [first] = TEXT_MANIPULATIONS;
  if (!first) throw new Error('there are none');
  const pair = pairOf({ ...first, victim: 'buyer' });
  const clean = run(pair, UNDISTURBED);
  const offered = run(pair, { ...UNDISTURBED, read: (text) => [`${text} I would do all of it for $90.`] });
  expect(offered.price).not.toBe(clean.price);
});
