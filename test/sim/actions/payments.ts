// What people do with the payment processor's pages: open one, pay or leave it, and look what became of it.
import { sandboxToken } from '../../../src/outbound/processor/sandbox.ts';
import { GOOD_SIGNATURE, type TakingHint } from '../../support/taking-processor.ts';
import { type Action, NO_CREDENTIAL, sessionOf } from '../planned.ts';
import type { Sim } from '../sim.ts';

/** Where the rows of each kind of page are. */
const ROWS = {
  pay: 'SELECT id FROM fundings ORDER BY id DESC LIMIT 20',
  plan: 'SELECT id FROM plan_checkouts ORDER BY id DESC LIMIT 20',
  payee: "SELECT CASE n WHEN 0 THEN id ELSE id || '.' || n END FROM payees ORDER BY id DESC LIMIT 20",
} as const;

interface Address extends Record<string, string> {
  readonly page: string;
  readonly id: string;
  readonly token: string;
}

/** The address of one of the pages that are out, seldom a wrong one. */
function addressOf(sim: Sim): Address | null {
  const page = sim.choose.pick(['pay', 'pay', 'plan', 'payee'] as const);
  const id = sim.choose.maybe(sim.db.column(ROWS[page]));
  if (!id) return null;
  const { seal_key } = sim.t.service.world.secrets;
  return { page, id, token: sim.choose.chance(0.95) ? sandboxToken(seal_key, page, id) : 'wrong' };
}

/** What a processor tells of: somebody paid for a funding that is open, or a bank takes a payment back, or gives it back. */
function hintOf({ choose, db }: Sim): string | null {
  const event_id = `evt_${choose.below(999)}`;
  const funding_id = choose.maybe(db.column("SELECT id FROM fundings WHERE status = 'pending' ORDER BY id"));
  const payment_id = choose.maybe(db.column("SELECT payment_id FROM fundings WHERE status = 'paid' ORDER BY id"));
  if (payment_id !== null && choose.chance(0.6)) {
    return told({ event_id, payment_id, status: choose.chance(0.7) ? 'open' : 'won' });
  }
  if (funding_id === null) return null;
  const amount_cents = db.number('SELECT amount_cents FROM fundings WHERE id = ?', funding_id);
  // Of some that are taken back at once no hint ever comes: only the books tell.
  return told({ event_id, funding_id, amount_cents, taken: choose.chance(0.4) });
}

const told = (hint: TakingHint): string => JSON.stringify(hint);

export const PAYMENTS: Readonly<Record<string, Action>> = {
  'sandbox.page': (sim) => {
    const address = addressOf(sim);
    return address && { as: NO_CREDENTIAL, query: address };
  },
  'sandbox.decide': (sim) => {
    const address = addressOf(sim);
    const decision = sim.choose.chance(0.9) ? 'pay' : 'cancel';
    return address && { as: NO_CREDENTIAL, body: { ...address, decision } };
  },
  'processor.hint': (sim) => {
    const text = hintOf(sim);
    // Seldom signed by somebody else.
    const signature = sim.choose.chance(0.95) ? GOOD_SIGNATURE : 'other';
    const headers = { 'Stripe-Signature': signature };
    return text === null ? null : { as: NO_CREDENTIAL, headers, raw: { type: 'application/json', text } };
  },
  'billing.cancel': (sim, person) => {
    const as = sessionOf(sim, person);
    return as && sim.choose.chance(0.5) ? { as, body: {} } : null;
  },
};
