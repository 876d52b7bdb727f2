// Webhooks: what Stripe tells of, as hints. Of a webhook whose signature holds only the kind and the names are taken; what has
// become of the object is asked for.
import type Stripe from 'stripe';
import type { Hint } from '../processor.ts';
import { nameOf, OUR_ID } from './call.ts';

/** Within what time a signature may have been made, in seconds; events are kept for longer than that by their ids. */
const TOLERANCE_S = 300;

/** The parts of an event's object that name what it is about. */
interface Told {
  readonly id?: string;
  readonly mode?: string;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly payment_intent?: string | { readonly id: string } | null;
  readonly parent?: {
    readonly subscription_details?: { readonly subscription?: string | { readonly id: string } } | null;
  } | null;
}

type Found = Pick<Hint, 'kind' | 'object_id'>;

function ofSession({ id = '', mode }: Told): Found {
  return { kind: mode === 'subscription' ? 'plan' : 'funding', object_id: id };
}

/** By the payment, since what was taken back is asked for by it. */
function ofPayment(kind: 'chargeback' | 'refund', { id = '', payment_intent }: Told): Found {
  const payment_id = nameOf(payment_intent);
  return payment_id === null ? { kind: 'other', object_id: id } : { kind, object_id: payment_id };
}

function ofInvoice({ id = '', parent }: Told): Found {
  const subscription = nameOf(parent?.subscription_details?.subscription);
  return subscription === null ? { kind: 'other', object_id: id } : { kind: 'renewal', object_id: subscription };
}

const BEGINNINGS: readonly (readonly [string, (told: Told) => Found])[] = [
  ['checkout.session.', ofSession],
  ['charge.dispute.', (told) => ofPayment('chargeback', told)],
  ['charge.refund', (told) => ofPayment('refund', told)],
  ['refund.', (told) => ofPayment('refund', told)],
  ['customer.subscription.', ({ id = '' }) => ({ kind: 'renewal', object_id: id })],
  ['invoice.', ofInvoice],
  ['account.', ({ id = '' }) => ({ kind: 'payee', object_id: id })],
  ['transfer.', ({ id = '' }) => ({ kind: 'transfer', object_id: id })],
  ['payout.', ({ id = '' }) => ({ kind: 'payout', object_id: id })],
];

function hintOf(event: Pick<Stripe.Event, 'id' | 'type' | 'data' | 'account'>): Hint {
  // What stands there depends on the type, and every field is looked for.
  const told = event.data.object as Told;
  const our_id = told.metadata?.[OUR_ID] ?? null;
  const [, read] = BEGINNINGS.find(([beginning]) => event.type.startsWith(beginning)) ?? [];
  const found = read?.(told) ?? { kind: 'other' as const, object_id: told.id ?? event.id };
  // Of an account that took its leave the object is an application; the event names the account.
  const object_id = found.kind === 'payee' && event.account ? event.account : found.object_id;
  return { event_id: event.id, ...found, object_id, our_id };
}

/** The hint of a webhook, null where its signature does not hold. */
export async function readStripeWebhook(
  stripe: Stripe,
  { body, signature, secret, now_ms }: { body: Uint8Array; signature: string; secret: string; now_ms: number },
): Promise<Hint | null> {
  try {
    const event = await stripe.webhooks.constructEventAsync(body, signature, secret, TOLERANCE_S, undefined, now_ms);
    return hintOf(event);
  } catch {
    return null;
  }
}
