// Which internet addresses are public. The rule kept here is that nothing which leaves the house may reach a network
// that only the house can see: an address counts as public when it is globally reachable by the registries of special
// addresses (IANA, RFC 6890), and never when another address hides in it.
import { parseV4, parseV6 } from '../../domain/identity/ip.ts';

/** A network: its address and the length of its prefix. */
type Network = readonly [address: string, bits: number];

/** The IPv4 networks that are not public; 168.63.129.16 is how a cloud's machines reach their host. */
const SPECIAL_V4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Global unicast. All else (loopback, mapped, NAT64, unique local, link-local, site-local, multicast) is not public. */
const GLOBAL_V6: Network = ['2000::', 3];

/** What is not public of it: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const SPECIAL_V6: readonly Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** An address as bits of fixed width. */
const bits = (parts: readonly number[], width: number): string =>
  parts.map((part) => part.toString(2).padStart(width, '0')).join('');

const bitsV4 = (text: string): string | null => {
  const bytes = parseV4(text);
  return bytes && bits(bytes, 8);
};

const bitsV6 = (text: string): string | null => {
  const groups = parseV6(text);
  return groups && bits(groups, 16);
};

const prefixes = (networks: readonly Network[], read: (text: string) => string | null): readonly string[] =>
  networks.map(([address, length]) => (read(address) ?? '').slice(0, length));

const PREFIXES_V4 = prefixes(SPECIAL_V4, bitsV4);
const PREFIXES_V6 = prefixes(SPECIAL_V6, bitsV6);
const [PREFIX_GLOBAL = ''] = prefixes([GLOBAL_V6], bitsV6);

/** Whether `address`, as a resolver writes it, may be dialled. What is no address in its plain form is not public. */
export function isPublicAddress(address: string): boolean {
  const v4 = bitsV4(address);
  if (v4 !== null) return !PREFIXES_V4.some((prefix) => v4.startsWith(prefix));
  const v6 = bitsV6(address);
  if (v6 === null) return false;
  return v6.startsWith(PREFIX_GLOBAL) && !PREFIXES_V6.some((prefix) => v6.startsWith(prefix));
}
