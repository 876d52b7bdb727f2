// Domain names as people paste them, in the one form in which they are compared and kept. The list of public suffixes says
// which names belong to nobody in particular: whoever may publish under co.uk or github.io has not proven to own it.
import { getDomain, parse } from 'tldts';
import { type Fault, invalid } from '../domain/fault.ts';
import { readOutboundUrl } from './safe-http/public-url.ts';

/** The name in lower case and punycode, without scheme, path and final dot; a sentence where it cannot be somebody's. */
export function readDomain(text: string): { readonly domain: string } | string {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/[.\u3002]$/, '');
  const url = readOutboundUrl(`https://${bare.normalize('NFKC')}/`, []);
  if (typeof url === 'string' || url.port !== 443) return 'Give a public domain name, such as example.com.';
  const { host: domain } = url;
  const { isIp, publicSuffix } = parse(domain, { allowPrivateDomains: true });
  if (isIp || publicSuffix === domain) return 'Give a domain of your own; this one is open to everybody.';
  return { domain };
}

/** The name that somebody registered, of it or of a name under it: under a suffix such as github.io that is each user's own. */
export function registrable(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}

/** The same as a fault of the input's `domain`. */
export function parseDomain(text: string): { readonly domain: string } | Fault<'invalid_request'> {
  const read = readDomain(text);
  return typeof read === 'string' ? invalid({ path: 'domain', message: read }) : read;
}
