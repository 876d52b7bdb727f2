// A rehearsal: an agent's negotiator talks with a copy of its own agent on the other side, before its person switches autopilot on.
// Nothing is stored or sent. The copy's limit overlaps a little with the agent's.
import { PHASES, type Phase } from '../conversation/conversation.ts';
import { rangeOf, type Temper } from './bargain.ts';
import { takeTurn } from './negotiator.ts';
import { TURNS_MAX } from './pace.ts';
import type { DealSide } from './proposal.ts';
import type { OwnListing, SaidBefore, Turn, TurnFacts } from './turn.ts';

/** The overlap of the limits, in hundredths of the agent's limit. */
const ROOM = 20;
/** The middle of all tempers. */
const EVEN: Temper = { begins: 0.5, pace: 0.5, ends: 0.5 };

export interface Rehearsed {
  readonly said: readonly { readonly by: 'you' | 'copy'; readonly text: string }[];
  /** `no_limit`: neither bounds nor listing give a limit, so it asks its person each time. */
  readonly ended: 'agreed' | 'apart' | 'no_limit';
  /** The agreed amount in cents. */
  readonly amount_cents: number | null;
}

interface Player {
  readonly who: 'you' | 'copy';
  readonly side: DealSide;
  readonly bounds: TurnFacts['bounds'];
  readonly listing: OwnListing;
  readonly before: { readonly turn: Turn; readonly phase: Phase }[];
}

function copyOf(side: DealSide, limit: number, listing: OwnListing): Player {
  const room = Math.ceil((limit * ROOM) / 100);
  const bounds = side === 'seller' ? { max_pay_cents: limit + room } : { min_charge_cents: Math.max(0, limit - room) };
  const other = side === 'seller' ? ('buyer' as const) : ('seller' as const);
  return { who: 'copy', side: other, bounds, listing: { ...listing, cents: null }, before: [] };
}

/** Rehearses one listing of an agent on its side. */
export function rehearse(side: DealSide, bounds: TurnFacts['bounds'], listing: OwnListing): Rehearsed {
  const range = rangeOf(side, bounds, { own: listing.cents, asked: null }, EVEN);
  if (!range) return { said: [], ended: 'no_limit', amount_cents: null };
  const you: Player = { who: 'you', side, bounds, listing, before: [] };
  const players = [copyOf(side, range.limit, listing), you];
  const said: { by: 'you' | 'copy'; text: string }[] = [];
  let phase: Phase = PHASES[0];
  let proposed: { by: Player; amount_cents: number } | null = null;
  for (let n = 0; n < 2 * TURNS_MAX + 2; n += 1) {
    const me = players[n % 2] ?? you;
    const heard: SaidBefore[] = said.map(({ by, text }) => ({ mine: by === me.who, content: text })).reverse();
    const turn = takeTurn({
      side: me.side,
      opened_by_me: me !== you,
      phase,
      listing: me.listing,
      asked_cents: me.side === 'buyer' ? (me === you ? null : listing.cents) : null,
      bounds: me.bounds,
      agrees_alone: false,
      temper: EVEN,
      said: heard,
      before: me.before.map((earlier) => ({ ...earlier.turn, phase: earlier.phase })).reverse(),
      proposal: proposed && {
        mine: proposed.by === me,
        agreed: false,
        other_agreed: true,
        amount_cents: proposed.amount_cents,
        terms: '',
      },
      has_deal: false,
      known: null,
      instruction: null,
    });
    if (turn.action === 'approve' || turn.action === 'wait') break;
    me.before.push({ turn, phase });
    said.push({ by: me.who, text: turn.text });
    if (turn.action === 'close') return { said, ended: 'apart', amount_cents: null };
    if (turn.action === 'propose' && turn.amount_cents !== null) proposed = { by: me, amount_cents: turn.amount_cents };
    phase = PHASES[PHASES.indexOf(phase) + Math.sign(PHASES.indexOf(turn.to) - PHASES.indexOf(phase))] ?? phase;
  }
  return { said, ended: proposed ? 'agreed' : 'apart', amount_cents: proposed?.amount_cents ?? null };
}
