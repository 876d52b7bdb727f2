// Money on its way out: from our balance to a payee's (a transfer), and from there to their bank (a payout, on their account).
import type Stripe from 'stripe';
import type { Called, OutState, Processor } from '../processor.ts';
import { done, findByOurId, look, make, OUR_ID } from './call.ts';
import type { Client } from './checkout.ts';

function transferState({ id, reversed }: Stripe.Transfer): OutState {
  return { external_id: id, status: reversed ? 'reversed' : 'paid', reason: null };
}

const PAYOUTS: Readonly<Record<string, OutState['status']>> = { paid: 'paid', failed: 'failed', canceled: 'failed' };

/** A payout that was paid may still fail, days later: what a bank sends back. */
function payoutState({ id, status, failure_code, failure_message }: Stripe.Payout): OutState {
  return { external_id: id, status: PAYOUTS[status] ?? 'pending', reason: failure_code ?? failure_message ?? null };
}

function told<T>(called: Called<T>, state: (value: T) => OutState): Called<OutState> {
  return called.outcome === 'done' ? done(state(called.value)) : called;
}

function toldIfAny<T>(called: Called<T | null>, state: (value: T) => OutState): Called<OutState | null> {
  return called.outcome === 'done' ? done(called.value === null ? null : state(called.value)) : called;
}

/** Every transfer is alone in a group that is named by our row. */
async function transferOf(stripe: Stripe, id: string): Promise<Stripe.Transfer | null> {
  const { data } = await stripe.transfers.list({ transfer_group: id, limit: 1 });
  return data[0] ?? null;
}

function payoutOf(stripe: Stripe, payee: string, id: string): Promise<Stripe.Payout | null> {
  return findByOurId(stripe.payouts.list({ limit: 100 }, { stripeAccount: payee }), id);
}

type Side<K extends keyof Processor> = Pick<Processor, K>;

/** Transfers to payees, and those that are taken back. */
export function stripeTransfers(client: Client): Side<'transfer' | 'findTransfer' | 'reverseTransfer'> {
  return {
    transfer: async ({ id, payee, amount_cents }) => {
      const stripe = await client();
      const params = { amount: amount_cents, currency: 'usd', destination: payee, transfer_group: id };
      const metadata = { [OUR_ID]: id };
      const called = await make(
        `${id}:transfer`,
        () => transferOf(stripe, id),
        (options) => stripe.transfers.create({ ...params, metadata }, options),
      );
      return told(called, transferState);
    },
    findTransfer: async ({ id, external_id }) => {
      const stripe = await client();
      const found = await look(() =>
        external_id === null ? transferOf(stripe, id) : stripe.transfers.retrieve(external_id),
      );
      return toldIfAny(found, transferState);
    },
    reverseTransfer: async ({ id, transfer_id }) => {
      const stripe = await client();
      const reversed = async (): Promise<Stripe.Transfer | null> => {
        const transfer = await stripe.transfers.retrieve(transfer_id);
        return transfer.reversed ? transfer : null;
      };
      const called = await make(`${id}:reversal`, reversed, async (options) => {
        await stripe.transfers.createReversal(transfer_id, { metadata: { [OUR_ID]: id } }, options);
        return stripe.transfers.retrieve(transfer_id);
      });
      return told(called, transferState);
    },
  };
}

/** Payouts of payees to their banks. */
export function stripePayouts(client: Client): Side<'payOut' | 'findPayout'> {
  return {
    payOut: async ({ id, payee, amount_cents }) => {
      const stripe = await client();
      const params = { amount: amount_cents, currency: 'usd', metadata: { [OUR_ID]: id } };
      const called = await make(
        `${id}:payout`,
        () => payoutOf(stripe, payee, id),
        (options) => stripe.payouts.create(params, { ...options, stripeAccount: payee }),
      );
      return told(called, payoutState);
    },
    findPayout: async ({ id, external_id, payee }) => {
      const stripe = await client();
      const found = await look(() =>
        external_id === null
          ? payoutOf(stripe, payee, id)
          : stripe.payouts.retrieve(external_id, {}, { stripeAccount: payee }),
      );
      return toldIfAny(found, payoutState);
    },
  };
}
