// Acts that nobody can take back, or that move money: each is asked for in the one dialog of parts/button.tsx, wherever its button
// stands. `useAct` takes them only with the yes that this dialog gives.
import type { Name } from './server.ts';

/** What the person said in the dialog; nothing else gives it. */
export const YES: unique symbol = Symbol('yes');
export type Yes = typeof YES;

/** The operations that need it. */
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
