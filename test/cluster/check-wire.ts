// What the clients must find on the wire afterwards: inboxes whole on every stream and on pull, and each answer again
// under its key, without a trace in the database.
import { HOUR_MS } from '../../src/domain/time.ts';
import type { Member } from '../bench/population.ts';
import { restClient } from '../support/rest-client.ts';
import type { Client } from './client.ts';
import type { Follower } from './follower.ts';
import type { Ledger, Write } from './ledger.ts';
import { NODES, type Nodes } from './nodes.ts';

/** Side by side, like the clients were. */
const LANES = 32;
/** What no request writes: lossy facts, the adapter's own log, and what carries events and letters out, which goes on while
 * the replays come in. */
const MOVING = new Set([
  ...['presence', 'key_uses', 'commits', 'rates', 'nodes', 'matching_requests'],
  ...['inboxes', 'mail_marks', 'outbound', 'reply_tokens', 'service_notes'],
]);
/** Rows of other tables that no request writes either. */
const CARRIED = new Map([['reminders', "operation = 'mail.notify'"]]);
/** Rows that expire within so long may be pruned between two looks. */
const EXPIRING_MS = HOUR_MS;

async function heads(sql: Bun.SQL): Promise<Map<string, number>> {
  const rows: { id: string; last_seq: string }[] = await sql`SELECT id, last_seq FROM inboxes`;
  return new Map(rows.map(({ id, last_seq }) => [id, Number(last_seq)]));
}

/** Whether numbers are 1, 2, 3 … up to `last`; else where they first are not. */
function gap(seqs: readonly number[], last: number): string | null {
  const at = seqs.findIndex((seq, i) => seq !== i + 1);
  if (at >= 0) return `${seqs[at]} came after ${seqs[at - 1] ?? 0}`;
  return seqs.length === last ? null : `it ended at ${seqs.length} of ${last}`;
}

/** Waits until every reader has its inbox, then looks at what it was given. */
export async function checkStreams(
  database_url: string,
  members: readonly Member[],
  followers: readonly Follower[],
): Promise<string[]> {
  await using sql = new Bun.SQL(database_url, { max: 1 });
  const last = await heads(sql);
  await Promise.all(members.map(({ id }, n) => followers[n]?.reached(last.get(id) ?? 0)));
  return members.flatMap(({ id, handle }, n) => {
    const wrong = gap(followers[n]?.seqs ?? [], last.get(id) ?? 0);
    return wrong === null ? [] : [`the stream of ${handle}: ${wrong}`];
  });
}

/** Pulls every inbox from one node or another; `step` is called after each page. */
export async function checkPulls(
  database_url: string,
  nodes: Nodes,
  members: readonly Member[],
  step: () => void,
): Promise<string[]> {
  await using sql = new Bun.SQL(database_url, { max: 1 });
  const last = await heads(sql);
  const problems: string[] = [];
  await Promise.all(
    members.map(async ({ id, handle, key }, n) => {
      const client = restClient(nodes.url(n));
      const seqs: number[] = [];
      for (let after = 0; ; ) {
        const page = await client.ask('GET', `/api/inbox?after=${after}&limit=100&peek=true`, { key });
        for (const { seq } of page.events) seqs.push(seq);
        after = page.cursor;
        step();
        if (!page.has_more) break;
      }
      const wrong = gap(seqs, last.get(id) ?? 0);
      if (wrong !== null) problems.push(`the inbox of ${handle}: ${wrong}`);
    }),
  );
  return problems;
}

/** The rows that requests write, one hash a table; none that expires before `lasting`. */
async function fingerprint(sql: Bun.SQL, lasting: number): Promise<Map<string, string>> {
  const tables: { name: string; expires: boolean }[] = await sql`
    SELECT table_name AS name, EXISTS (SELECT FROM information_schema.columns c WHERE c.table_name = t.table_name
      AND c.table_schema = 'public' AND c.column_name = 'expires_at') AS expires
    FROM information_schema.tables t WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
  const prints = new Map<string, string>();
  for (const { name, expires } of tables) {
    if (MOVING.has(name)) continue;
    const kept = expires ? `coalesce(expires_at > ${lasting}, true)` : 'true';
    const [row] = await sql.unsafe(
      `SELECT count(*) || ':' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY t::text)), '') AS print
      FROM ${name} t WHERE ${kept} AND NOT (${CARRIED.get(name) ?? 'false'})`,
    );
    prints.set(name, String(row?.print));
  }
  return prints;
}

/** What is never kept, so that it may be answered otherwise the next time: 402, 429 and 5xx. */
const isKept = ({ status }: Write): boolean => status !== 402 && status !== 429 && status < 500;

/** Sends every write again under its key; `step` is called after each. */
export async function checkReplays(
  database_url: string,
  clients: readonly Client[],
  ledger: Ledger,
  step: () => void,
): Promise<string[]> {
  await using sql = new Bun.SQL(database_url, { max: 1 });
  const lasting = Date.now() + EXPIRING_MS;
  const before = await fingerprint(sql, lasting);
  const problems: string[] = [];
  const kept = ledger.writes.filter(isKept);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < kept.length; at = next++) {
      const write = kept[at];
      const client = clients[write?.client ?? 0];
      if (!write || !client) return;
      const again = await client.send(write, at % NODES);
      step();
      const same = again.replayed && again.status === write.status && again.reply === write.reply;
      if (!same) {
        const was = `${write.status} ${write.reply.slice(0, 200)}`;
        const is = `${again.replayed ? 'replayed' : 'done again'} as ${again.status} ${again.reply.slice(0, 200)}`;
        problems.push(`${write.method} ${write.path} under ${write.key} was ${was}, and is ${is}`);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const after = await fingerprint(sql, lasting);
  for (const [name, print] of before) {
    if (after.get(name) !== print) problems.push(`replaying changed ${name}: ${print} is ${after.get(name)}`);
  }
  return problems;
}
