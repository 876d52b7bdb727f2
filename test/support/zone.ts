// The behaving double of the DNS: a zone that a test writes, asked without a network. What is not in it does not exist.
import type { Dns, DnsAnswer } from '../../src/outbound/dns.ts';

export interface Zone extends Dns {
  /** Makes a name resolve to these addresses; none takes them away. */
  setAddresses(name: string, addresses: readonly string[]): void;
  /** Publishes the TXT records of a name; none takes them away. */
  setTxt(name: string, records: readonly string[]): void;
  /** Names the machines that take mail for a domain. */
  setMx(name: string, exchanges: readonly string[]): void;
  /** Answers every question as a DNS does that cannot, until it is given null. */
  fail(code: string | null): void;
}

export function createZone(): Zone {
  const addresses = new Map<string, readonly string[]>();
  const txt = new Map<string, readonly string[]>();
  const mx = new Map<string, readonly string[]>();
  let failing: string | null = null;
  const answer = (records: Map<string, readonly string[]>, name: string): Promise<DnsAnswer> => {
    if (failing !== null) return Promise.resolve({ failed: failing });
    const found = records.get(name) ?? [];
    return Promise.resolve(found.length > 0 ? { found } : { none: true });
  };
  return {
    addresses: (name) => answer(addresses, name),
    txt: (name) => answer(txt, name),
    mx: (name) => answer(mx, name),
    setAddresses: (name, values) => void addresses.set(name, values),
    setTxt: (name, values) => void txt.set(name, values),
    setMx: (name, values) => void mx.set(name, values),
    fail: (code) => {
      failing = code;
    },
  };
}
