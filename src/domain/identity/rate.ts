// Request rates: a limit for any 60 seconds. It is a sliding window of whole seconds instead of a token bucket, because a
// bucket allows nearly twice the published number in its first minute.

const WINDOW_SECONDS = 60;

/** Requests let through in one second of service time. */
interface Slot {
  readonly second: number;
  readonly count: number;
}

/** The last minute of one caller, oldest first; at most 60 slots, and a burst takes one. */
export type RateState = readonly Slot[];

/** The state of a caller without requests in the last minute; it need not be stored. */
export const FRESH_RATE: RateState = [];

interface Taken {
  readonly state: RateState;
  readonly ok: boolean;
  /** 0 when allowed; else whole seconds until the next request is allowed, for `Retry-After`. */
  readonly retry_after_seconds: number;
}

const countOf = (slots: RateState): number => slots.reduce((sum, slot) => sum + slot.count, 0);

function secondOf(state: RateState, now_ms: number): number {
  return Math.max(Math.floor(now_ms / 1000), state.at(-1)?.second ?? 0);
}

/** The slots that still count in a second. */
function liveAt(state: RateState, second: number): RateState {
  return state.filter((slot) => slot.second > second - WINDOW_SECONDS);
}

/** How many requests of the last minute a state holds. */
export function usedOf(state: RateState, now_ms: number): number {
  return countOf(liveAt(state, secondOf(state, now_ms)));
}

/** When enough slots have ended for a new request, in epoch milliseconds. */
function freesAt(slots: RateState, excess: number, second: number): number {
  let left = excess;
  for (const slot of slots.toSorted((a, b) => a.second - b.second)) {
    left -= slot.count;
    if (left < 0) return (slot.second + WINDOW_SECONDS) * 1000;
  }
  return second * 1000;
}

/** Takes one request at `now_ms`. A refused one does not count, so a caller that retries is not locked out. Requests allowed
 * `elsewhere`, by other nodes, count too. */
export function takeRequest(
  state: RateState,
  now_ms: number,
  limit_per_minute: number,
  elsewhere: RateState = FRESH_RATE,
): Taken {
  const second = secondOf(state, now_ms);
  const live = liveAt(state, second);
  const others = elsewhere.length === 0 ? elsewhere : liveAt(elsewhere, second);
  const used = countOf(live) + countOf(others);
  if (used < limit_per_minute) {
    const last = live.at(-1);
    const next =
      last?.second === second ? live.with(-1, { second, count: last.count + 1 }) : [...live, { second, count: 1 }];
    return { state: next, ok: true, retry_after_seconds: 0 };
  }
  const frees_at_ms = freesAt([...live, ...others], used - limit_per_minute, second);
  return { state: live, ok: false, retry_after_seconds: Math.max(1, Math.ceil((frees_at_ms - now_ms) / 1000)) };
}

/** Whether all slots of a state have expired, so that it can be dropped. */
export function isIdle(state: RateState, now_ms: number): boolean {
  return (state.at(-1)?.second ?? 0) <= Math.floor(now_ms / 1000) - WINDOW_SECONDS;
}

// IP addresses as keys for counting. One client counts once: an IPv4 address is the same inside and outside IPv6, an IPv6
// client is its /64, and a network is the /24 or /48 that one customer gets.

/** The key of invalid addresses, which share one limit. */
const UNKNOWN = 'unknown';

/** The four bytes of an IPv4 address in its one plain form, or null: no short forms, no octal or hexadecimal numbers. */
export function parseV4(text: string): number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

/** The eight 16-bit groups of an IPv6 address, or null. Takes `::` once and a dotted IPv4 tail (RFC 4291, 2.2). */
export function parseV6(text: string): number[] | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const sides: number[][] = [];
  for (const [i, half] of halves.entries()) {
    const parts = half === '' ? [] : half.split(':');
    const groups: number[] = [];
    for (const [j, part] of parts.entries()) {
      const isTail = i === halves.length - 1 && j === parts.length - 1;
      const v4 = isTail && part.includes('.') ? parseV4(part) : null;
      if (v4) groups.push(((v4[0] ?? 0) << 8) | (v4[1] ?? 0), ((v4[2] ?? 0) << 8) | (v4[3] ?? 0));
      else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
      else return null;
    }
    sides.push(groups);
  }
  const [head = [], tail] = sides;
  if (!tail) return head.length === 8 ? head : null;
  const gap = 8 - head.length - tail.length;
  return gap >= 1 ? [...head, ...new Array<number>(gap).fill(0), ...tail] : null;
}

/** The IPv4 bytes behind an address, also when it is mapped into IPv6 (`::ffff:a.b.c.d`, RFC 4291, 2.5.5.2). */
function read(ip: string): { v4: number[] } | { v6: number[] } | null {
  const [text = ''] = ip
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .split('%', 1);
  const v4 = parseV4(text);
  if (v4) return { v4 };
  const v6 = parseV6(text);
  if (!v6) return null;
  const [high = 0, low = 0] = v6.slice(6);
  if (v6.slice(0, 5).some((group) => group !== 0) || v6[5] !== 0xffff) return { v6 };
  return { v4: [high >> 8, high & 0xff, low >> 8, low & 0xff] };
}

/** The network of an address, `192.0.2.0/24` or `2001:db8:1::/48`; `unknown` when the address cannot be read. */
export function networkOf(ip: string): string {
  const address = read(ip);
  if (!address) return UNKNOWN;
  if ('v4' in address) return `${address.v4.slice(0, 3).join('.')}.0/24`;
  return `${address.v6
    .slice(0, 3)
    .map((group) => group.toString(16))
    .join(':')}::/48`;
}

/** What counts as one client: an IPv4 address, or the /64 within which an IPv6 customer picks addresses at will. */
export function clientOf(ip: string): string {
  const address = read(ip);
  if (!address) return UNKNOWN;
  if ('v4' in address) return address.v4.join('.');
  return `${address.v6
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

// The rows that a credential depends on, as they were read. Every commit under the credential checks them again.

/** A row of a key, a session or a program's grant, as it was read. */
export interface GuardRow {
  readonly table: 'api_keys' | 'sessions' | 'oauth_grants';
  readonly id: string;
  readonly version: number;
}

/** The row that a credential depends on: for an access token its agent with the registered key, and the credential that registered it;
 * or its program's grant. */
export type Guard =
  | GuardRow
  | {
      readonly table: 'agents';
      readonly id: string;
      readonly version: number;
      readonly fingerprint: string;
      readonly under: GuardRow | null;
    };

/** The rows whose change ends a credential. */
export function guardRows(guard: Guard | null): readonly { table: Guard['table']; id: string; version: number }[] {
  if (guard === null) return [];
  return guard.table === 'agents' && guard.under !== null ? [guard, guard.under] : [guard];
}
