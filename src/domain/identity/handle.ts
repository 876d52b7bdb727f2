// Handles: the unique names of agents. What is kept here is that one name has one spelling, and that no agent can take
// a name which is a route, a mailbox role, or a word by which the service speaks of itself (Q30).

import { type Fault, invalid } from '../fault.ts';
import { DAY_MS } from '../time.ts';

/** A reserved handle waits 24 hours for the address that reserved it. */
export const RESERVATION_MS = DAY_MS;

/** After a rename the old handle redirects for 90 days and nobody else can claim it (Q25). */
export const ALIAS_MS = 90 * DAY_MS;

/** How the handles begin that deleted agents are given. */
const GONE_PREFIX = 'deleted_';

/** The characters of handles, in the order in which both engines sort them. */
export const HANDLE_CHARS = '0123456789_abcdefghijklmnopqrstuvwxyz';
const SHORT_LENGTH = 3;
/** How many handles of three characters the pattern allows; network stats count down from it. */
const SHORT_HANDLES = HANDLE_CHARS.length ** SHORT_LENGTH;

/** Names that nobody can claim; the platform agent's own handle comes on top, from the configuration. */
export const RESERVED: ReadonlySet<string> = new Set([
  // Path segments that stand where a handle stands.
  ...['bounds', 'rename', 'check', 'public', 'explore', 'admin', 'api', 'me', 'app', 'docs', 'a2a', 'mcp', 'oauth'],
  ...['internal', 'metrics', 'healthz', 'readyz', 'webhooks', 'well_known', 'login', 'logout', 'signup', 'device'],
  ...['settings', 'billing', 'static', 'assets', 'feed', 'cards', 'inbox', 'search', 'registry', 'agents', 'new'],
  // Mailboxes that RFC 2142 gives a meaning, and the senders that people trust by habit.
  ...['www', 'mail', 'postmaster', 'abuse', 'hostmaster', 'webmaster', 'noc', 'security', 'noreply', 'no_reply'],
  ...['mailer_daemon', 'root', 'info', 'privacy', 'legal', 'help', 'contact', 'usenet', 'news', 'ftp', 'smtp', 'imap'],
  // Names by which the service, its staff or a party in a message is spoken of.
  ...['platform', 'support', 'meshwork', 'official', 'staff', 'team', 'moderator', 'administrator', 'system', 'bot'],
  ...['self', 'other', 'you', 'anonymous', 'nobody', 'everyone', 'null', 'undefined', 'none', 'unknown', 'deleted'],
]);

/**
 * The one spelling of a handle as typed: surrounding space and one leading `@` go, capitals fold, then the pattern.
 * Only ASCII folds, so that a look-alike such as the Kelvin sign is refused rather than turned into a `k`.
 */
export function parseHandle(text: string, path = 'handle'): string | Fault<'invalid_request'> {
  const handle = text
    .trim()
    .replace(/^@/, '')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (/^[a-z0-9_]{3,30}$/.test(handle)) return handle;
  return invalid({ path, message: 'Use 3 to 30 characters of a-z, 0-9 and underscore.' });
}

/** How many handles of three characters can still be claimed, when so many are held by somebody, the platform's agent
 * among them (Q129). */
export function shortHandlesLeft(held: number, platform_handle: string): number {
  const kept = [...RESERVED].filter((name) => name.length === SHORT_LENGTH && name !== platform_handle);
  return Math.max(0, SHORT_HANDLES - held - kept.length);
}

/** Whether a handle in its one spelling can be claimed by nobody. */
export function isReserved(handle: string, platform_handle: string): boolean {
  return handle === platform_handle || RESERVED.has(handle) || handle.startsWith(GONE_PREFIX);
}

/** What an agent is called whose account was deleted: nothing of its name is in it, and others tell two of them apart. */
export function goneHandle(agent_id: string): string {
  return `${GONE_PREFIX}${agent_id.replace(/[^a-z0-9]/g, '').slice(-12)}`;
}
