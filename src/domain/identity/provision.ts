// Provisional accounts: an agent that was installed with no person at hand (rules.md 3). Here are its name, its
// times, and when one that nobody claimed goes.
import { DAY_MS, HOUR_MS } from '../time.ts';
import type { SendLimit } from './code.ts';
import { clientOf, networkOf } from './ip.ts';

/** Unclaimed, unused and never funded it goes after 30 days. */
export const UNCLAIMED_LIFE_MS = 30 * DAY_MS;
/** After the claim the provisional key works for ten minutes more. */
export const CLAIMED_OVERLAP_MS = 600_000;

/** Base32 (RFC 4648) in small letters. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LETTERS = 10;

/** `agent_` and ten characters, of as many random bytes: fifty bits, so that two are never alike by chance. */
export function provisionalHandle(bytes: Uint8Array): string {
  if (bytes.length < LETTERS) throw new Error(`a provisional handle needs at least ${LETTERS} random bytes`);
  return `agent_${Array.from(bytes.subarray(0, LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

/** What provisioning counts against: a machine may set up some agents, nobody a crowd. */
export function provisionLimits(ip: string): SendLimit[] {
  return [
    { key: `provision:ip:${clientOf(ip)}`, limit: 20, window_ms: HOUR_MS },
    { key: `provision:network:${networkOf(ip)}`, limit: 100, window_ms: HOUR_MS },
  ];
}

/** What a claim code counts against beside what every mailed code does: nobody's mailbox is an agent's to fill. */
export function claimLimits(agent_id: string): SendLimit[] {
  return [{ key: `claim:agent:${agent_id}`, limit: 10, window_ms: HOUR_MS }];
}

/** What keeps an agent that nobody has claimed. */
export interface Unclaimed {
  /** Whether it ever took part in a conversation. */
  readonly talked: boolean;
  /** Whether its wallet ever held anything. */
  readonly funded: boolean;
  readonly last_seen_at: number;
}

/** What becomes of it: it stays for good, it goes, or it is looked at again then. Whoever talked has said something that others keep,
 * and money is never taken; whoever only looked around goes 30 days after the last look. */
export function fateOf({ talked, funded, last_seen_at }: Unclaimed, now_ms: number): 'stays' | 'goes' | number {
  if (talked || funded) return 'stays';
  const ends_at = last_seen_at + UNCLAIMED_LIFE_MS;
  return ends_at <= now_ms ? 'goes' : ends_at;
}
