// Normalises pasted domain names for comparison and storage. The public suffix list says which names have no single owner:
// the right to publish under co.uk or github.io does not prove ownership of it.
import { getDomain, parse } from 'tldts';
import { type Fault, invalid } from '../domain/fault.ts';
import { readOutboundUrl } from './safe-http/public-url.ts';

/** The name in lower case and punycode, without scheme, path and final dot; a sentence when it cannot be owned. */
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

/** The registered domain of a name; under a suffix such as github.io, each user's own. */
export function registrable(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}

/** The same as a fault of the input's `domain`. */
export function parseDomain(text: string): { readonly domain: string } | Fault<'invalid_request'> {
  const read = readDomain(text);
  return typeof read === 'string' ? invalid({ path: 'domain', message: read }) : read;
}
