// Payees: connected accounts that Stripe keeps for people (express), who finish them on Stripe's own pages. What goes to their
// banks goes when we say so: their payouts are on no schedule.
import type Stripe from 'stripe';
import type { PayeeBank, PayeeState, Processor } from '../processor.ts';
import { around, change, done, findByOurId, look, make, OUR_ID } from './call.ts';
import type { Client } from './checkout.ts';

function accountParams(id: string, email: string | null): Stripe.AccountCreateParams {
  return {
    type: 'express',
    capabilities: { transfers: { requested: true } },
    settings: { payouts: { schedule: { interval: 'manual' } } },
    metadata: { [OUR_ID]: id },
    ...(email !== null && { email }),
  };
}

/** Where our payouts go, which are in dollars: the default of that currency, else the first there is. A debit card is as good as a bank. */
function bankOf({ external_accounts }: Stripe.Account): PayeeBank | null {
  const all = external_accounts?.data ?? [];
  const found = all.find((each) => each.currency === 'usd' && each.default_for_currency === true) ?? all[0];
  if (!found) return null;
  const name = found.object === 'card' ? found.brand : found.bank_name;
  return { name, country: found.country ?? '', last4: found.last4, fingerprint: found.fingerprint ?? null };
}

function stateOf(account: Stripe.Account): PayeeState {
  const { id, details_submitted, payouts_enabled, capabilities } = account;
  const enabled = payouts_enabled && capabilities?.transfers === 'active';
  return { external_id: id, details_submitted, payouts_enabled: enabled, bank: bankOf(account), gone: false };
}

const GONE = { details_submitted: false, payouts_enabled: false, bank: null, gone: true } as const;

export function stripePayees(client: Client): Pick<Processor, 'openPayee' | 'findPayee'> {
  return {
    openPayee: async ({ id, external_id, created_at, email, return_url }) => {
      const stripe = await client();
      const made = async (): Promise<Stripe.Account | null> =>
        external_id === null
          ? findByOurId(stripe.accounts.list({ created: around(created_at), limit: 100 }), id)
          : stripe.accounts.retrieve(external_id);
      const account = await make(`${id}:payee`, made, (options) =>
        stripe.accounts.create(accountParams(id, email), options),
      );
      if (account.outcome !== 'done') return account;
      // A link lives for minutes and works once, so each call has a new one.
      const link = await change(() =>
        stripe.accountLinks.create({
          account: account.value.id,
          type: 'account_onboarding',
          refresh_url: return_url,
          return_url,
        }),
      );
      return link.outcome === 'done' ? done({ external_id: account.value.id, url: link.value.url }) : link;
    },
    findPayee: async ({ id, external_id, created_at }) => {
      const stripe = await client();
      const found = await look(() =>
        external_id === null
          ? findByOurId(stripe.accounts.list({ created: around(created_at), limit: 100 }), id)
          : stripe.accounts.retrieve(external_id),
      );
      if (found.outcome !== 'done') return found;
      if (found.value !== null) return done(stateOf(found.value));
      return done(external_id === null ? null : { external_id, ...GONE });
    },
  };
}
