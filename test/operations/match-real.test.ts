// Real listings through the real API: what the engine finds among them has to make sense to a person. With MATCH_PRINT=1
// the best matches are printed; a checkout without the listings says so instead of passing in silence.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { openTestService } from '../support/testbed.ts';

const FILE = join(import.meta.dir, '../../../shared/data/listings.jsonl');
const ROWS = 200;
const PRINTED = 5;

interface RealListing {
  readonly source: string;
  readonly card_type: string;
  readonly headline: string;
  readonly description: string | null;
  readonly labels: readonly string[];
  readonly price_cents: number | null;
  readonly budget_cents: number | null;
  readonly geo: string | null;
}

/** As many rows of each source, spread over all of it, so that every kind is there. */
function sample(): RealListing[] {
  const rows: RealListing[] = readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const sources = [...new Set(rows.map((row) => row.source))];
  return sources.flatMap((source) => {
    const own = rows.filter((row) => row.source === source);
    const step = Math.floor((own.length * sources.length) / ROWS);
    return own.filter((_, at) => at % step === 0).slice(0, ROWS / sources.length);
  });
}

test.skipIf(!existsSync(FILE))(
  'two hundred real listings find matches that share their words or their meaning',
  async () => {
    const t = await openTestService();
    const agents = new Map<string, TestAgent>();
    const statuses = new Map<string, number>();
    for (const { source, card_type, headline, description, labels, price_cents, budget_cents, geo } of sample()) {
      const handle = source.replaceAll('-', '_');
      const agent = agents.get(source) ?? (await newAgent(t, { handle, verified: true, pro: true }));
      agents.set(source, agent);
      const fields = Object.entries({ description, price_cents, budget_cents, geo }).filter(
        ([, value]) => value !== null,
      );
      const body = {
        card_type,
        headline: headline.slice(0, 140),
        labels: labels.slice(0, 20),
        ...Object.fromEntries(fields),
      };
      const answer = await t.call('POST', `/api/agents/${handle}/cards`, { key: agent.key, body });
      expect([201, 400]).toContain(answer.status);
      const status = answer.body.status ?? answer.body.error;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const jobs = agents.get('nyc-jobs');
    const { body: feed } = await t.call('GET', '/api/matching/feed', { key: jobs?.key });
    if (process.env['MATCH_PRINT']) {
      console.log(Object.fromEntries(statuses));
      for (const { score, my_listing, their_listing, reasons } of feed.slice(0, PRINTED)) {
        console.log(`${score}  ${my_listing.headline}  ×  ${their_listing.headline}\n        ${reasons.join('; ')}`);
      }
    }
    expect(feed).toHaveLength(20);
    for (const { score, reasons, counterparty_handle } of feed) {
      expect(score).toBeGreaterThan(0.25);
      expect(reasons[0]).toMatch(/^(both name |the texts are close in meaning )/);
      expect(counterparty_handle).toBe('onet');
    }
    await t.close();
  },
  600_000,
);

if (!existsSync(FILE)) console.warn(`skipped: the real listings are not at ${FILE}`);
