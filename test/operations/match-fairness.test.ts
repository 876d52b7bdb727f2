// One caller's matching does not hold up the others: between two listings the event loop comes round, however many runs
// are asked for at once, and hostile texts cost no more than their length.
import { beforeAll, expect, test } from 'bun:test';
import { hyphenate } from '../../src/domain/text/fold.ts';
import { words } from '../../src/outbound/embedder/built-in.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';

const ITEMS = 20;
const RUNS = 5;

const t = sharedService();
let agent: TestAgent;
beforeAll(async () => {
  agent = await newAgent(t, { handle: 'many', verified: true });
  const items = (side: string): object[] =>
    Array.from({ length: ITEMS }, (_, i) => ({
      card_type: 'partnering',
      headline: `${side} ${i}`,
      labels: ['paper'],
    }));
  const body = { offers: items('offer'), seeks: items('seek') };
  expect((await t.call('POST', '/api/onboarding/intake', { key: agent.key, body })).status).toBe(200);
});

/** How often the event loop came round while a promise was pending. */
async function roundsDuring(work: Promise<unknown>): Promise<number> {
  let rounds = 0;
  let pending = true;
  const count = (): void => {
    if (!pending) return;
    rounds += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work;
  pending = false;
  return rounds;
}

test('runs over many listings let others through between any two of them', async () => {
  const runs = Promise.all(
    Array.from({ length: RUNS }, () => t.call('POST', '/api/matching/run', { key: agent.key, body: {} })),
  );
  expect(await roundsDuring(runs)).toBeGreaterThanOrEqual(RUNS * 2 * ITEMS);
  expect((await runs).map(({ status }) => status)).toEqual(Array(RUNS).fill(200));
});

test('a text of signs that stand for whole phrases is cut to a few times its length', () => {
  const text = '\ufdfa'.repeat(5_000);
  expect(hyphenate(text).length).toBeLessThan(text.length * 5);
  expect(words(text).join('').length).toBeLessThan(text.length * 5);
  // A short one is read whole.
  expect(hyphenate('\ufdfa')).toBe('sla-llh-lyh-wslm');
});
