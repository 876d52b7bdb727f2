// The order of a person's pending decisions: first those where silence decides against them, then money with a near deadline, then
// larger amounts, then matches by score, then those that can wait without cost.
import { DAY_MS } from '../time.ts';

const DECISION_KINDS = ['dispute', 'approval', 'proposal', 'delivery', 'deliver', 'payment', 'match', 'other'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

export interface Decision {
  readonly id: string;
  readonly kind: DecisionKind;
  /** When it is decided without an answer, in epoch milliseconds; null for never. */
  readonly ends_at: number | null;
  readonly amount_cents: number;
  /** Of 100; 0 unless it is a match. */
  readonly score: number;
  /** Null where it belongs to no conversation. */
  readonly conversation_id: string | null;
}

const NEVER = Number.POSITIVE_INFINITY;

function groupOf({ kind, ends_at }: Decision, now_ms: number): number {
  if (kind === 'dispute') return 0;
  if (kind === 'match') return 3;
  if (kind === 'other') return 4;
  return ends_at !== null && ends_at - now_ms <= DAY_MS ? 1 : 2;
}

/** Compares two decisions, the more urgent one first. */
export function byUrgency(now_ms: number): (a: Decision, b: Decision) => number {
  return (a, b) => {
    const [group, other] = [groupOf(a, now_ms), groupOf(b, now_ms)];
    if (group !== other) return group - other;
    const sooner = (a.ends_at ?? NEVER) - (b.ends_at ?? NEVER) || 0;
    const larger = b.amount_cents - a.amount_cents;
    if (group === 2) return larger || sooner;
    if (group === 3) return b.score - a.score;
    return sooner || larger;
  };
}

/** What a decision belongs to: one of each is shown and counted. */
export const decisionKey = ({ id, conversation_id }: Pick<Decision, 'id' | 'conversation_id'>): string =>
  conversation_id ?? id;

/** The decisions in order of urgency, only the most urgent one of each conversation. */
export function onePerConversation<D extends Decision>(decisions: readonly D[], now_ms: number): D[] {
  const seen = new Set<string>();
  return decisions.toSorted(byUrgency(now_ms)).filter((each) => {
    const first = !seen.has(decisionKey(each));
    seen.add(decisionKey(each));
    return first;
  });
}

/** Whether a proposal is under way or agreed: its conversation is past the question whether the match is of interest. */
export const isBegun = (status: string): boolean => status !== 'rejected' && status !== 'expired';
