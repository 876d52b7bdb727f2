// Who may make an account. What is asked is the same at every door: signing up, signing in for the first time, claiming an agent, and
// coming from an identity provider. Whoever has an account is asked nothing here.

import { type Fault, type FaultData, fault } from '../fault.ts';
import { emailDomain } from '../mail/email.ts';

export interface JoinRules {
  readonly signup: 'open' | 'invite' | 'closed';
  /** Where signing up is open, the domains whose addresses join; none for all. */
  readonly domains: readonly string[];
  /** Addresses that the settings name as administrators: they join always. */
  readonly administrators: readonly string[];
  /** Whether members invite, or administrators alone. */
  readonly members_invite: boolean;
}

/** Whether everybody joins, with an address or without. */
export function isOpenToAll({ signup, domains }: Pick<JoinRules, 'signup' | 'domains'>): boolean {
  return signup === 'open' && domains.length === 0;
}

/** Whether somebody with this address joins without having been invited. */
export function joinsUninvited(rules: JoinRules, email: string): boolean {
  if (rules.administrators.includes(email) || isOpenToAll(rules)) return true;
  return rules.signup === 'open' && rules.domains.includes(emailDomain(email));
}

/** Whether an invitation of an administrator or a member lets somebody in now. */
export function admits({ signup, members_invite }: JoinRules, by: 'admin' | 'member'): boolean {
  return by === 'admin' || (members_invite && signup !== 'closed');
}

/** Whether somebody may invite others. */
export function mayInvite(rules: JoinRules, admin: boolean): boolean {
  return admits(rules, admin ? 'admin' : 'member');
}

const INVITATION: FaultData = { how: 'Ask whoever runs this service for an invitation, and open the link in it.' };

/** The refusal of whoever may not join, in the words of the rule that keeps them out. */
export function signupClosed({ signup, domains }: Pick<JoinRules, 'signup' | 'domains'>): Fault<'signup_closed'> {
  if (signup === 'open') {
    const message = `Addresses of ${domains.join(', ')} join here; all others need an invitation.`;
    return fault('signup_closed', message, INVITATION);
  }
  return signup === 'invite'
    ? fault('signup_closed', 'People join here by invitation.', INVITATION)
    : fault('signup_closed');
}
