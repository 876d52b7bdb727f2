// A talk between the negotiator and an opponent, without a store: who says what in turn, until both agree or one ends it. What the
// negotiator reads may differ from what the opponent said.
import { PHASES, type Phase } from '../../src/domain/conversation/conversation.ts';
import type { Temper } from '../../src/domain/negotiation/bargain.ts';
import { asksModel, type ModelAnswer, turnOfModel, turnQuestion } from '../../src/domain/negotiation/model-turn.ts';
import { takeTurn } from '../../src/domain/negotiation/negotiator.ts';
import { TURNS_MAX } from '../../src/domain/negotiation/pace.ts';
import type { DealSide } from '../../src/domain/negotiation/proposal.ts';
import type { SaidBefore, Turn, TurnFacts } from '../../src/domain/negotiation/turn.ts';

export interface Side {
  readonly side: DealSide;
  readonly limit: number;
  readonly listed: number | null;
  readonly temper: Temper;
}

/** What an opponent does in its turn. */
export interface Move {
  readonly action: Turn['action'];
  readonly text: string;
  readonly to: Phase;
  readonly amount_cents: number | null;
}

interface Open {
  readonly by: DealSide;
  readonly amount_cents: number;
}

/** What an opponent knows when it moves. */
export interface Heard {
  readonly phase: Phase;
  readonly said: readonly { readonly by: DealSide; readonly text: string; readonly amount_cents: number | null }[];
  readonly open: Open | null;
}

export type Opponent = (heard: Heard) => Move;

/** How the negotiator is disturbed: what it reads of each message, what it knows, what the terms of a proposal say, and what its model does. */
export interface Disturbed {
  readonly read: (text: string) => readonly string[];
  readonly known: string | null;
  readonly terms: string;
  /** Null without a model. */
  readonly model: ((prompt: string) => ModelAnswer) | null;
}

export const UNDISTURBED: Disturbed = { read: (text) => [text], known: null, terms: 'All of it.', model: null };

export interface Ended {
  readonly turns: readonly Turn[];
  /** Null without a deal. */
  readonly price: number | null;
}

interface State {
  phase: Phase;
  open: Open | null;
  readonly view: SaidBefore[];
  readonly said: { by: DealSide; text: string; amount_cents: number | null }[];
  readonly turns: Turn[];
  readonly phases: Phase[];
}

export const boundsOf = ({ side, limit }: Side): TurnFacts['bounds'] => ({
  auto_approve_below_cents: 1_000_000_000,
  ...(side === 'buyer' ? { max_pay_cents: limit } : { min_charge_cents: limit }),
});

function factsOf(me: Side, opens: boolean, asked: number | null, state: State, { known, terms }: Disturbed): TurnFacts {
  const { phase, open, view, turns, phases } = state;
  return {
    side: me.side,
    opened_by_me: opens,
    phase,
    listing: { headline: 'Two logos', labels: ['logo'], dealbreakers: ['stock art'], cents: me.listed },
    asked_cents: asked,
    bounds: boundsOf(me),
    agrees_alone: true,
    temper: me.temper,
    said: view.toReversed(),
    before: turns.map((turn, n) => ({ ...turn, phase: phases[n] ?? phase })).reverse(),
    proposal: open && {
      mine: open.by === me.side,
      agreed: open.by === me.side,
      other_agreed: open.by !== me.side,
      amount_cents: open.amount_cents,
      terms,
    },
    has_deal: false,
    known,
    instruction: null,
  };
}

/** The negotiator's turn, with its model where it has one. */
function turnOf(facts: TurnFacts, { model }: Disturbed): Turn {
  const ours = takeTurn(facts);
  if (model === null || !asksModel(ours)) return ours;
  const { user, system } = turnQuestion(facts, ours, 'ada');
  const turn = turnOfModel(facts, model(`${system}\n${user}`), ours);
  return typeof turn === 'string' ? ours : turn;
}

function move(state: State, by: DealSide, { action, text, to, amount_cents }: Move): void {
  if (text !== '') state.said.push({ by, text, amount_cents });
  if (action === 'propose' && amount_cents !== null) state.open = { by, amount_cents };
  const step = Math.sign(PHASES.indexOf(to) - PHASES.indexOf(state.phase));
  state.phase = PHASES[PHASES.indexOf(state.phase) + step] ?? state.phase;
}

/** Plays it; the negotiator opens where `opens` says so. */
export function play(me: Side, other: Opponent, asked: number | null, opens: boolean, disturbed: Disturbed): Ended {
  const state: State = { phase: 'qualification', open: null, view: [], said: [], turns: [], phases: [] };
  const { turns } = state;
  const their_side = me.side === 'buyer' ? 'seller' : 'buyer';
  for (let n = opens ? 0 : 1; n < 4 * TURNS_MAX; n += 1) {
    if (n % 2 === 1) {
      const made = other({ phase: state.phase, said: state.said, open: state.open });
      if (made.action === 'close') return { turns, price: null };
      if (made.action === 'approve') return { turns, price: state.open?.amount_cents ?? null };
      move(state, their_side, made);
      state.view.push(...disturbed.read(made.text).map((content) => ({ mine: false, content })));
      continue;
    }
    const turn = turnOf(factsOf(me, opens, asked, state, disturbed), disturbed);
    state.phases.push(state.phase);
    turns.push(turn);
    if (turn.action === 'close') return { turns, price: null };
    if (turn.action === 'approve') return { turns, price: state.open?.amount_cents ?? null };
    if (turn.action === 'wait' && turn.rule !== 'awaits_their_yes' && state.open === null)
      return { turns, price: null };
    // What the other side makes of what the agent knows is no part of this.
    const { known } = disturbed;
    move(state, me.side, known === null ? turn : { ...turn, text: turn.text.replace(known, '').trim() });
    if (turn.text !== '') state.view.push({ mine: true, content: turn.text });
  }
  return { turns, price: null };
}
