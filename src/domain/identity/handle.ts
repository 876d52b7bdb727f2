// Handles: the unique names of agents. A name has one canonical spelling, and no agent can take a name that is a route, a
// mailbox role, or a word for the service itself (Q30).

import { type Fault, invalid } from '../fault.ts';
import { DAY_MS } from '../time.ts';

/** A reserved handle is kept for 24 hours for the address that reserved it. */
export const RESERVATION_MS = DAY_MS;

/** After a rename the old handle redirects for 90 days and cannot be claimed (Q25). */
export const ALIAS_MS = 90 * DAY_MS;

/** The prefix of the handles of deleted agents. */
const GONE_PREFIX = 'deleted_';

/** The characters of handles, in the order in which both engines sort them. */
export const HANDLE_CHARS = '0123456789_abcdefghijklmnopqrstuvwxyz';
const SHORT_LENGTH = 3;
/** How many handles of three characters the pattern allows; network stats count down from it. */
const SHORT_HANDLES = HANDLE_CHARS.length ** SHORT_LENGTH;

/** Names that cannot be claimed; the configured handle of the platform's agent is reserved too. */
export const RESERVED: ReadonlySet<string> = new Set([
  // Path segments in the position of a handle.
  ...['bounds', 'rename', 'check', 'public', 'explore', 'admin', 'api', 'me', 'app', 'docs', 'a2a', 'mcp', 'oauth'],
  ...['internal', 'metrics', 'healthz', 'readyz', 'webhooks', 'well_known', 'login', 'logout', 'signup', 'device'],
  ...['settings', 'billing', 'static', 'assets', 'feed', 'cards', 'inbox', 'search', 'registry', 'agents', 'new'],
  // Mailboxes that RFC 2142 gives a meaning, and the senders that people trust by habit.
  ...['www', 'mail', 'postmaster', 'abuse', 'hostmaster', 'webmaster', 'noc', 'security', 'noreply', 'no_reply'],
  ...['mailer_daemon', 'root', 'info', 'privacy', 'legal', 'help', 'contact', 'usenet', 'news', 'ftp', 'smtp', 'imap'],
  // Names for the service, its staff or a party in a message.
  ...['platform', 'support', 'meshwork', 'official', 'staff', 'team', 'moderator', 'administrator', 'system', 'bot'],
  ...['self', 'other', 'you', 'anonymous', 'nobody', 'everyone', 'null', 'undefined', 'none', 'unknown', 'deleted'],
]);

/**
 * The canonical form of a typed handle: surrounding space and one leading `@` are removed, capitals are folded, then the
 * pattern is checked. Only ASCII is folded, so that a look-alike such as the Kelvin sign is refused instead of becoming `k`.
 */
export function parseHandle(text: string, path = 'handle'): string | Fault<'invalid_request'> {
  const handle = text
    .trim()
    .replace(/^@/, '')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (/^[a-z0-9_]{3,30}$/.test(handle)) return handle;
  return invalid({ path, message: 'Use 3 to 30 characters of a-z, 0-9 and underscore.' });
}

/** How many handles of three characters can still be claimed, when so many are held, including the platform agent's (Q129). */
export function shortHandlesLeft(held: number, platform_handle: string): number {
  const kept = [...RESERVED].filter((name) => name.length === SHORT_LENGTH && name !== platform_handle);
  return Math.max(0, SHORT_HANDLES - held - kept.length);
}

/** Whether a canonical handle cannot be claimed. */
export function isReserved(handle: string, platform_handle: string): boolean {
  return handle === platform_handle || RESERVED.has(handle) || handle.startsWith(GONE_PREFIX);
}

/** The handle of an agent whose account was deleted: unique, and without its earlier name. */
export function goneHandle(agent_id: string): string {
  return `${GONE_PREFIX}${agent_id.replace(/[^a-z0-9]/g, '').slice(-12)}`;
}

/** Whether the agent's account was deleted. */
export function hasLeft({ id, handle }: { readonly id: string; readonly handle: string }): boolean {
  return handle === goneHandle(id);
}
