// The row ids of people who sign in through the outside identity provider.
import { sha256Hex } from '../../outbound/hash.ts';

/** The row of a person, by the provider's own name for them. */
export function outsideId(issuer: string, subject: string): string {
  return sha256Hex(JSON.stringify([issuer, subject]));
}
