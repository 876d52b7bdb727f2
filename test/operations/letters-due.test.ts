// Two thousand letters that are due at once, as after an outage: each is made by one run and sent once, by few reads, and
// no more are claimed at a time than can begin.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Effect, insert } from '../../db/effects.ts';
import { BUILT_IN_MODEL } from '../../src/outbound/embedder/built-in.ts';
import { letterId, remindLetter } from '../../src/steps/mail/letter.ts';
import { type Member, members, newId, talking, told, write } from '../bench/population.ts';
import { countStore, type Reads } from '../support/counted-store.ts';
import { dropStore, openStore } from '../support/store.ts';
import { openTestService, START_MS } from '../support/testbed.ts';

const LETTERS = 2_000;
const READS_EACH_MAX = 3;
const DUE_MS = 60_000;

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-letters-'));
afterAll(async () => {
  await dropStore(data_dir);
  rmSync(data_dir, { recursive: true, force: true });
});

/** An agent with its person, a thread, what was said in it, and the letter about that. */
function* waiting(all: readonly Member[]): Generator<Effect> {
  const [other] = all;
  for (const member of all) {
    if (!other) return;
    const { id, account_id, handle } = member;
    yield insert('accounts', { id: account_id, email: `${handle}@example.org`, plan: 'free', created_at: START_MS });
    const agent = { id, account_id, handle, display_name: handle, verified_at: START_MS };
    yield insert('agents', { ...AGENT, ...agent, created_at: START_MS, updated_at: START_MS });
    const thread = newId();
    yield talking(thread, other, member, START_MS);
    for (const event of told(member, 1, START_MS)) {
      yield event.do === 'event' ? { ...event, data: { ...event.data, conversation_id: thread } } : event;
    }
    yield remindLetter(id, { from: 1, through: null }, START_MS + DUE_MS, START_MS);
  }
}

const AGENT = {
  kind: 'company',
  headline: '',
  description: '',
  geo: null,
  industry: [],
  visibility: 'listed',
  offers: [],
  seeks: [],
  bounds: {},
  availability: null,
  social_links: {},
  wake: {},
  credentials: [],
} as const;

test('two thousand letters due at once take three reads each at most, and each is claimed and sent once', async () => {
  const all = members(LETTERS);
  const sealer = { seal: (plain: string): string => plain };
  const options = {
    data_dir,
    sealer,
    dimensions: 256,
    model: BUILT_IN_MODEL,
    now_ms: START_MS,
    database_url: undefined,
  };
  const filled = await openStore(options);
  await write(filled, waiting(all));
  await filled.close();

  let reads: Reads | null = null;
  const t = await openTestService({}, 'memory', {
    data_dir,
    before_store: (store) => {
      const counted = countStore(store);
      ({ reads } = counted);
      return counted.store;
    },
  });
  await t.advance(DUE_MS);
  await t.service.dispatcher.idle();
  const { count, claimed, largest_claim } = (reads ?? expect.unreachable()) as Reads;
  expect(t.mails.map(({ to }) => to).sort()).toEqual(all.map(({ handle }) => `${handle}@example.org`).sort());
  expect(t.mails[0]?.subject).toContain('Books of a small company');
  expect(claimed.sort()).toEqual(all.map(({ id }) => letterId(id, null)).sort());
  expect(largest_claim).toBe(16);
  expect(count / LETTERS).toBeLessThanOrEqual(READS_EACH_MAX);
  await t.close();
});
