// Parsers of single settings: each turns the text of one variable into a checked value, or a short description of what is
// valid. None of them reads the environment, the clock or the disk.

import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** Why a text is not a valid value, as the end of the sentence "NAME …". It never quotes the text. */
export class Unfit {
  /** `part` is the invalid part of a list; never show it for a secret. */
  constructor(
    readonly reason: string,
    readonly part?: string,
  ) {}
}

export type Parse<T> = (text: string) => T | Unfit;

/** A host and port; IPv6 hosts carry no brackets here. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$/;

/** A whole number in a range, written in plain digits. */
export function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : new Unfit(`must be a whole number from ${min} to ${max}`);
  };
}

/** One of a few words. Words in `later` are refused as not supported yet. */
export function choice<const W extends string>(words: readonly W[], later: readonly string[] = []): Parse<W> {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    const listed = words.join(', ');
    return new Unfit(
      later.includes(text) ? `=${text} is not supported yet; use ${listed}` : `must be one of ${listed}`,
    );
  };
}

/** `on` or `off`, as a boolean. */
export function onOff(text: string): boolean | Unfit {
  return text === 'on' ? true : text === 'off' ? false : new Unfit('must be on or off');
}

/** `1` for yes and `0` for no, as a boolean. */
export function oneZero(text: string): boolean | Unfit {
  return text === '1' ? true : text === '0' ? false : new Unfit('must be 1, or unset');
}

export function line(text: string): string | Unfit {
  return /^[^\p{Cc}]{1,1000}$/u.test(text) ? text : new Unfit('must be one line of at most 1000 characters');
}

/** The place of a file, made absolute. */
export function path(text: string): string | Unfit {
  const checked = line(text);
  return checked instanceof Unfit ? checked : resolve(checked);
}

/** A folder, made absolute, or `s3://bucket/prefix`. */
export function place(text: string): string | Unfit {
  if (!text.startsWith('s3://')) return path(text);
  const isBucket = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,62}(?:\/[^\s?#]{0,500})?$/.test(text);
  return isBucket ? text : new Unfit('must be a folder, or s3://bucket/prefix');
}

const HOUR_MS = 3_600_000;

/** The times of a repeated job: an interval such as `24h` or `7d`, or daily at `03:30` (UTC). */
export function schedule(text: string): { readonly every_ms: number } | { readonly at_ms: number } | Unfit {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) return { at_ms: Number(hours) * HOUR_MS + Number(minutes) * (HOUR_MS / 60) };
  const [, n, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? [];
  if (n === undefined) return new Unfit('must be a length as 24h or 7d, or a time of UTC as 03:30');
  return { every_ms: Number(n) * (unit === 'h' ? HOUR_MS : 24 * HOUR_MS) };
}

/** Kinds of data with a configurable retention. */
const RETAINED = ['events', 'messages', 'receipts', 'prompts'] as const;
/** Readers, retries and repeated requests may come back after days. */
const KEPT_DAYS_MIN = 7;

/** Retention times in milliseconds: `events=90d,messages=365d`. */
export function retention(text: string): Readonly<Partial<Record<(typeof RETAINED)[number], number>>> | Unfit {
  const kept: Partial<Record<(typeof RETAINED)[number], number>> = {};
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [, named, days] = /^([a-z]{1,20})=(\d{1,4})d$/.exec(part) ?? [];
    const name = RETAINED.find((each) => each === named);
    if (name === undefined || Number(days) < KEPT_DAYS_MIN || kept[name] !== undefined) {
      const names = RETAINED.join(', ');
      return new Unfit(`must be a list as events=90d of ${names}, each once and ${KEPT_DAYS_MIN}d or more ("${part}")`);
    }
    kept[name] = Number(days) * 24 * HOUR_MS;
  }
  return Object.freeze(kept);
}

/** Visible ASCII without blanks, as a header value can carry it. */
export function token(text: string): string | Unfit {
  return /^[\x21-\x7e]{1,255}$/.test(text) ? text : new Unfit('must be 1 to 255 visible characters without blanks');
}

/** Text that must match a pattern; `meaning` names it to the reader. */
export function pattern(shape: RegExp, meaning: string): Parse<string> {
  return (text) => (shape.test(text) ? text : new Unfit(`must be ${meaning}`));
}

