// Calls to the outside: DNS records, given addresses, the endpoints of agents, the payment processor. Each waits for a slot of its
// host, with a deadline.

import type { EndpointColumn } from '../../db/schema/agent.ts';
import type { FlowPorts } from '../contract/ports.ts';
import { type CardInterface, usableInterfaces } from '../domain/agent/foreign-card.ts';
import { type Fault, invalid } from '../domain/fault.ts';
import { fetchCard, judgeSignature } from '../outbound/agent-card.ts';
import { holdsText } from '../outbound/dns.ts';
import { hmac } from '../outbound/hash.ts';
import type { Called, Processor } from '../outbound/processor/processor.ts';
import type { SafeHttp } from '../outbound/safe-http/safe-http.ts';

type Http = Pick<SafeHttp, 'request' | 'check'>;

/** The best of the ways that a card names, of those that may be called at all. */
async function firstSafe(http: Http, ways: readonly CardInterface[]): Promise<CardInterface | null> {
  for (const way of ways) if ((await http.check(way.url)) === null) return way;
  return null;
}

/** The card of an address; null when the host did not answer. */
export async function lookAtEndpoint(
  http: Http,
  registered: string,
  now_ms: number,
  gone: AbortSignal,
): Promise<EndpointColumn | null> {
  const found = await fetchCard(
    http,
    registered,
    (card, place) => usableInterfaces(card, registered, place).length > 0,
    gone,
  );
  if (found.is === 'unreachable') return null;
  const way = found.is === 'card' && (await firstSafe(http, usableInterfaces(found.card, registered, found.place)));
  if (!way) {
    const unknown = { url: registered, dialect: null, binding: 'JSONRPC', tenant: null, signature: 'none' } as const;
    return { ...unknown, checked_at: now_ms };
  }
  const signature = await judgeSignature(http, found.card, found.place.url, gone);
  return { ...way, signature, checked_at: now_ms };
}

// The TXT record that proves a domain, and its check. The token is keyed by the service's secret, so an agent always gets the
// same record while the data directory lives, and nothing is stored until the proof.

/** Of the HMAC's 64 hex digits; 128 bits cannot be guessed. */
const TOKEN_CHARS = 32;

/** For the whole look-up, by the wall clock. */
export const LOOKUP_MS = 5_000;

interface DomainRecord {
  readonly name: string;
  readonly type: 'TXT';
  readonly value: string;
}

/** The record that an agent has to publish for a domain. */
export function domainRecord(secret: Uint8Array, agent_id: string, domain: string): DomainRecord {
  const token = hmac(secret, `domain-proof:${agent_id}:${domain}`).slice(0, TOKEN_CHARS);
  return { name: `_meshwork.${domain}`, type: 'TXT', value: `meshwork-verify=${token}` };
}

/** Whether a record exists: `missing` by the DNS's answer, `unknown` without one. `note` is the text for a person. */
type Standing =
  | { readonly is: 'standing' }
  | { readonly is: 'missing'; readonly note: string }
  | { readonly is: 'unknown'; readonly note: string };

/** Looks the record up, without a cache, for a caller that waits for it. */
export async function recordStandingInTime(
  ports: Pick<FlowPorts, 'dns' | 'tasks'>,
  domain: string,
  record: DomainRecord,
): Promise<Standing> {
  const work = (gone: AbortSignal): Promise<Standing> => recordStanding(ports, record, gone);
  // The slots are the domain's: it is its own servers that may be slow.
  const standing = await ports.tasks.call({ hosts: [domain], deadline_ms: 2 * LOOKUP_MS, looks: true, work });
  return standing ?? { is: 'unknown', note: 'The DNS did not respond in time; try again later.' };
}

/** The same as part of a background task. */
export async function recordStanding(
  { dns }: Pick<FlowPorts, 'dns'>,
  { name, value }: DomainRecord,
  gone: AbortSignal,
): Promise<Standing> {
  const late = AbortSignal.timeout(LOOKUP_MS);
  const answer = await dns.txt(name, AbortSignal.any([late, gone]));
  if ('failed' in answer) return { is: 'unknown', note: `The DNS lookup failed (${answer.failed}); try again later.` };
  if ('none' in answer)
    return { is: 'missing', note: 'The record is not there yet; a new one can take a while to show.' };
  if (holdsText(answer.found, value)) return { is: 'standing' };
  return { is: 'missing', note: 'There is a TXT record with that name, but with another value.' };
}

/** The ports for checking an address. */
type UrlPorts = Pick<FlowPorts, 'http' | 'tasks'>;

/** The refusal of an address that would not be called, naming its field; null when it would. */
export async function urlFault(
  ports: UrlPorts,
  url: string | undefined,
  path: string,
): Promise<Fault<'invalid_request'> | null> {
  const problem = url === undefined ? null : await urlProblem(ports, url);
  return problem === null ? null : invalid({ path, message: problem });
}

// Whether the service would call a given address, asked before the turn that stores it.

/** For the DNS's answer and the wait for a slot. */
const CHECK_MS = 3_000;

/** Why an address would not be called, as a sentence for the caller; null when it would, or when the check timed out:
 * each call checks it again. */
export function urlProblem({ http, tasks }: UrlPorts, url: string): Promise<string | null> {
  const host = URL.parse(url)?.hostname;
  const hosts = host === undefined ? [] : [host];
  return tasks.call({ hosts, deadline_ms: CHECK_MS, looks: true, work: () => http.check(url) });
}

/** Several of Stripe's own round trips; a person waits for the page. */
const ASK_MS = 20_000;

/** Asks the processor; its name is the slot's host, so that a slow one fills only its own slots. */
export async function askProcessor<T>(
  { tasks }: Pick<FlowPorts, 'tasks'>,
  processor: Processor,
  ask: (processor: Processor) => Promise<Called<T>>,
): Promise<Called<T>> {
  try {
    const work = (): Promise<Called<T>> => ask(processor);
    const called = await tasks.call({ hosts: [`payments:${processor.name}`], deadline_ms: ASK_MS, work });
    return called ?? { outcome: 'unknown', reason: 'no answer in time' };
  } catch (error) {
    return { outcome: 'unknown', reason: error instanceof Error ? error.message : 'no answer' };
  }
}
