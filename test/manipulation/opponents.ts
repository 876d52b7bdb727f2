// Whom the negotiator plays against: itself on the other side, or one that concedes by a plan of its own, with manipulations in it.
import { PHASES, type Phase } from '../../src/domain/conversation/conversation.ts';
import { dollars } from '../../src/domain/money/typed.ts';
import { takeTurn } from '../../src/domain/negotiation/negotiator.ts';
import type { DealSide } from '../../src/domain/negotiation/proposal.ts';
import type { Turn } from '../../src/domain/negotiation/turn.ts';
import type { OfferManipulation } from './manipulations.ts';
import { boundsOf, type Heard, type Move, type Opponent, type Side } from './talk.ts';

/** The negotiator itself, undisturbed. */
export function negotiatorAs(side: Side, opened_by_other: boolean, asked_cents: number | null): Opponent {
  const before: (Turn & { readonly phase: Phase })[] = [];
  return ({ phase, said, open }) => {
    const turn = takeTurn({
      side: side.side,
      opened_by_me: !opened_by_other,
      phase,
      listing: { headline: 'Two logos', labels: ['logo'], dealbreakers: [], cents: side.listed },
      asked_cents,
      bounds: boundsOf(side),
      agrees_alone: true,
      temper: side.temper,
      said: said.map(({ by, text }) => ({ mine: by === side.side, content: text })).reverse(),
      before: before.toReversed(),
      proposal: open && {
        mine: open.by === side.side,
        agreed: open.by === side.side,
        other_agreed: open.by !== side.side,
        amount_cents: open.amount_cents,
        terms: 'All of it.',
      },
      has_deal: false,
      known: null,
      instruction: null,
    });
    before.push({ ...turn, phase });
    return turn;
  };
}

/** How an opponent concedes: from its first price to its limit, over so many offers, along (n / last)^curve. */
export interface Plan {
  readonly side: DealSide;
  readonly begins: number;
  readonly limit: number;
  readonly offers: number;
  readonly curve: number;
}

/** The prices of a plan, in the order in which they are named. */
export function pricesOf({ begins, limit, offers, curve }: Plan): number[] {
  return Array.from({ length: offers }, (_, n) => {
    const way = offers === 1 ? 0 : (n / (offers - 1)) ** curve;
    return Math.round(begins + (limit - begins) * way);
  });
}

const toward = (side: DealSide, price: number, times: number): number =>
  Math.max(1, Math.round(side === 'seller' ? price * times : price / times));

/** The prices of a plan as a manipulation changes them. */
export function manipulated(plan: Plan, by: OfferManipulation): number[] {
  const prices = pricesOf(plan);
  switch (by.kind) {
    case 'anchor':
      return prices.map((price, n) => (n < by.offers ? toward(plan.side, price, by.times) : price));
    case 'split':
      return prices.flatMap((price, n) => {
        const next = n === by.from ? (prices[n + 1] ?? price) : price;
        if (next === price) return [price];
        return Array.from({ length: by.parts }, (_, part) => Math.round(price + ((next - price) * part) / by.parts));
      });
    case 'repeat': {
      const nearer = plan.side === 'seller' ? -by.apart_cents : by.apart_cents;
      return prices.flatMap((price, n) =>
        n === by.from ? Array.from({ length: by.times + 1 }, (_, again) => price + nearer * again) : [price],
      );
    }
    case 'retract':
      return prices.flatMap((price, n) =>
        n === by.from ? [price, toward(plan.side, price, 1 + by.share), price] : [price],
      );
    case 'probe':
      return prices;
  }
}

/** One that names these prices, takes what is as good as its next, and agrees to a proposal of the price that it would take. */
export function byPlan(plan: Plan, prices: readonly number[], probes: readonly number[] = []): Opponent {
  let made = 0;
  const good = (cents: number, than: number): boolean => (plan.side === 'seller' ? cents >= than : cents <= than);
  const priced = (price: number): Move => ({
    action: 'say',
    text: plan.side === 'seller' ? `I ask ${dollars(price)}.` : `I could pay ${dollars(price)}.`,
    to: 'negotiation',
    amount_cents: price,
  });
  return ({ phase, said, open }: Heard): Move => {
    const next = prices[Math.min(made, prices.length - 1)] ?? plan.limit;
    const last =
      said.findLast(({ by, amount_cents }) => by !== plan.side && amount_cents !== null)?.amount_cents ?? null;
    if (open && open.by !== plan.side) {
      const taken = prices[made - 1];
      if (good(open.amount_cents, next) || open.amount_cents === taken)
        return { action: 'approve', text: '', to: 'proposal', amount_cents: open.amount_cents };
    }
    if (last !== null && made > 0 && good(last, next))
      return { action: 'propose', text: `Proposal: ${dollars(last)}`, to: 'proposal', amount_cents: last };
    const opening = PHASES.indexOf(phase) < PHASES.indexOf('negotiation') && last === null;
    if (opening && said.length < 6)
      return { action: 'say', text: 'That suits us, yes.', to: phase, amount_cents: null };
    const probe = probes[made];
    made += 1;
    if (made > prices.length + 2) return { action: 'close', text: '', to: 'closing', amount_cents: null };
    if (probe !== undefined) {
      return { action: 'propose', text: `Proposal: ${dollars(probe)}`, to: 'proposal', amount_cents: probe };
    }
    return priced(next);
  };
}
