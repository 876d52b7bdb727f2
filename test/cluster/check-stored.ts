// What must stand in the database afterwards: every answered write once, nothing of a refused one, counts that agree with
// what they count, and the effect of each reminder once.
import type { Member } from '../bench/population.ts';
import { restClient } from '../support/rest-client.ts';
import { PAY } from './client.ts';
import type { Ledger, Write } from './ledger.ts';
import { NODES, type Nodes, TOKEN } from './nodes.ts';
import { HELD } from './population.ts';

/** Longer than a claim on a reminder is held by a node that died. */
const LEASES_OVER_S = 120;

/** A node whose database is busy, or which has so much to do that the call has no answer in five minutes, is asked again so often, and after
 * so long; what the call before had it do goes on. */
const TRIES_MAX = 60;
const AGAIN_MS = 1_000;

async function moveClock(url: string): Promise<void> {
  const headers = { 'X-Internal-Token': TOKEN };
  for (let tries = 1; ; tries += 1) {
    try {
      return await restClient(url).ask('POST', '/internal/clock', {}, { advance_seconds: LEASES_OVER_S }, headers);
    } catch (error) {
      const passing = /answered 503|timed out/.test(String(error));
      if (tries === TRIES_MAX || !passing) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Lets every node run what is still due, and what dead ones had claimed; `step` is called after each. Twice, since what one that
 * matches leaves due may be another's to run. */
export async function settle(nodes: Nodes, step: () => void): Promise<void> {
  for (let n = 0; n < 2 * NODES; n += 1) {
    await moveClock(nodes.url(n));
    step();
  }
}

/** Each query answers the rows that ought not to be; its name says what they would mean. */
const NOTHING: Readonly<Record<string, string>> = {
  'inboxes with a hole or a wrong head': `
    SELECT i.id, i.last_seq, count(e.id) AS n, max(e.seq) AS top FROM inboxes i LEFT JOIN events e ON e.agent_id = i.id
    GROUP BY i.id, i.last_seq HAVING count(e.id) <> i.last_seq OR coalesce(max(e.seq), 0) <> i.last_seq`,
  'messages without their event, or with two': `
    SELECT m.id FROM messages m LEFT JOIN events e
      ON e.kind = 'conversation.updated' AND e.data::json->>'message_id' = m.id
    GROUP BY m.id HAVING count(e.id) <> 1`,
  'threads that count other messages than they hold': `
    SELECT c.id, c.opener_sent, c.other_sent, count(m.id) FROM conversations c
    LEFT JOIN messages m ON m.conversation_id = c.id GROUP BY c.id
    HAVING c.opener_sent <> count(m.id) FILTER (WHERE m.sender_id = c.opener_id)
        OR c.other_sent <> count(m.id) FILTER (WHERE m.sender_id = c.other_id)`,
  'threads with a gap or a wrong last message': `
    SELECT c.id, c.last_n, count(m.id) AS n, max(m.n) AS top FROM conversations c
    LEFT JOIN messages m ON m.conversation_id = c.id
    LEFT JOIN messages l ON l.conversation_id = c.id AND l.n = c.last_n
    GROUP BY c.id, c.last_n, l.id HAVING count(m.id) <> c.last_n OR coalesce(max(m.n), 0) <> c.last_n
      OR c.last_message_id IS DISTINCT FROM l.id`,
  'matches with two threads': `
    SELECT match_id FROM conversations WHERE match_id IS NOT NULL GROUP BY match_id HAVING count(*) > 1`,
  'threads that their match does not name': `
    SELECT c.id FROM conversations c JOIN matches m ON m.match_id = c.match_id
    WHERE m.conversation_id IS DISTINCT FROM c.id`,
  'matches that were told twice to one side': `
    SELECT agent_id, subject_id FROM events WHERE kind = 'match.created'
    GROUP BY agent_id, subject_id HAVING count(*) > 1`,
  'labels that count other listings than carry them': `
    SELECT l.id, l.uses, count(x.id) AS live FROM labels l
    LEFT JOIN (SELECT id, json_array_elements_text(labels::json) AS label FROM listings WHERE status = 'live') x
      ON x.label = l.id GROUP BY l.id, l.uses HAVING l.uses <> count(x.id)`,
  'meters of listings that are wrong': `
    SELECT c.id, c.n, count(l.id) FROM counters c
    LEFT JOIN listings l ON l.account_id = split_part(c.id, ':', 3) AND l.origin = 'direct'
    WHERE c.id LIKE 'plan:listings:%' GROUP BY c.id, c.n HAVING c.n <> count(l.id)`,
  'meters of conversations that are wrong': `
    SELECT c.id, c.n, count(t.id) FROM counters c
    LEFT JOIN agents a ON a.account_id = split_part(c.id, ':', 3) LEFT JOIN conversations t ON t.opener_id = a.id
    WHERE c.id LIKE 'plan:conversations:%' GROUP BY c.id, c.n HAVING c.n <> count(t.id)`,
  // A letter may wait for the end of its agent's pause, and words are weighed at multiples of ten minutes only.
  'reminders that never ran': `
    SELECT id, operation, attempts FROM reminders
    WHERE operation NOT IN ('mail.notify', 'listing.weigh_words', 'ledger.seal', 'platform.check_file') OR at <= extract(epoch FROM clock_timestamp()) * 1000`,
  'vectors that differ from the live listings': `
    SELECT l.id FROM listings l FULL JOIN listing_vectors v ON v.id = l.id
    WHERE (l.status = 'live') IS DISTINCT FROM (v.id IS NOT NULL)`,
};

/** How often each text occurs in a column. */
async function occurrences(sql: Bun.SQL, table: string, column: string): Promise<Map<string, number>> {
  const rows: { text: string; n: string }[] = await sql.unsafe(
    `SELECT ${column} AS text, count(*) AS n FROM ${table} GROUP BY ${column}`,
  );
  return new Map(rows.map(({ text, n }) => [text, Number(n)]));
}

/** The texts that a write puts into the database, if it was done. */
function textsOf({ path, body }: Write): {
  readonly table: 'messages' | 'listings' | 'sends';
  readonly texts: string[];
} {
  if (path === PAY) return { table: 'sends', texts: [String(body.note)] };
  if (path.startsWith('/api/messages/')) return { table: 'messages', texts: [String(body.content)] };
  if (path.endsWith('/cards')) return { table: 'listings', texts: [String(body.headline)] };
  if (path !== '/api/onboarding/intake') return { table: 'messages', texts: [] };
  // The client sends two lists of items with headlines.
  const items = [body.offers, body.seeks].flat() as { headline: string }[];
  return { table: 'listings', texts: items.map(({ headline }) => headline) };
}

async function checkTexts(sql: Bun.SQL, writes: readonly Write[]): Promise<string[]> {
  const found = {
    messages: await occurrences(sql, 'messages', 'content'),
    listings: await occurrences(sql, 'listings', 'headline'),
    sends: await occurrences(sql, 'sends', 'note'),
  };
  return writes.flatMap((write) => {
    const { table, texts } = textsOf(write);
    const wanted = write.status < 300 ? 1 : 0;
    return texts.flatMap((text) => {
      const times = found[table].get(text) ?? 0;
      return times === wanted ? [] : [`"${text}", answered ${write.status}, is ${times} times in ${table}`];
    });
  });
}

/** Every answer that was accepted is the one that its event holds. */
async function checkAnswers(sql: Bun.SQL, writes: readonly Write[]): Promise<string[]> {
  const rows: { id: string; action: string | null }[] = await sql.unsafe(
    `SELECT id, answered::json->>'action' AS action FROM events WHERE kind = 'match.created'`,
  );
  const stored = new Map(rows.map(({ id, action }) => [id, action]));
  const accepted = new Map<string, number>();
  const problems: string[] = [];
  for (const { path, status, body } of writes) {
    const id = /^\/api\/inbox\/(.+)\/respond$/.exec(path)?.[1];
    if (id === undefined || status !== 200) continue;
    accepted.set(id, (accepted.get(id) ?? 0) + 1);
    if (stored.get(id) !== body.action) {
      problems.push(`the answer ${body.action} to ${id} was accepted, and ${stored.get(id)} is stored`);
    }
  }
  for (const [id, times] of accepted) if (times > 1) problems.push(`${times} answers to ${id} were accepted`);
  return problems;
}

async function checkReminders(sql: Bun.SQL, late: readonly Member[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { id, handle } of late) {
    const rows: { status: string; version: string }[] =
      await sql`SELECT status, version FROM listings WHERE agent_id = ${id} AND headline LIKE 'held %'`;
    const once = rows.filter((row) => row.status === 'live' && Number(row.version) === 2);
    if (once.length !== HELD) problems.push(`the reminder of ${handle} did not publish each listing once`);
  }
  return problems;
}

/** All of it; sentences on what does not hold. */
export async function checkStored(database_url: string, ledger: Ledger, late: readonly Member[]): Promise<string[]> {
  await using sql = new Bun.SQL(database_url, { max: 1 });
  const problems: string[] = [];
  for (const [name, text] of Object.entries(NOTHING)) {
    const rows = await sql.unsafe(text);
    if (rows.length > 0) problems.push(`${rows.length} ${name}, such as ${JSON.stringify(rows[0])}`);
  }
  problems.push(...(await checkTexts(sql, ledger.writes)));
  problems.push(...(await checkAnswers(sql, ledger.writes)));
  problems.push(...(await checkReminders(sql, late)));
  return problems;
}
