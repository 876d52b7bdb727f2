// The journals by which money comes into an escrow and goes out again, as their ids are made. A journal's id is that of its receipt.

/** Puts the money in. */
export function fundingJournal(escrow_id: string): string {
  return `escrow:${escrow_id}`;
}

/** Pays one milestone out. */
export function releaseJournal(milestone_id: string): string {
  return `release:${milestone_id}`;
}

/** Each happens to an escrow once: its seller or its terms give back, or a dispute ends. */
export const CLOSINGS = ['refund', 'expire', 'settle'] as const;

/** Gives back what is left, or shares it out. */
export function closingJournal(closing: (typeof CLOSINGS)[number], escrow_id: string): string {
  return `${closing}:${escrow_id}`;
}

/** What of a milestone says how it ended. */
export interface EndedMilestone {
  readonly id: string;
  readonly escrow_id: string;
  readonly status: 'held' | 'released' | 'refunded' | 'settled';
  readonly ended_by: string | null;
}

/** The journal that ended a milestone; null while it is held. */
export function endingJournal({ id, escrow_id, status, ended_by }: EndedMilestone): string | null {
  switch (status) {
    case 'held':
      return null;
    case 'released':
      return releaseJournal(id);
    case 'refunded':
      return closingJournal(ended_by === 'terms' ? 'expire' : 'refund', escrow_id);
    case 'settled':
      return closingJournal('settle', escrow_id);
  }
}
