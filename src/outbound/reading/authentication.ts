// Authenticates a mail by SPF, DKIM and DMARC (RFC 7208, 6376, 7489), with the service's own resolver. It runs in a thread of
// its own (`reading-worker.ts`) with a deadline of a few seconds.
import { isIPv4 } from 'node:net';
import { type AuthenticateResult, authenticate } from 'mailauth';
import { parse } from 'tldts';
import type { Dns, DnsAnswer } from '../dns.ts';

/** How a mail arrived; null where unknown, as for mail over HTTP. */
export interface MailPath {
  readonly client_ip: string | null;
  /** The client's EHLO name. */
  readonly client_name: string | null;
  /** MAIL FROM, empty for reports. */
  readonly envelope_from: string | null;
}

export interface MailAuthentication {
  /** `spf`, `dkim` and `dmarc` with their result keywords (RFC 8601, 2.7), `dmarc_policy` if the domain has one. */
  readonly results: Readonly<Record<string, string>>;
  /** Whether SPF or DKIM passes for the domain of its author (RFC 7489, 3.1); `unknown` when SPF cannot be checked without the
   * mail's path; `unanswered` when the DNS gave no answer. */
  readonly aligned: 'yes' | 'no' | 'unknown' | 'unanswered';
}

/** For all DNS queries together; the sender waits for them. */
const DEADLINE_MS = 8_000;
/** DNS queries for one mail: SPF allows ten look-ups with a few each, DKIM one a signature, DMARC a handful. */
const QUESTIONS_MAX = 60;

function records(answer: DnsAnswer): readonly string[] {
  if ('found' in answer) return answer.found;
  const code = 'none' in answer ? 'ENOTFOUND' : 'ESERVFAIL';
  throw Object.assign(new Error(code), { code });
}

/** The longest string of a TXT record (RFC 1035, 3.3.14). */
const STRING_MAX = 255;

/**
 * Joins TXT records. Bun 1.4 returns each string of a record as a record of its own, and no key of 2,048 bits fits into one
 * string: a DKIM name has one record (RFC 6376, 3.6.2.2), elsewhere a full string continues in the next.
 */
function wholeRecords(name: string, strings: readonly string[]): string[] {
  if (/\._domainkey\./i.test(name)) return strings.length > 0 ? [strings.join('')] : [];
  const whole: string[] = [];
  let open = false;
  for (const text of strings) {
    whole.push(open ? `${whole.pop() ?? ''}${text}` : text);
    open = Buffer.byteLength(text) === STRING_MAX;
  }
  return whole;
}

/** The resolver in the form that the library asks: it expects what node:dns answers and throws. */
function resolverOf(dns: Dns, signal: AbortSignal): (name: string, type: string) => Promise<never[]> {
  let asked = 0;
  const ask = async (name: string, type: string): Promise<unknown[]> => {
    asked += 1;
    if (asked > QUESTIONS_MAX) throw Object.assign(new Error('too many questions'), { code: 'ESERVFAIL' });
    switch (type) {
      case 'TXT':
        return wholeRecords(name, records(await dns.txt(name, signal))).map((text) => [text]);
      case 'A':
        return records(await dns.addresses(name, signal)).filter(isIPv4);
      case 'AAAA':
        return records(await dns.addresses(name, signal)).filter((address) => !isIPv4(address));
      case 'MX':
        return records(await dns.mx(name, signal)).map((exchange, priority) => ({ exchange, priority }));
      default:
        // PTR should not be used (RFC 7208, 5.5); other types do not decide.
        return [...records({ none: true })];
    }
  };
  // The library's types have only TXT and A; it accepts node:dns answers for the others too.
  return ask as (name: string, type: string) => Promise<never[]>;
}

/** The registered domain of a host, within which SPF and DKIM are aligned. */
const siteOf = (host: string): string => parse(host, { allowPrivateDomains: true }).domain ?? host.toLowerCase();

function alignment({ spf, dkim, dmarc }: AuthenticateResult, path: MailPath): MailAuthentication['aligned'] {
  const author = dkim.headerFrom[0]?.split('@').at(-1) ?? '';
  const sent = path.client_ip !== null && spf && spf.status.result === 'pass' && siteOf(spf.domain) === siteOf(author);
  const signed = dkim.results.some(({ status }) => status.result === 'pass' && status.aligned);
  if (sent || signed || (dmarc && dmarc.status.result === 'pass')) return 'yes';
  const results = [spf ? spf.status.result : 'none', ...dkim.results.map(({ status }) => status.result)];
  if (path.client_ip === null) return 'unknown';
  return results.includes('temperror') ? 'unanswered' : 'no';
}

function summary(told: AuthenticateResult, path: MailPath): MailAuthentication {
  const { spf, dkim, dmarc } = told;
  const signatures = dkim.results.map(({ status }) => status.result);
  const verdict = dmarc ? dmarc.status.result : 'none';
  const policy = dmarc ? dmarc.policy : undefined;
  return {
    results: {
      spf: path.client_ip === null ? 'unknown' : spf ? spf.status.result : 'none',
      dkim: signatures.includes('pass') ? 'pass' : (signatures[0] ?? 'none'),
      // Without the client's address SPF might have passed, so a failure is unknown.
      dmarc: path.client_ip === null && verdict === 'fail' ? 'unknown' : verdict,
      ...(policy ? { dmarc_policy: policy } : {}),
    },
    aligned: alignment(told, path),
  };
}

const UNTOLD: MailAuthentication = {
  results: { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' },
  aligned: 'unanswered',
};

/** Never throws. After the deadline every result is `temperror`. `mta` is our own name. */
export async function authenticateMail(
  raw: Buffer,
  path: MailPath,
  dns: Dns,
  mta: string,
  deadline_ms = DEADLINE_MS,
): Promise<MailAuthentication> {
  const abort = new AbortController();
  const late = Promise.withResolvers<MailAuthentication>();
  const timer = setTimeout(() => late.resolve(UNTOLD), deadline_ms);
  const told = async (): Promise<MailAuthentication> => {
    const result = await authenticate(raw, {
      // Without an address SPF has nothing to compare: it is asked about a non-existent name.
      ...(path.client_ip === null
        ? { helo: 'unknown.invalid', sender: '' }
        : { ip: path.client_ip, helo: path.client_name ?? path.client_ip, sender: path.envelope_from ?? '' }),
      mta,
      resolver: resolverOf(dns, abort.signal),
      rejectRsaSha1: true,
      disableArc: true,
      disableBimi: true,
    });
    return summary(result, path);
  };
  try {
    return await Promise.race([told().catch(() => UNTOLD), late.promise]);
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
