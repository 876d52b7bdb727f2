// An access token of the identity provider elsewhere (RFC 9068) as a session of the person who has signed in with it once. Nothing of it
// is kept: it is checked at each call, and ends with itself, with the person's account, and when they revoke all.
import { accountById, outsideById } from '../../db/queries/identity.ts';
import type { Principal } from '../contract/context.ts';
import { type Fault, fault } from '../domain/fault.ts';
import { revokedSince } from '../steps/account/revoked.ts';
import { outsideId } from '../steps/session/outside.ts';
import { NOBODY } from './client-credential.ts';
import type { Core } from './core.ts';

/** For the provider's keys, where they are not known yet. */
const KEYS_MS = 3_000;

export interface OutsideSession {
  readonly principal: Principal;
  readonly account_id: string;
  readonly expires_at: number;
}

/** The session; null for what is no token of the provider for this service. */
export async function readOutside(
  { identity, store, clock }: Pick<Core, 'identity' | 'store' | 'clock'>,
  token: string,
): Promise<OutsideSession | Fault<'provider_unavailable'> | null> {
  if (identity === null) return null;
  const told = await identity.readAccess(token, AbortSignal.timeout(KEYS_MS));
  if (told === 'silent') return fault('provider_unavailable');
  if (told === 'refused') return null;
  const person = await store.read(outsideById, { id: outsideId(identity.issuer, told.subject) });
  const account = person && (await store.read(accountById, { id: person.account_id }));
  if (!account || account.deleted_at !== null) return null;
  if (await revokedSince(store.read, account.id, told.issued_at)) return null;
  const { id: account_id, plan } = account;
  const principal: Principal = { ...NOBODY, kind: 'session', account_id, plan, credential_id: person.id };
  return { principal, account_id, expires_at: clock.now() + told.left_ms };
}
