// The world of the pictures: made through the API, with the same names, numbers and times in every run.

import { type ServedTest, serveTest } from '../support/a2a.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { matchesOf, publish } from '../support/matches.ts';
import { START_MS, type TestService } from '../support/testbed.ts';
import { fundWallet } from '../support/wallet.ts';

/** Ids that rise, and bytes that chance would give: the same in every run. */
function sameAgain(): { id: () => string; random: (bytes: number) => Uint8Array } {
  const time = START_MS.toString(16).padStart(12, '0');
  let ids = 0;
  let blocks = 0;
  const block = (): Uint8Array => {
    blocks += 1;
    return new Bun.CryptoHasher('sha256').update(`picture ${blocks}`).digest();
  };
  return {
    id: () => {
      ids += 1;
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${ids.toString(16).padStart(12, '0')}`;
    },
    random: (bytes) => {
      const given = new Uint8Array(bytes);
      for (let at = 0; at < bytes; at += 32) given.set(block().subarray(0, Math.min(32, bytes - at)), at);
      return given;
    },
  };
}

const EMAILS = { full: 'ann@example.org', fresh: 'cleo@example.org', nobody: 'dan@example.org' } as const;
/** Whose window a page is shown in: who has everything, who has an agent and nothing else, who has no agent. */
export type Who = keyof typeof EMAILS;

/** A world that is served, and what its pages are named by. */
export interface World extends ServedTest {
  readonly emails: typeof EMAILS;
  readonly ids: Readonly<Record<'match' | 'talk' | 'running' | 'quarrel' | 'listing' | 'request', string>>;
}

type Body = Readonly<Record<string, unknown>>;

/** One call as an agent's person; answers its body. */
async function as(t: TestService, { token, handle }: TestAgent, method: string, path: string, body?: Body) {
  const answer = await t.call(method, path, { token, agent: handle, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const LISTINGS: Readonly<Record<string, Body>> = {
  logo: {
    card_type: 'selling',
    headline: 'Logo design in two days',
    description: 'Friendly logos for small shops: three drafts, one of them finished, all files.',
    labels: ['logo-design', 'branding'],
    price_cents: 50_000,
    geo: 'Berlin, Germany',
  },
  bakery: {
    card_type: 'buying',
    headline: 'A logo for my bakery',
    description: 'A friendly logo for a small shop that opens in August.',
    labels: ['logo-design'],
    budget_cents: 90_000,
    geo: 'Berlin, Germany',
  },
  label: {
    card_type: 'buying',
    headline: 'A label for bottles of cider',
    description: 'Drawn by hand, two colours.',
    labels: ['branding', 'illustration'],
    budget_cents: 40_000,
    geo: 'Leeds, UK',
  },
  photos: {
    card_type: 'buying',
    headline: 'Photographs of thirty products',
    description: 'For a web shop, on white.',
    labels: ['product-photography'],
    budget_cents: 120_000,
  },
};

/** A conversation that somebody begins with an agent. */
async function talk(t: TestService, from: TestAgent, to: TestAgent, texts: readonly string[]): Promise<string> {
  const [first = '', ...rest] = texts;
  const hello = { handle: to.handle, content: first };
  const begun = await t.call('POST', '/tools/mesh_start_conversation', { key: from.key, body: hello });
  const id: string = begun.body.conversation_id;
  for (const [n, content] of rest.entries()) {
    await as(t, n % 2 === 0 ? to : from, 'POST', `/api/conversations/${id}/messages`, { content });
  }
  return id;
}

/** A deal that is agreed and paid for, in two parts. */
async function dealt(t: TestService, buyer: TestAgent, seller: TestAgent, id: string, cents: number): Promise<string> {
  const half = cents / 2;
  const milestones = [
    { title: 'Three drafts', amount_cents: half },
    { title: 'All files', amount_cents: half },
  ];
  const path = `/api/conversations/${id}`;
  await as(t, seller, 'POST', `${path}/propose`, { amount_cents: cents, side: 'seller', milestones });
  const { escrow_id } = await as(t, buyer, 'POST', `${path}/approve`, {});
  return escrow_id;
}

/** What the one who has everything sees. */
async function fill(t: TestService): Promise<World['ids']> {
  const person = (handle: string, display_name: string, pro = true): Promise<TestAgent> =>
    newAgent(t, { handle, verified: true, pro, body: { display_name } });
  const ann = await person('ann', 'Ann Draws');
  const bob = await person('bob', 'Bob’s Bakery');
  const eve = await person('eve', 'Eve Presses');
  const fay = await person('fay', 'Fay Prints');
  await newAgent(t, { handle: 'cleo', verified: true });
  await t.call('POST', '/api/auth/signup/start', { body: { email: EMAILS.nobody } });
  await fundWallet(t, bob.id, 300_000);
  await fundWallet(t, ann.id, 150_000);
  const listing = await publish(t, ann, LISTINGS['logo'] ?? {});
  await publish(t, ann, LISTINGS['photos'] ?? {});
  await publish(t, bob, LISTINGS['bakery'] ?? {});
  await publish(t, eve, LISTINGS['label'] ?? {});
  const [{ match_id: match }] = await matchesOf(t, ann);
  const open = await talk(t, bob, ann, [
    'We open in August and need a logo. Would two days still be true in July?',
    'Yes, from the tenth on. Do you have a name already?',
    'It is called Brot am Eck. Something warm, please.',
  ]);
  await as(t, bob, 'POST', `/api/conversations/${open}/propose`, {
    amount_cents: 48_000,
    side: 'buyer',
    terms: 'One logo, all files',
  });
  const running = await talk(t, eve, ann, ['A label for our cider, drawn by hand?', 'Gladly. Two colours?', 'Two.']);
  await fundWallet(t, eve.id, 200_000);
  const deal = await dealt(t, eve, ann, running, 40_000);
  const work = { milestone_index: 0, url: 'https://files.example/drafts', description: 'Three drafts' };
  await as(t, ann, 'POST', `/api/wallet/escrow/${deal}/deliverable`, work);
  const quarrel = await talk(t, ann, fay, ['Could you print two hundred cards?', 'By Friday.']);
  const disputed = await dealt(t, ann, fay, quarrel, 12_000);
  await as(t, ann, 'POST', `/api/wallet/escrow/${disputed}/dispute`, { reason: 'The cards are blue, not green.' });
  const knows = { title: 'How I work', text: 'Three drafts, then one round of changes.' };
  await as(t, ann, 'POST', '/api/knowledge', knows);
  const wish = {
    headline: 'A printer for two hundred cards',
    description: 'Thick paper, one colour.',
    labels: ['printing'],
    budget_cents: 30_000,
    closes_at: new Date(START_MS + 7 * 86_400_000).toISOString(),
  };
  const { request_id: request } = await as(t, eve, 'POST', '/api/demand', wish);
  return { match, talk: open, running, quarrel, listing, request };
}

/** Serves the world, with its app. */
export async function openWorld(): Promise<World> {
  const served = await serveTest({}, { app: true, ...sameAgain() });
  const ids = await fill(served.t);
  await served.t.rest();
  return { ...served, emails: EMAILS, ids };
}
