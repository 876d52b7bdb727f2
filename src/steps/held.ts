// The work that waits since the database was restored from a backup, with its amount of money.
import {
  chargeCentsBefore,
  fundingCentsBefore,
  inboxesBefore,
  payoutCentsBefore,
  remindersBefore,
  sendsBefore,
} from '../../db/queries/held.ts';
import type { Read } from '../../db/store.ts';
import { FOLLOW_FUNDING, FOLLOW_PAYOUT } from './money/follow.ts';
import { CHARGE } from './subscription/course.ts';

/** Work of one kind, all due before one time; a reminder's kind is its operation. */
export interface HeldWork {
  readonly kind: string;
  readonly n: number;
  readonly oldest: number;
  readonly newest: number;
  /** The money that it moves, if any. */
  readonly amount_cents: number | null;
}

export async function heldWork(read: Read, before: number): Promise<readonly HeldWork[]> {
  const [reminders, sends, inboxes, payouts, fundings, charges] = await Promise.all([
    read(remindersBefore, { before }),
    read(sendsBefore, { before }),
    read(inboxesBefore, { before }),
    read(payoutCentsBefore, { before }),
    read(fundingCentsBefore, { before }),
    read(chargeCentsBefore, { before }),
  ]);
  const cents = new Map([
    [FOLLOW_PAYOUT.name as string, payouts?.cents],
    [FOLLOW_FUNDING.name, fundings?.cents],
    [CHARGE.name, charges?.cents],
  ]);
  const behind = inboxes === null || inboxes.n === 0 ? [] : [{ kind: 'inbox', ...inboxes }];
  return [...sends, ...behind, ...reminders].map(({ kind, n, oldest, newest }) => ({
    kind,
    n,
    oldest,
    newest,
    amount_cents: cents.get(kind) ?? null,
  }));
}
