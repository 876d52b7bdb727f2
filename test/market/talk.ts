// A talk of the built-in negotiator with a strategy that is not its own, by words alone: what it hears are sentences with prices, and it is
// the same pure rule that takes the turns of agents in the service.
import { PHASES, type Phase } from '../../src/domain/conversation/conversation.ts';
import { dollars } from '../../src/domain/money/typed.ts';
import type { Temper } from '../../src/domain/negotiation/bargain.ts';
import { takeTurn } from '../../src/domain/negotiation/negotiator.ts';
import { OFFERS_MAX, TURNS_MAX } from '../../src/domain/negotiation/pace.ts';
import type { DealSide } from '../../src/domain/negotiation/proposal.ts';
import type { Turn, TurnFacts } from '../../src/domain/negotiation/turn.ts';
import type { Strategy, Wish } from './strategies.ts';

interface Word {
  readonly by: DealSide;
  readonly text: string;
}

interface Standing {
  readonly by: DealSide;
  readonly cents: number;
}

export interface Talk {
  readonly said: Word[];
  phase: Phase;
  proposal: Standing | null;
  over: boolean;
  price: number | null;
}

/** A side of a talk: it speaks when it is its turn. */
export type Player = (talk: Talk) => void;

export interface Ours extends Wish {
  readonly temper: Temper;
  /** The price of its listing; null without one. */
  readonly listed: number | null;
  /** The price of the other side's listing. */
  readonly asked: number | null;
}

const step = (from: Phase, to: Phase): Phase => {
  const [at, goal] = [PHASES.indexOf(from), PHASES.indexOf(to)];
  return PHASES[at + Math.sign(goal - at)] ?? from;
};

/** The built-in negotiator as one side. */
export function ours({ side, limit, listed, asked, temper }: Ours, opens: boolean): Player {
  const before: { turn: Turn; phase: Phase }[] = [];
  const bounds: TurnFacts['bounds'] = side === 'buyer' ? { max_pay_cents: limit } : { min_charge_cents: limit };
  return (talk) => {
    const { phase, proposal } = talk;
    const turn = takeTurn({
      side,
      opened_by_me: opens,
      phase,
      listing: { headline: 'Two logos', labels: ['logo'], dealbreakers: [], cents: listed },
      asked_cents: asked,
      bounds: { ...bounds, auto_approve_below_cents: Number.MAX_SAFE_INTEGER },
      agrees_alone: true,
      temper,
      said: talk.said.map(({ by, text }) => ({ mine: by === side, content: text })).reverse(),
      before: before.map((made) => ({ ...made.turn, phase: made.phase })).reverse(),
      proposal: proposal && {
        mine: proposal.by === side,
        agreed: false,
        other_agreed: proposal.by !== side,
        amount_cents: proposal.cents,
        terms: '',
      },
      has_deal: false,
      known: null,
      instruction: null,
    });
    if (turn.action === 'approve') {
      talk.over = true;
      talk.price = proposal?.cents ?? null;
      return;
    }
    before.push({ turn, phase });
    talk.said.push({ by: side, text: turn.text });
    if (turn.action === 'close' || turn.action === 'wait') talk.over = true;
    if (turn.action === 'propose') talk.proposal = { by: side, cents: turn.amount_cents ?? 0 };
    talk.phase = step(phase, turn.to);
  };
}

/** Sentences in which others name a price. */
const NAMES = [
  (amount: string): string => `I could do ${amount}.`,
  (amount: string): string => `What about ${amount}?`,
  (amount: string): string => `My offer is ${amount}, would that work?`,
  (amount: string): string => `Let us say ${amount}.`,
] as const;

const OPENING = 3;

/** Whether a price is at least as good for a side as another. */
const isAsGood = (side: DealSide, cents: number, as: number): boolean => (side === 'buyer' ? cents <= as : cents >= as);

/** A strategy as one side. It accepts what is as good as its next offer (Baarslag's AC_next); at its last what is within its limit. */
export function other(
  strategy: Strategy,
  wish: Wish,
  random: () => number,
  priceIn: (text: string) => number | null,
): Player {
  const mine: number[] = [];
  const theirs: number[] = [];
  let heard = 0;
  let spoken = 0;
  return (talk) => {
    for (const { by, text } of talk.said.slice(heard)) {
      const price = by === wish.side ? null : priceIn(text);
      if (price !== null) theirs.push(price);
    }
    heard = talk.said.length;
    const say = (text: string): void => void talk.said.push({ by: wish.side, text });
    const standing = talk.proposal && talk.proposal.by !== wish.side ? talk.proposal.cents : null;
    const named = standing ?? theirs.at(-1) ?? null;
    if (spoken < OPENING && named === null) {
      spoken += 1;
      say('Yes, that fits.');
      return;
    }
    const last = mine.length >= OFFERS_MAX;
    const next = last ? wish.limit : strategy({ wish, mine, theirs, offers: OFFERS_MAX, random });
    if (named !== null && isAsGood(wish.side, named, next)) {
      if (standing !== null) [talk.over, talk.price] = [true, standing];
      else talk.proposal = { by: wish.side, cents: named };
      say(`Agreed: ${dollars(named)}.`);
      return;
    }
    if (last) {
      talk.over = true;
      say('Then we do not come together.');
      return;
    }
    mine.push(next);
    say((NAMES[mine.length % NAMES.length] ?? NAMES[0])(dollars(next)));
  };
}

/** Plays a talk to its end and gives the agreed price; null without one. */
export function play(first: Player, second: Player): { price: number | null; messages: number } {
  const talk: Talk = { said: [], phase: 'qualification', proposal: null, over: false, price: null };
  for (let n = 0; n < 4 * TURNS_MAX && !talk.over; n += 1) (n % 2 === 0 ? first : second)(talk);
  return { price: talk.price, messages: talk.said.length };
}
