// Which of our rows a hint of the processor is about, and the call that asks what became of it. Our own id in the object's metadata
// leads there first: a hint may come before the answer in which the processor named the object.
import type { Effect } from '../../../db/effects.ts';
import {
  fundingByExternal,
  fundingById,
  fundingByPayment,
  payeeByExternal,
  payoutByExternal,
  payoutById,
  payoutByTransfer,
  planCheckoutByExternal,
  planCheckoutById,
  planTermsByExternal,
} from '../../../db/queries/processor.ts';
import type { Read } from '../../../db/store.ts';
import type { Hint } from '../../outbound/processor/processor.ts';
import { FOLLOW_PLAN, RENEW_PLAN } from '../billing/term.ts';
import { FOLLOW_FUNDING } from '../funding/follow.ts';
import { FOLLOW_TAKEN_BACK } from '../money/taken-back.ts';
import { FOLLOW_PAYEE } from '../payee/follow.ts';
import { FOLLOW as FOLLOW_PAYOUT } from '../payout/follow.ts';
import { remindNow } from '../reminder.ts';

type Effects = readonly Effect<never>[];
type Follow = (read: Read, hint: Hint, now_ms: number) => Promise<Effects>;

const found = <T extends { readonly id: string }>(row: T | null, follow: (id: string) => Effect<never>): Effects =>
  row ? [follow(row.id)] : [];

const funding: Follow = async (read, { our_id, object_id }, now_ms) => {
  const own = our_id === null ? null : await read.peek(fundingById, { id: our_id });
  const row = own ?? (await read.peek(fundingByExternal, { external_id: object_id }));
  return found(row, (id) => remindNow(FOLLOW_FUNDING, { funding_id: id }, { key: id, now_ms }));
};

const plan: Follow = async (read, { our_id, object_id }, now_ms) => {
  const own = our_id === null ? null : await read.peek(planCheckoutById, { id: our_id });
  const row = own ?? (await read.peek(planCheckoutByExternal, { external_id: object_id }));
  return found(row, (id) => remindNow(FOLLOW_PLAN, { checkout_id: id }, { key: id, now_ms }));
};

const renewal: Follow = async (read, { object_id }, now_ms) => {
  const row = await read.peek(planTermsByExternal, { external_id: object_id });
  return found(row, (id) => remindNow(RENEW_PLAN, { account_id: id }, { key: id, now_ms }));
};

const payee: Follow = async (read, { object_id }, now_ms) => {
  const row = await read.peek(payeeByExternal, { external_id: object_id });
  return found(row, (id) => remindNow(FOLLOW_PAYEE, { account_id: id }, { key: id, now_ms }));
};

const payout: Follow = async (read, { kind, our_id, object_id }, now_ms) => {
  const own = our_id === null ? null : await read.peek(payoutById, { id: our_id });
  const named = (): Promise<{ id: string } | null> =>
    kind === 'transfer'
      ? read.peek(payoutByTransfer, { transfer_id: object_id })
      : read.peek(payoutByExternal, { payout_id: object_id });
  return found(own ?? (await named()), (id) => remindNow(FOLLOW_PAYOUT, { payout_id: id }, { key: id, now_ms }));
};

const takenBack: Follow = async (read, { object_id }, now_ms) => {
  const row = await read.peek(fundingByPayment, { payment_id: object_id });
  return found(row, (id) => remindNow(FOLLOW_TAKEN_BACK, { funding_id: id }, { key: id, now_ms }));
};

const FOLLOWS: Readonly<Record<Hint['kind'], Follow>> = {
  funding,
  plan,
  renewal,
  payee,
  transfer: payout,
  payout,
  chargeback: takenBack,
  refund: takenBack,
  other: async () => [],
};

/** What a hint asks for; nothing where it is about nothing of ours. */
export function followHint(read: Read, hint: Hint, now_ms: number): Promise<Effects> {
  return FOLLOWS[hint.kind](read, hint, now_ms);
}
