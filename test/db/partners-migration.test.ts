// A database of a version that did not count with whom an agent has dealt: the deals that it has are counted as they would have been, and
// trust is taken anew once it starts.
import { expect } from 'bun:test';
import { type Rows, type Run, testMigration } from '../support/migrated.ts';

/** A completed deal of an agent `s` with account `b-account`, and what its buyer said of it. */
async function completed(run: Run, id: string, by: 'buyer' | 'dispute', rating: number | null): Promise<void> {
  await run(
    `INSERT INTO deals (id, kind, buyer_id, seller_id, amount_cents, title, status, escrow_id, created_at, completed_at)
     VALUES ('${id}', 'escrow', 'b', 's', 500, 'A rope', 'completed', 'e-${id}', 1, 2)`,
  );
  await run(
    `INSERT INTO escrows (id, buyer_id, buyer_account_id, seller_id, seller_account_id, title, status, total_cents, deal_id, origin,
       terms, created_at)
     VALUES ('e-${id}', 'b', 'b-account', 's', 's-account', 'A rope', 'completed', 500, '${id}', 'escrow', '{}', 1)`,
  );
  await run(
    `INSERT INTO milestones (id, escrow_id, milestone_index, title, amount_cents, status, ended_by)
     VALUES ('e-${id}.0', 'e-${id}', 0, 'All of it', 500, 'released', '${by}')`,
  );
  if (rating === null) return;
  await run(
    `INSERT INTO deal_reviews (id, deal_id, by_id, about_id, rating, text, created_at)
     VALUES ('${id}:b', '${id}', 'b', 's', ${rating}, 'Good.', 3)`,
  );
}

async function deals(run: Run): Promise<void> {
  for (const id of ['b', 's']) await run(`INSERT INTO track_records (id, bands) VALUES ('${id}', '[]')`);
  await completed(run, 'one', 'buyer', 5);
  await completed(run, 'two', 'buyer', null);
  await completed(run, 'three', 'dispute', 2);
}

async function check(rows: Rows): Promise<void> {
  const met = await rows('SELECT id, deals, reviews, rating_sum FROM partners ORDER BY id');
  const figures = met.map(({ id, deals, reviews, rating_sum }) => [id, ...[deals, reviews, rating_sum].map(Number)]);
  // The deal that a dispute ended is no sign of trust; what was said of it is.
  expect(figures).toEqual([
    ['b:s-account', 2, 0, 0],
    ['s:b-account', 2, 2, 7],
  ]);
  const due = await rows("SELECT id, operation, input FROM reminders WHERE operation = 'trust.refresh' ORDER BY id");
  expect(due).toEqual(
    ['b', 's'].map((id) => ({
      id: `trust.refresh:${id}`,
      operation: 'trust.refresh',
      input: JSON.stringify({ agent_id: id }),
    })),
  );
}

testMigration('0026_who-belongs-together', deals, check);
