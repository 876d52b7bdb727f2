// Reads of what goes through the payment processor: fundings, payouts, payees, plans, and the sandbox's own books.
import { byId } from '../query.ts';

export const fundingById = byId('fundings');
export const payoutById = byId('payouts');
export const payeeById = byId('payees');
export const planCheckoutById = byId('plan_checkouts');
export const planTermsById = byId('plan_terms');
/** What a person decided on a page of the built-in processor; it never changes. */
export const sandboxObject = byId('sandbox_objects', null);
