// Receives webhooks of the payment processor as hints, not as proof: the signature is verified, the id remembered, and the named
// object fetched. So hints may come late, twice, in any order or not at all.
import { Type } from 'typebox';
import { type Effect, insert } from '../../../db/effects.ts';
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
  processorEventById,
} from '../../../db/queries/processor.ts';
import type { Read } from '../../../db/store.ts';
import { flow } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Hint } from '../../outbound/processor/processor.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import {
  FOLLOW_FUNDING,
  FOLLOW_PAYOUT,
  FOLLOW_PLAN,
  FOLLOW_TAKEN_BACK,
  RENEW_PLAN,
  reconcileLater,
} from '../../steps/money/follow.ts';
import { FOLLOW_PAYEE } from '../../steps/payee/follow.ts';
import { remindNow } from '../../steps/reminder.ts';

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

/** Schedules the follow-up of a hint; none for an object of others. */
function followHint(read: Read, hint: Hint, now_ms: number): Promise<Effects> {
  return FOLLOWS[hint.kind](read, hint, now_ms);
}

/** Room for objects with long lists; Stripe's events have some kilobytes. */
const BYTES_MAX = 1_048_576;
/** Longer than the three days for which Stripe retries an event. */
const KEPT_MS = 30 * DAY_MS;

export const processorHint = flow({
  name: 'processor.hint',
  noun: 'Webhooks of the payment processor.',
  summary: 'Receive a webhook of the payment processor',
  description: [
    'For Stripe only. The signature is verified and the event id stored; the state in the event is',
    'not trusted, but fetched from Stripe.',
  ].join(' '),
  input: Type.Object({
    raw: Type.String(),
    signature: Type.Optional(Type.String({ maxLength: 2000 })),
  }),
  output: namedObject('Received', 'confirms receipt', { received: Type.Literal(true) }),
  example: { raw: SAMPLE.processor_event, signature: SAMPLE.processor_signature },
  effect: 'changes',
  open_world: true,
  access: 'public',
  signed: true,
  no_tool: 'the payment processor calls it',
  raw: { type: 'application/json', bytes_max: BYTES_MAX },
  faults: ['bad_signature', 'processor_not_configured'],
  rest: [{ method: 'POST', path: '/webhooks/stripe', headers: { signature: 'Stripe-Signature' } }],
  run: async ({ raw, signature = '' }, ctx, { processor, clock }) => {
    if (!processor) return fault('processor_not_configured');
    const hint = await processor.readWebhook(Buffer.from(raw, 'latin1'), signature);
    if (!hint) return fault('bad_signature', 'The signature does not match the body.');
    const { event_id: id, kind, object_id } = hint;
    return ctx.turn({
      attempt: async (read) => {
        if (await read(processorEventById, { id })) return { reply: { received: true as const }, effects: [] };
        const created_at = clock.now();
        const row = { id, kind, object_id, created_at, expires_at: created_at + KEPT_MS };
        const follows = await followHint(read, hint, created_at);
        const remembered = insert('processor_events', row, 'ignore');
        const effects = [remembered, ...follows, ...reconcileLater(processor, created_at)];
        return { reply: { received: true as const }, effects };
      },
    });
  },
});
