// Who may create an account. The rules are the same everywhere: for sign-up, first sign-in, the claim of an agent, and arrival from an
// identity provider. They do not apply to existing accounts.

import { type Fault, type FaultData, fault } from '../fault.ts';
import { emailDomain } from '../mail/email.ts';

export interface JoinRules {
  readonly signup: 'open' | 'invite' | 'closed';
  /** With open sign-up, the domains whose addresses may join; empty for all. */
  readonly domains: readonly string[];
  /** Addresses of administrators from the settings, which may always join. */
  readonly administrators: readonly string[];
  /** Whether members may invite, or administrators only. */
  readonly members_invite: boolean;
}

/** Whether all may join, with or without an address. */
export function isOpenToAll({ signup, domains }: Pick<JoinRules, 'signup' | 'domains'>): boolean {
  return signup === 'open' && domains.length === 0;
}

/** Whether a person with this address may join without an invitation. */
export function joinsUninvited(rules: JoinRules, email: string): boolean {
  if (rules.administrators.includes(email) || isOpenToAll(rules)) return true;
  return rules.signup === 'open' && rules.domains.includes(emailDomain(email));
}

/** Whether an invitation by an administrator or a member is valid now. */
export function admits({ signup, members_invite }: JoinRules, by: 'admin' | 'member'): boolean {
  return by === 'admin' || (members_invite && signup !== 'closed');
}

/** Whether an account may invite others. */
export function mayInvite(rules: JoinRules, admin: boolean): boolean {
  return admits(rules, admin ? 'admin' : 'member');
}

const INVITATION: FaultData = { how: 'Ask the operator of this service for an invitation, and open its link.' };

/** The refusal of a person who may not join, with the rule that excludes them. */
export function signupClosed({ signup, domains }: Pick<JoinRules, 'signup' | 'domains'>): Fault<'signup_closed'> {
  if (signup === 'open') {
    const message = `Addresses of ${domains.join(', ')} join here; all others need an invitation.`;
    return fault('signup_closed', message, INVITATION);
  }
  return signup === 'invite'
    ? fault('signup_closed', 'People join here by invitation.', INVITATION)
    : fault('signup_closed');
}
