// Email addresses of accounts. One mailbox makes one account: the address is checked as plain ASCII first and lower-cased
// only then, because Unicode folding could turn a look-alike into another person's address.
import { type Fault, invalid } from '../fault.ts';

/** RFC 5321, 4.5.3.1: 64 octets before the `@`; 254 is what fits the 256 octets of a path with its brackets. */
const EMAIL_MAX = 254;
const LOCAL_MAX = 64;

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LOCAL = new RegExp(`^${ATOM}(\\.${ATOM})*$`);
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The folded address, or a 400 naming `path`. Accepts dot-atom addresses with a dotted domain name; quoted local parts,
 * comments, address literals and non-ASCII are refused (an international domain is written as `xn--…`).
 */
export function parseEmail(text: string, path = 'email'): string | Fault<'invalid_request'> {
  const wrong = (message: string): Fault<'invalid_request'> => invalid({ path, message });
  const trimmed = text.trim();
  if (trimmed.length === 0) return wrong('Give an email address.');
  if (trimmed.length > EMAIL_MAX) return wrong(`An address has at most ${EMAIL_MAX} characters.`);
  if (!/^[\x21-\x7e]+$/.test(trimmed)) return wrong('Use plain ASCII without spaces; write other domains as xn--.');
  const email = trimmed.toLowerCase();
  const parts = email.split('@');
  const [local = '', domain = ''] = parts;
  if (parts.length !== 2) return wrong('An address has exactly one @.');
  if (local.length > LOCAL_MAX || !LOCAL.test(local)) return wrong('The part before the @ is not valid.');
  const labels = domain.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label)) || /^[0-9]+$/.test(top)) {
    return wrong('The part after the @ is not a domain name such as example.com.');
  }
  return email;
}

/** The domain of a folded address. */
export function emailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