/** A colour as `#1f5fd6`, lower case; also without its `#`, which begins a comment in some files of settings. */
export function color(text: string): string | Unfit {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(text) ?? [];
  return digits === undefined ? new Unfit('must be a colour as 1f5fd6') : `#${digits.toLowerCase()}`;
}

/** A host name or an IP address, lower case, IPv6 without brackets. */
export function host(text: string): string | Unfit {
  const name = text.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return isIP(name) !== 0 || HOST_NAME.test(name) ? name : new Unfit('must be a host name or an IP address');
}

/** A domain name, lower case. */
export function domainName(text: string): string | Unfit {
  const name = text.toLowerCase();
  return HOST_NAME.test(name) && isIP(name) === 0 ? name : new Unfit('must be a domain name');
}

/** A URL with one of the schemes and a host, without fragment; trailing slashes are dropped. */
export function url(schemes: readonly string[]): Parse<string> {
  const wanted = `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return (text) => {
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    if (!parsed || parsed.hostname === '' || !schemes.includes(parsed.protocol.slice(0, -1))) return new Unfit(wanted);
    return parsed.hash === '' ? text.replace(/\/{1,9}$/, '') : new Unfit(`${wanted} and has no #fragment`);
  };
}

/** A URL that paths are appended to: http or https, without query, fragment and credentials. */
export function baseUrl(text: string): string | Unfit {
  const checked = url(['http', 'https'])(text);
  if (checked instanceof Unfit) return checked;
  const { search, username, password } = new URL(checked);
  return search || username || password ? new Unfit('must be a URL without query, name and password') : checked;
}

/** A comma-separated list, each part parsed by `item`; blanks around parts and empty parts are dropped. */
export function list<T>(item: Parse<T>): Parse<readonly T[]> {
  return (text) => {
    const values: T[] = [];
    for (const part of text.split(',').map((each) => each.trim())) {
      if (part === '') continue;
      const value = item(part);
      if (value instanceof Unfit) return new Unfit(value.reason, part);
      values.push(value);
    }
    return Object.freeze(values);
  };
}

/** `name=value` of a header, its value percent-encoded (OpenTelemetry). */
export function headerPair(text: string): readonly [string, string] | Unfit {
  const [, name, value = ''] = /^([\w-]{1,100})=([\x21-\x7e]{0,2000})$/.exec(text) ?? [];
  if (name === undefined) return new Unfit('must be name=value');
  try {
    return Object.freeze([name.toLowerCase(), decodeURIComponent(value)] as const);
  } catch {
    return new Unfit('must be name=value, percent-encoded');
  }
}

/** `host:port`, an IPv6 host in brackets. */
export function hostPort(text: string): HostPort | Unfit {
  const [, name, digits] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text) ?? [];
  const parsedHost = name === undefined ? undefined : host(name);
  const parsedPort = digits === undefined ? undefined : integer(1, 65_535)(digits);
  if (typeof parsedHost !== 'string' || typeof parsedPort !== 'number') return new Unfit('must be host:port');
  return Object.freeze({ host: parsedHost, port: parsedPort });
}

/** `ip:port` in the form that `Resolver.setServers` takes; an address alone means port 53. */
export function dnsServer(text: string): string | Unfit {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  const parsed = isIP(bare) === 0 ? hostPort(text) : { host: bare, port: 53 };
  if (parsed instanceof Unfit || isIP(parsed.host) === 0) return new Unfit('must be ip:port');
  return isIP(parsed.host) === 6 ? `[${parsed.host}]:${parsed.port}` : `${parsed.host}:${parsed.port}`;
}

/** An e-mail address in lower case, as accounts are compared. */
export function email(text: string): string | Unfit {
  const address = text.toLowerCase();
  return /^[^\s@,]+@[^\s@,]+$/.test(address) ? address : new Unfit('must be an e-mail address');
}

/** A contact as a URI (RFC 9116, 2.5.3). */
export function contact(text: string): string | Unfit {
  const isMail = /^mailto:[^\s@,]{1,64}@[^\s@,]{1,255}$/.test(text);
  const isPage = /^https:\/\/[\x21-\x7e]{1,2000}$/.test(text) && URL.canParse(text);
  return isMail || isPage ? text : new Unfit('must be mailto: with an address, or a URL that begins with https://');
}
