// Acts that cannot be undone or that move money: each needs confirmation in the dialog of parts/button.tsx. `useAct` requires the
// value that only this dialog produces.
import type { Name } from './server.ts';

/** A confirmation; only the dialog creates it. */
export const YES: unique symbol = Symbol('yes');
export type Yes = typeof YES;

/** Operations that require a confirmation. */
export const FINAL = [
  'account.delete',
  'account.end_session',
  'account.revoke_all',
  'admin.erase',
  'admin.reset_sign_in',
  'admin.suspend',
  'agent.deactivate',
  'billing.cancel',
  'browser.remove',
  'conversation.close',
  'deal.cancel',
  'demand.award',
  'demand.close',
  'demo.remove',
  'dispute.accept',
  'dispute.concede',
  'dispute.rule',
  'dispute.withdraw',
  'escrow.create',
  'escrow.refund',
  'escrow.release',
  'escrow.verify_deliverable',
  'invitation.revoke',
  'key.revoke',
  'knowledge.remove',
  'listing.delete',
  'marketplace.call',
  'passkey.remove',
  'payee.disconnect',
  'payout.request',
  'program.revoke',
  'subscription.cancel',
  'subscription.create',
  'webhook.delete',
  'webhook.rotate',
] as const satisfies readonly Name[];

export type Final = (typeof FINAL)[number];
