// Which URLs the service may call, by their text: public https with a host name (interface.md "Events": internal addresses,
// private ranges, metadata endpoints and credentials are refused). The addresses of a name are checked when it is dialled. The
// text must be in plain form: anything that a parser would silently normalise is refused.
import { parse } from 'tldts';
import { parseV4, parseV6 } from '../../domain/identity/rate.ts';

/** A destination that the operator exempts from the rule; IPv6 hosts carry no brackets. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** A URL taken apart. `allowed` destinations are exempt: http, any port, any address. */
export interface OutboundUrl {
  readonly secure: boolean;
  /** Lower case, punycode; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  readonly allowed: boolean;
}

const URL_MAX = 2_048;

/** The customary ports of https; others belong to other protocols, or to what an operator keeps for himself. */
const PORTS: ReadonlySet<number> = new Set([443, 4443, 8443, 9443, 10443]);

/** Endings that never leave a network although the list of public suffixes knows some of them (RFC 6761, 7686, 8375). All
 * others of that kind (`.local`, `.internal`, `.svc`, `.cluster.local`, `.lan`, `.test` and what an office makes up) are no
 * public suffixes. */
const INNER = /(^|\.)(arpa|onion)$/;
/** Kept for documentation (RFC 2606): it leads nowhere, and says so when it is looked up. */
const DOCUMENTATION = /\.example$/;

/** Whether a name lies under a suffix under which the public may register. */
function isUnderPublicSuffix(host: string): boolean {
  return parse(host, { allowPrivateDomains: false }).isIcann === true && !INNER.test(host);
}

const LABELS = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/;

/** Why the text is not in plain form, or null. A parser silently drops, maps or decodes all of these. */
function disguise(text: string): string | null {
  if (text.length > URL_MAX) return `Give an address of at most ${URL_MAX} characters.`;
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) return 'Give an address without blanks, backslashes and invisible characters.';
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority === undefined) return 'Give a full address, such as https://example.com/page.';
  if (authority.includes('@')) return 'Leave user name and password out of the address.';
  const host = authority.toLowerCase();
  if (/[%\u3002\uff0e\uff61]/u.test(host) || host.normalize('NFKC') !== host)
    return 'Write the host in plain characters.';
  return null;
}

/** Why a host of the public internet is not one; null for a name that may be looked up. */
function hostRefusal(host: string): string | null {
  if (parseV4(host) || host.startsWith('[')) return 'Give a host name; an address in numbers is refused.';
  if (host.endsWith('.')) return 'Write the host without a dot at its end.';
  if (!host.includes('.') || !(isUnderPublicSuffix(host) || DOCUMENTATION.test(host)))
    return 'Give a public host; this name leads into a private network.';
  if (!LABELS.test(host)) return 'Give a host name that can exist in the DNS.';
  return null;
}

/**
 * Takes a URL apart, or says in one sentence why it is not called. `allow` lists the operator's exemptions.
 */
export function readOutboundUrl(text: string, allow: readonly Destination[]): OutboundUrl | string {
  const disguised = disguise(text);
  if (disguised !== null) return disguised;
  const url = URL.parse(text);
  if (!url) return 'Give an address that can be read as a URL.';
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:') return 'Give an https address.';
  const port = Number(url.port || (secure ? 443 : 80));
  const { hostname } = url;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const read = { secure, host, port, path: `${url.pathname}${url.search}` };
  if (allow.some((each) => each.port === port && isSameHost(each.host, host))) return { ...read, allowed: true };
  if (!secure) return 'Give an https address.';
  const refusal = hostRefusal(hostname);
  if (refusal !== null) return refusal;
  if (!PORTS.has(port)) return `Use port ${[...PORTS].join(', ')}; others are refused.`;
  return { ...read, allowed: false };
}

/** Whether two hosts are one; an IPv6 address has many spellings. */
function isSameHost(a: string, b: string): boolean {
  if (a === b) return true;
  if (!a.includes(':') || !b.includes(':')) return false;
  const [left, right] = [parseV6(a), parseV6(b)];
  return left !== null && right !== null && left.join() === right.join();
}
