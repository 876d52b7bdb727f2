// Loads listings, each with an agent of its own, two to an account, the Free plan's limit. A few accounts at once; refusals
// of the API are counted by code, and all other errors end the demo.
import type { Caller, Client } from './client.ts';
import type { Sample } from './listings.ts';
import { DemoProblem } from './problem.ts';
import type { Progress } from './progress.ts';

// Signs an account up and creates its agents, call by call as a program would: a key by a mailed code, handles, and for each agent an
// administrator's approval to publish. Codes and calls without a key carry the server's own token, so that they do not count against
// the rate of the operator's address.

/** An agent that may publish. */
interface DemoAgent {
  readonly handle: string;
  readonly account: Caller;
}

interface NewAccount {
  readonly email: string;
  readonly handles: readonly string[];
}

/** The newest code that the service sent to an address: a line of six digits. */
async function codeSentTo(client: Client, internal_token: string, to: string): Promise<string> {
  const { items } = await client.expect('GET', `/internal/outbox?to=${encodeURIComponent(to)}`, { internal_token });
  // Other letters may have come after it.
  const [code] = items.flatMap(({ text }) => String(text).match(/^\d{6}$/m)?.[0] ?? []);
  if (code === undefined) throw new DemoProblem(1, `no code for ${to} is in the server's outbox`);
  return code;
}

/** Signs up and answers the account's agents, each verified. */
async function signUp(client: Client, internal_token: string, account: NewAccount): Promise<DemoAgent[]> {
  const { email, handles } = account;
  const operator = { internal_token };
  await client.expect('POST', '/api/auth/signup/start', operator, { email });
  const code = await codeSentTo(client, internal_token, email);
  const { body } = await client.expect('POST', '/api/auth/signup/verify', operator, {
    email,
    code,
    client_name: 'demo',
  });
  const key = String(body.api_key);
  const made: DemoAgent[] = [];
  for (const handle of handles) {
    await client.expect('POST', '/api/agents', { key }, { handle, display_name: handle.replaceAll('_', ' ') });
    const vouched = { reference: `demo ${handle}`, reason: 'an agent of the demo; nobody was checked' };
    await client.expect('POST', `/api/admin/agents/${handle}/identity`, operator, vouched);
    made.push({ handle, account: { key, handle } });
  }
  return made;
}

/** The Free plan's listings (GET /api/billing/plans). */
const LISTINGS_PER_ACCOUNT = 2;
/** Accounts created at once; more would only wait for each other in the server. */
const CONCURRENCY = 16;
const HANDLE_MAX = 30;

/** A listing as the API answered it. */
export interface Loaded {
  readonly sample: Sample;
  readonly agent: DemoAgent;
  readonly listing_id: string;
  readonly status: string;
  readonly missing: readonly string[];
}

export interface LoadResult {
  readonly accounts: number;
  readonly loaded: readonly Loaded[];
  /** Listings that were refused, by error code, each with the first one's headline. */
  readonly refused: ReadonlyMap<string, { count: number; readonly headline: string }>;
  readonly took_ms: number;
}

/** Names for the agents and accounts of one run. */
interface Names {
  handle(id: string): string;
  email(n: number): string;
}

/** `run` keeps the names of runs on a shared server apart; null on a server of its own. */
export function namesFor(run: string | null): Names {
  const tail = run === null ? '' : `_${run}`;
  const taken = new Set<string>();
  return {
    handle: (id) => {
      // A separate number would be taken for a phone number.
      const folded = id
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '_')
        .replace(/(^|_)(?=\d{7})/g, '$1n');
      for (let n = 1; ; n += 1) {
        const end = n === 1 ? tail : `_${n}${tail}`;
        const handle = `${folded.slice(0, HANDLE_MAX - end.length)}${end}`.padEnd(3, '_');
        if (!taken.has(handle)) {
          taken.add(handle);
          return handle;
        }
      }
    },
    email: (n) => `demo${n}${run === null ? '' : `.${run}`}@example.org`,
  };
}

/** Runs `work` over the items, so many at once; the first failure ends all. */
export async function eachAtOnce<T>(items: readonly T[], work: (item: T, at: number) => Promise<void>): Promise<void> {
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of queue) await work(item, at);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
}

/** Signs up accounts and publishes the samples, each with an agent of its own. */
export async function load(
  client: Client,
  internal_token: string,
  samples: readonly Sample[],
  names: Names,
  progress: Progress,
): Promise<LoadResult> {
  const started = performance.now();
  const groups = Array.from({ length: Math.ceil(samples.length / LISTINGS_PER_ACCOUNT) }, (_, at) =>
    samples.slice(at * LISTINGS_PER_ACCOUNT, (at + 1) * LISTINGS_PER_ACCOUNT),
  );
  const loaded: Loaded[] = [];
  const refused = new Map<string, { count: number; headline: string }>();
  const publish = async (sample: Sample, agent: DemoAgent): Promise<void> => {
    const path = `/api/agents/${agent.handle}/cards`;
    const { status, body } = await client.call('POST', path, agent.account, sample.body);
    if (status === 201) {
      const { missing = [] } = Object(body.completeness) as { missing?: string[] };
      loaded.push({ sample, agent, listing_id: String(body.id), status: String(body.status), missing });
    } else {
      const code = String(body.error ?? status);
      const known = refused.get(code);
      if (known) known.count += 1;
      else refused.set(code, { count: 1, headline: sample.headline });
    }
    progress.step();
  };
  await eachAtOnce(groups, async (group, at) => {
    const handles = group.map(({ id }) => names.handle(id));
    const account = { email: names.email(at + 1), handles };
    const agents = await signUp(client, internal_token, account);
    for (const [i, sample] of group.entries()) {
      const agent = agents[i];
      if (agent) await publish(sample, agent);
    }
  });
  return { accounts: groups.length, loaded, refused, took_ms: performance.now() - started };
}
