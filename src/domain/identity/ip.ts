// Internet addresses as keys for counting. The rule kept here is that one client counts once: an IPv4 address is the
// same inside and outside IPv6, an IPv6 client is its /64, and a network is the /24 or /48 that one customer is given.

/** What an address that cannot be read counts as, so that garbage shares one allowance instead of escaping all. */
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
