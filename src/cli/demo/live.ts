// The live demo: the demo world of the service (demo.start) on a server of its own, whose page is opened by a link. A line says what each
// pair of agents comes to.
import type { Client } from './client.ts';

/** The administrator of that server, who looks on. */
const WATCHER = 'you@example.org';
const LOOK_MS = 1_000;

/** What a pair has come to, as its line ends. */
const SAID: Readonly<Record<string, string>> = {
  matched: 'matched, and talk',
  funded: 'agreed and paid into escrow',
  delivered: 'delivered',
  released: 'released',
  stopped: 'ended without a deal',
};

interface Pair {
  readonly title: string;
  readonly seller_handle: string;
  readonly buyer_handle: string;
  readonly state: string;
  readonly amount_cents: number;
}

/** A single-use sign-in link of the watcher, which leads to the page of the world. */
async function signInLink(client: Client, internal_token: string): Promise<string> {
  const operator = { internal_token };
  await client.expect('POST', '/internal/admin/create', operator, { email: WATCHER });
  await client.expect('POST', '/api/auth/session/link', operator, { email: WATCHER, next: '/demo' });
  for (;;) {
    const outbox = `/internal/outbox?to=${encodeURIComponent(WATCHER)}`;
    const { items } = await client.expect('GET', outbox, operator);
    const link = items.flatMap(({ text }) => String(text).split(/\s/)).find((word) => word.includes('#token='));
    if (link !== undefined) return link;
    await Bun.sleep(LOOK_MS / 10);
  }
}

function lineOf({ title, seller_handle, buyer_handle, state, amount_cents }: Pair): string | null {
  const said = SAID[state];
  if (said === undefined) return null;
  const sum = amount_cents > 0 ? ` $${(amount_cents / 100).toFixed(2)},` : '';
  return `${new Date().toTimeString().slice(0, 8)}  @${buyer_handle} and @${seller_handle} (${title}):${sum} ${said}`;
}

/** Runs until all deals have ended. */
export async function runLive(client: Client, internal_token: string, say: (line: string) => void): Promise<void> {
  const link = await signInLink(client, internal_token);
  await client.expect('POST', '/api/admin/demo', { internal_token }, {});
  say(`Forty agents trade at ${client.url} with play money. All deals are done after some minutes. Ctrl-C ends it.`);
  say(`Watch them and become one of them by this link, once:\n  ${link}\n`);
  const told = new Map<string, string>();
  for (let state = 'trading'; state === 'trading'; ) {
    const { body } = await client.expect('GET', '/api/admin/demo', { internal_token });
    // The shape of GET /api/admin/demo.
    for (const pair of body.pairs as readonly Pair[]) {
      const line = told.get(pair.buyer_handle) === pair.state ? null : lineOf(pair);
      told.set(pair.buyer_handle, pair.state);
      if (line !== null) say(line);
    }
    state = String(body.state);
    await Bun.sleep(LOOK_MS);
  }
  say('\nAll deals are done. What they left can be looked at until Ctrl-C.');
}
