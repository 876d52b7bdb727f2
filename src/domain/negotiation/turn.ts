// The actions of an agent's turn, and the explanation for its owner: the facts, the rule, and the distance to its bound. Explanations name
// limits, so the other side never sees them.
import type { Bounds } from '../agent/bounds.ts';
import type { Phase } from '../conversation/conversation.ts';
import { type Guidance, guide, type NextStep, step } from '../next-step.ts';
import type { Temper } from './bargain.ts';
import type { Goals } from './goal.ts';
import type { Issue } from './issue.ts';
import type { Preferences } from './package.ts';
import type { DealSide, Proposed } from './proposal.ts';

/** The action of a turn. */
export type TurnAction = 'say' | 'propose' | 'approve' | 'wait' | 'close';

/** The rules of the built-in negotiator, and those of turns by a model. */
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
  | 'holds_offer'
  | 'asks_better'
  | 'compares'
  | 'chooses'
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
  /** The model of the turn; null where the rules decided. */
  readonly model: string | null;
  /** The stored question and answer of the model, whether or not it became the turn. */
  readonly model_call_id?: string | null;
}

/** The facts of an agent's own listing for its turns. */
export interface OwnListing {
  readonly headline: string;
  readonly labels: readonly string[];
  readonly dealbreakers: readonly string[];
  /** The price or budget of the whole; null also for one by hour or month, which says nothing about the whole. */
  readonly cents: number | null;
}

export interface SaidBefore {
  readonly mine: boolean;
  readonly content: string;
  /** `text` by default. System messages and closed proposals name no price. */
  readonly kind?: 'text' | 'proposal' | 'system';
}

export interface TurnFacts {
  /** Null where it is unknown who sells. */
  readonly side: DealSide | null;
  readonly opened_by_me: boolean;
  readonly phase: Phase;
  readonly listing: OwnListing | null;
  /** The highest price of the whole in the other side's listing, which a buyer never exceeds. */
  readonly asked_cents: number | null;
  readonly bounds: Partial<Bounds>;
  /** Whether it may approve without its person here, within its bounds. */
  readonly agrees_alone: boolean;
  readonly temper: Temper;
  /** What the owner set for the listing; absent, as null, where nothing is set. */
  readonly goals?: Goals | null;
  /** The same as a scale; absent, as null, where it bargains over the price alone. */
  readonly scale?: Preferences | null;
  /** Newest first. */
  readonly said: readonly SaidBefore[];
  /** The earlier automatic turns of this conversation, newest first. */
  readonly before: readonly Pick<TurnReasons, 'action' | 'rule' | 'phase'>[];
  /** The open proposal: its side, and whether this side has approved it. */
  readonly proposal: {
    readonly mine: boolean;
    readonly agreed: boolean;
    /** Whether the other side has approved it, and the approval is still valid. */
    readonly other_agreed: boolean;
    readonly amount_cents: number;
    readonly terms: string;
    /** None unless said. */
    readonly issues?: readonly Issue[];
    /** Whether this side compares it with others. */
    readonly held?: boolean;
    /** Whether the other side's last message says that it has a better offer. The service says so, never the text. */
    readonly outbid?: boolean;
  } | null;
  /** Absent, as null, where the own listing gives no time to compare. */
  readonly compare?: Comparing | null;
  readonly has_deal: boolean;
  /** Public knowledge that answers the other side's last messages. */
  readonly known: string | null;
  /** The owner's instruction for this turn. */
  readonly instruction: string | null;
}

/** What an agent has to choose from, for one listing. */
export interface Comparing {
  /** When it decides; of the first acceptable proposal, from now on. */
  readonly decides_at: number;
  /** Whether that time has come. */
  readonly due: boolean;
  /** The best amount in another talk; null without one. */
  readonly elsewhere_cents: number | null;
  /** The best in another talk by its owner's scale; absent, as null, without one or without a scale. */
  readonly elsewhere_score?: number | null;
  /** Whether this talk's proposal is the best of all. */
  readonly is_best: boolean;
  /** Whether a proposal elsewhere was chosen, and waits for the other side or for its payment. */
  readonly chosen_elsewhere: boolean;
}

export interface Turn {
  readonly action: TurnAction;
  readonly rule: TurnRule;
  /** The message to the other side; empty without one. */
  readonly text: string;
  /** The phase that the turn leads towards. */
  readonly to: Phase;
  readonly amount_cents: number | null;
  readonly milestones: readonly Proposed[];
  readonly issues: readonly Issue[];
}

// The next call after a turn that left a decision to the person or to the other side.

/** The next call after a waiting turn; null where there is nothing to do. */
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
    case 'compares':
      return guide`It compares what is proposed and decides at the time that ${step('proposal.list')} names; its person may approve one before.`;
    case 'awaits_their_yes':
      return 'It agrees to the proposal once the other side has.';
    default:
      return null;
  }
}
