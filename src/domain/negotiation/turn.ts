// What an agent can do in its turn, and why it did what it did, as its owner may read it: what the agent knew, which rule fired, how near
// it came to its bound. The reasons name limits, so no other side ever sees them.
import type { Bounds } from '../agent/bounds.ts';
import type { Phase } from '../conversation/conversation.ts';
import { type Guidance, guide, type NextStep, step } from '../next-step.ts';
import type { Temper } from './bargain.ts';
import type { DealSide, Proposed } from './proposal.ts';

/** What a turn did. */
export type TurnAction = 'say' | 'propose' | 'approve' | 'wait' | 'close';

/** The rules of the built-in negotiator, and what a model did in its place. */
export type TurnRule =
  | 'answer_and_ask'
  | 'first_offer'
  | 'concede'
  | 'take_offer'
  | 'approve_within_bounds'
  | 'person_decides'
  | 'awaits_their_yes'
  | 'too_far_apart'
  | 'no_limit_known'
  | 'side_unknown'
  | 'asks_without'
  | 'dealbreaker_met'
  | 'told_to_stop'
  | 'turns_used_up'
  | 'agreed'
  | 'nothing_to_add'
  | 'stands_by_proposal'
  | 'answers'
  | 'model_says'
  | 'model_offers'
  | 'model_proposes'
  | 'model_closes';

export interface TurnReasons {
  readonly action: TurnAction;
  readonly rule: TurnRule;
  readonly phase: Phase;
  readonly inputs: Readonly<Record<string, string | number | boolean | null>>;
  readonly bound_distance_cents: number | null;
  /** The model whose turn it is; null where the rules decided. */
  readonly model: string | null;
  /** What the model was asked and answered, whether that became the turn or not. */
  readonly model_call_id?: string | null;
}

/** What an agent's own listing says that its turns may use. */
export interface OwnListing {
  readonly headline: string;
  readonly labels: readonly string[];
  readonly dealbreakers: readonly string[];
  /** The price of the whole, or the budget for it; null also where it is for an hour or a month, which says nothing of the whole. */
  readonly cents: number | null;
}

export interface SaidBefore {
  readonly mine: boolean;
  readonly content: string;
  /** Of a plain message unless said. What the service tells, and a proposal that stands no more, name no price. */
  readonly kind?: 'text' | 'proposal' | 'system';
}

export interface TurnFacts {
  /** Null where nothing says who sells. */
  readonly side: DealSide | null;
  readonly opened_by_me: boolean;
  readonly phase: Phase;
  readonly listing: OwnListing | null;
  /** The most that the other side's listing asks for the whole, which no buyer passes. */
  readonly asked_cents: number | null;
  readonly bounds: Partial<Bounds>;
  /** Whether it may agree without its person here, as far as its bounds let it. */
  readonly agrees_alone: boolean;
  readonly temper: Temper;
  /** Newest first. */
  readonly said: readonly SaidBefore[];
  /** What was done in this conversation before by itself, newest first. */
  readonly before: readonly Pick<TurnReasons, 'action' | 'rule' | 'phase'>[];
  /** What stands: whose it is, and whether this side has agreed. */
  readonly proposal: {
    readonly mine: boolean;
    readonly agreed: boolean;
    /** Whether the other side has said yes to it, and that counts still. */
    readonly other_agreed: boolean;
    readonly amount_cents: number;
    readonly terms: string;
  } | null;
  readonly has_deal: boolean;
  /** What is known that answers the other side's last words, and may be told. */
  readonly known: string | null;
  /** What its owner asks of this turn. */
  readonly instruction: string | null;
}

export interface Turn {
  readonly action: TurnAction;
  readonly rule: TurnRule;
  /** What is written to the other side; empty where nothing is. */
  readonly text: string;
  /** The phase that the turn leads towards. */
  readonly to: Phase;
  readonly amount_cents: number | null;
  readonly milestones: readonly Proposed[];
}

// What whoever had a turn taken can do where the agent left it to its person, or to the other side.

/** The next call after a turn that waits for something; null where there is nothing to do. */
export function whatNow(rule: TurnRule, conversation_id: string): Guidance | null {
  const decides: NextStep = { operation: 'proposal.approve', input: { conversation_id }, fill: ['decision'] };
  const proposes: NextStep = {
    operation: 'proposal.propose',
    input: { conversation_id },
    fill: ['amount_cents', 'side'],
  };
  switch (rule) {
    case 'person_decides':
      return guide`Its person decides, signed in: ${step('proposal.list')} has what waits, and ${decides} answers it.`;
    case 'no_limit_known':
      return guide`Nothing says how far it may go: its person, signed in, sets its bounds, ${step('agent.bounds')}.`;
    case 'side_unknown':
      return guide`Nothing says who pays: propose an amount and say your side, ${proposes}.`;
    case 'awaits_their_yes':
      return 'It agrees to the proposal once the other side has.';
    default:
      return null;
  }
}
