// Domain names as people paste them, in the one form in which they are compared and kept. The list of public suffixes says
// which names belong to nobody in particular: whoever may publish under co.uk or github.io has not proven to own it.
import { parse } from 'tldts';
import { type Fault, invalid } from '../domain/fault.ts';
import { readOutboundUrl } from '../domain/public-url.ts';

function refused(message: string): Fault<'invalid_request'> {
  return invalid({ path: 'domain', message });
}

/** The name in lower case and punycode, without scheme, path and final dot; a fault where it cannot be somebody's. */
export function parseDomain(text: string): { readonly domain: string } | Fault<'invalid_request'> {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/[.\u3002]$/, '');
  const url = readOutboundUrl(`https://${bare.normalize('NFKC')}/`, []);
  if (typeof url === 'string' || url.port !== 443) return refused('Give a public domain name, such as example.com.');
  const { host: domain } = url;
  const { isIp, publicSuffix } = parse(domain, { allowPrivateDomains: true });
  if (isIp || publicSuffix === domain) return refused('Give a domain of your own; this one is open to everybody.');
  return { domain };
}
