// What must hold of the stored rows after every step. Each statement finds offenders; it must find none.

import type { Stored as Row } from '../../../db/ledger-check/snapshot.ts';
import { checkRows } from '../../../db/row-check/check.ts';
import { INDEX_RULES } from '../../../db/sqlite/index-rules.ts';
import { PLATFORM_AGENT_ID } from '../../../src/domain/agent/platform.ts';
import { must, none } from '../failure.ts';
import type { Sim } from '../sim.ts';
import { OFFENDING_TASKS } from './tasks.ts';

const IS_INDEXED = `(l.status = 'live' OR (l.status = 'pending_verification' AND l.origin = 'intake'))`;

const PLATFORM = `'${PLATFORM_AGENT_ID}'`;

/** By what an offender would break. */
const OFFENDERS: Readonly<Record<string, string>> = {
  'an inbox has a gap': `SELECT agent_id, count(*) AS n, min(seq) AS first, max(seq) AS last FROM events
    GROUP BY agent_id HAVING n <> last OR first <> 1`,
  'the head of an inbox is not its last seq': `SELECT i.id, i.last_seq FROM inboxes i
    WHERE i.last_seq <> (SELECT coalesce(max(seq), 0) FROM events e WHERE e.agent_id = i.id)`,
  'a message without exactly one event for the other side': `SELECT m.id, count(e.id) AS told FROM messages m
    JOIN conversations c ON c.id = m.conversation_id
    LEFT JOIN events e ON e.kind = 'conversation.updated' AND json_extract(e.data, '$.message_id') = m.id
      AND e.agent_id = CASE m.sender_id WHEN c.opener_id THEN c.other_id ELSE c.opener_id END
    WHERE ${PLATFORM} NOT IN (c.opener_id, c.other_id) OR m.sender_id = ${PLATFORM}
    GROUP BY m.id HAVING told <> 1`,
  'the agent of the service that is told of anything': `SELECT id FROM events WHERE agent_id = ${PLATFORM}`,
  'more conversation.updated events than messages': `SELECT events, messages FROM
    (SELECT (SELECT count(*) FROM events WHERE kind = 'conversation.updated') AS events,
      (SELECT count(*) FROM messages m JOIN conversations c ON c.id = m.conversation_id
        WHERE ${PLATFORM} NOT IN (c.opener_id, c.other_id) OR m.sender_id = ${PLATFORM}) AS messages) WHERE events <> messages`,
  'a thread whose standing proposal is not the open one': `SELECT c.id FROM conversations c WHERE coalesce(c.proposal_id, '') <>
    coalesce((SELECT p.id FROM proposals p WHERE p.conversation_id = c.id AND p.status = 'open'), '')`,
  'two open proposals in one conversation': `SELECT conversation_id FROM proposals WHERE status = 'open'
    GROUP BY conversation_id HAVING count(*) > 1`,
  'a proposal that may be answered in a conversation that has ended': `SELECT p.id, c.status FROM proposals p
    JOIN conversations c ON c.id = p.conversation_id
    WHERE p.status IN ('open', 'withheld') AND p.expires_at > ?1 AND c.status IN ('closed', 'declined')`,
  'a deal that an agent made by itself beside as many as its seek wants': `SELECT d.id FROM deals d
    JOIN proposals p ON p.deal_id = d.id JOIN conversations c ON c.id = d.conversation_id
    JOIN matches m ON m.match_id = c.match_id JOIN listings l ON l.id = m.seek_id
    JOIN turns t ON t.conversation_id = d.conversation_id AND t.agent_id = d.buyer_id AND t.created_at = p.buyer_at
    WHERE d.status IN ('open', 'completed') AND coalesce(json_extract(l.conditions, '$.deals_wanted'), 1) > 0 AND
      (SELECT count(*) FROM deals e JOIN conversations f ON f.id = e.conversation_id JOIN matches n ON n.match_id = f.match_id
        WHERE n.seek_id = m.seek_id AND e.buyer_id = d.buyer_id AND e.id < d.id AND e.status IN ('open', 'completed'))
      >= coalesce(json_extract(l.conditions, '$.deals_wanted'), 1)`,
  'a proposal that is approved by less than both, or has no deal of its amount': `SELECT p.id FROM proposals p
    LEFT JOIN deals d ON d.id = p.deal_id AND d.amount_cents = p.amount_cents AND d.buyer_id = p.buyer_id
    WHERE p.status = 'approved' AND (p.buyer_at IS NULL OR p.seller_at IS NULL OR d.id IS NULL)`,
  'a thread that waits for a person without anything to decide': `SELECT c.id FROM conversations c WHERE c.status = 'escalated'
    AND NOT EXISTS (SELECT 1 FROM proposals p WHERE p.conversation_id = c.id AND p.escalated_to = c.escalated_to)`,
  'counts of a thread that its messages belie': `SELECT c.id, c.opener_sent, c.other_sent FROM conversations c
    WHERE c.opener_sent <> (SELECT count(*) FROM messages m WHERE m.conversation_id = c.id AND m.sender_id = c.opener_id)
      OR c.other_sent <> (SELECT count(*) FROM messages m WHERE m.conversation_id = c.id AND m.sender_id = c.other_id)
      OR c.opener_seen NOT BETWEEN 0 AND c.other_sent OR c.other_seen NOT BETWEEN 0 AND c.opener_sent`,
  'a thread that waits for the writer of its last message, or for what is no text': `SELECT c.id FROM conversations c
    JOIN messages m ON m.conversation_id = c.id AND m.id = c.last_message_id
    WHERE c.waits_for IS NOT NULL AND (c.waits_for = m.sender_id OR m.kind <> 'text')`,
  'a last message that is not the last': `SELECT c.id, c.last_message_id FROM conversations c
    WHERE c.last_message_id IS NOT (SELECT m.id FROM messages m WHERE m.conversation_id = c.id AND m.n = c.last_n)`,
  'a thread with a gap': `SELECT c.id, c.last_n, count(m.id) AS messages, max(m.n) AS last FROM conversations c
    LEFT JOIN messages m ON m.conversation_id = c.id GROUP BY c.id
    HAVING messages <> c.last_n OR coalesce(last, 0) <> c.last_n`,
  'a message in a thread by a third': `SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
    WHERE m.sender_id NOT IN (c.opener_id, c.other_id)`,
  'a match between agents of one account': `SELECT m.id FROM matches m JOIN agents a ON a.id = m.offer_agent_id
    JOIN agents b ON b.id = m.seek_agent_id WHERE a.account_id = b.account_id`,
  'a match with two conversations': `SELECT match_id, count(*) AS n FROM conversations
    WHERE match_id IS NOT NULL GROUP BY match_id HAVING n > 1`,
  'a conversation that its match does not know': `SELECT c.id FROM conversations c LEFT JOIN matches m
    ON m.match_id = c.match_id WHERE c.match_id IS NOT NULL AND m.conversation_id IS NOT c.id`,
  'an approved match without a conversation': `SELECT m.id FROM matches m LEFT JOIN conversations c
    ON c.id = m.conversation_id WHERE m.status = 'approved' AND (c.id IS NULL OR m.approved_by = '[]')`,
  'a pending match of a listing that is gone or out': `SELECT m.id, l.status FROM matches m LEFT JOIN listings l
    ON l.id IN (m.offer_id, m.seek_id) AND NOT ${IS_INDEXED}
    WHERE m.status = 'pending' AND m.saved_by = '[]' AND m.created_at > ?1 - 2592000000 AND (l.id IS NOT NULL
      OR (SELECT count(*) FROM listings x WHERE x.id IN (m.offer_id, m.seek_id)) < 2)`,
  "an open match that is among nobody's best": `SELECT id, score_ppm FROM matches WHERE status = 'pending'
    AND saved_by = '[]' AND created_at > ?1 - 2592000000 AND offer_best = 0 AND seek_best = 0`,
  'a match that holds a place although a side acted on it, or it is over': `SELECT id, status FROM matches
    WHERE (status <> 'pending' OR saved_by <> '[]') AND offer_best + seek_best > 0`,
  'a match that ended without a reason, or has one and did not end so': `SELECT id, status, ended_by FROM matches
    WHERE (status = 'superseded') <> (ended_by IS NOT NULL)`,
  'a listing told of more matches than a day may': `SELECT id, n FROM counters WHERE id LIKE 'told:%' AND n > 50`,
  'an event that awaits an answer to a match that is over': `SELECT e.id, m.status FROM events e JOIN matches m
    ON m.match_id = e.subject_id WHERE e.awaiting = 1 AND m.status IN ('declined', 'superseded')`,
  'a side told twice of one match': `SELECT m.match_id, e.agent_id, count(*) AS told FROM matches m JOIN events e
    ON e.subject_id = m.match_id AND e.kind = 'match.created' AND e.created_at >= m.created_at
    GROUP BY m.match_id, e.agent_id HAVING told > 1`,
  'an agent whose handle is not its own': `SELECT a.id, a.handle, h.agent_id FROM agents a LEFT JOIN handles h
    ON h.id = a.handle WHERE h.kind IS NOT 'current' OR h.agent_id IS NOT a.id`,
  'a current handle that its agent does not bear': `SELECT h.id FROM handles h LEFT JOIN agents a ON a.id = h.agent_id
    WHERE h.kind = 'current' AND a.handle IS NOT h.id`,
  'a reminder that is due and was not run': 'SELECT id, operation, attempts FROM reminders WHERE at <= ?1',
  'an indexed listing without a vector': `SELECT l.id, l.status FROM listings l LEFT JOIN listing_vectors v
    ON v.id = l.id WHERE ${IS_INDEXED} AND v.id IS NULL`,
  'a vector that is not its listing': `SELECT v.id FROM listing_vectors v LEFT JOIN listings l
    ON l.id = v.id AND ${IS_INDEXED} WHERE l.id IS NULL OR l.direction <> v.side OR l.labels <> v.labels
      OR l.agent_id <> v.agent_id`,
  'a label whose uses are not counted': `SELECT b.id, b.uses FROM labels b WHERE b.uses <>
    (SELECT count(*) FROM listings l, json_each(l.labels) j WHERE l.status = 'live' AND j.value = b.id)`,
  'a live listing whose label is unknown': `SELECT l.id, j.value FROM listings l, json_each(l.labels) j
    LEFT JOIN labels b ON b.id = j.value WHERE l.status = 'live' AND b.id IS NULL`,
  'a live listing of an agent that may have none': `SELECT l.id FROM listings l JOIN agents a ON a.id = l.agent_id
    WHERE l.status = 'live' AND (a.verified_at IS NULL OR a.deactivated_at IS NOT NULL)`,
  'a count of what an agent knows that is not of its entries': `SELECT a.id, n.n AS entries, c.n AS characters
    FROM agents a LEFT JOIN counters n ON n.id = 'knowledge:' || a.id
    LEFT JOIN counters c ON c.id = 'knowledge_characters:' || a.id
    WHERE coalesce(n.n, 0) <> (SELECT count(*) FROM knowledge k WHERE k.agent_id = a.id) OR coalesce(c.n, 0) <>
      (SELECT coalesce(sum(length(k.title) + length(k.text)), 0) FROM knowledge k WHERE k.agent_id = a.id)`,
  'an entry without a vector that nobody is to make': `SELECT k.id FROM knowledge k WHERE k.model IS NULL
    AND NOT EXISTS (SELECT 1 FROM reminders r WHERE r.id = 'knowledge.embed:' || k.id)`,
  'a count of listings that is not theirs': `SELECT a.id, c.n FROM accounts a LEFT JOIN counters c
    ON c.id = 'plan:listings:' || a.id WHERE coalesce(c.n, 0) <>
    (SELECT count(*) FROM listings l WHERE l.account_id = a.id AND l.origin = 'direct')`,
  'a thread that the blocks of its sides belie': `SELECT c.id, c.opener_blocks, c.other_blocks FROM conversations c
    WHERE c.opener_blocks <> (SELECT count(*) FROM blocks b WHERE b.agent_id = c.opener_id AND b.blocked_id = c.other_id)
      OR c.other_blocks <> (SELECT count(*) FROM blocks b WHERE b.agent_id = c.other_id AND b.blocked_id = c.opener_id)`,
  'a block whose gate is open, or the other way round': `SELECT c.id, c.n FROM counters c WHERE c.id LIKE 'block:%'
    AND c.n <> (SELECT count(*) FROM blocks b WHERE 'block:' || b.id = c.id)`,
  'a balance that is not the sum of its transfers, or below zero': `SELECT a.id, a.balance_cents FROM ledger_accounts a
    WHERE a.balance_cents < 0 OR a.balance_cents <>
      (SELECT coalesce(sum(amount_cents), 0) FROM transfers t WHERE t.credit = a.id) -
      (SELECT coalesce(sum(amount_cents), 0) FROM transfers t WHERE t.debit = a.id)`,
  'a guarded account without its row': `SELECT t.id FROM transfers t
    WHERE (t.debit_after_cents IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ledger_accounts a WHERE a.id = t.debit))
      OR (t.credit_after_cents IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ledger_accounts a WHERE a.id = t.credit))`,
  ...OFFENDING_TASKS,
  'a verified agent without a claim': `SELECT a.id FROM agents a WHERE a.verified_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.agent_id = a.id)`,
};

interface Stored {
  readonly id: string;
  readonly model: string;
  readonly vector: Uint8Array;
}

/** All of them, and what is derived in memory and in sqlite-vec's index. */
export function checkStored(sim: Sim): void {
  for (const [what, sql] of Object.entries(OFFENDERS)) {
    none(sql.includes('?1') ? sim.db.rows(sql, sim.clock.now()) : sim.db.rows(sql), what);
  }
  const { vectors } = sim.t.service.world.store;
  const stored = sim.db.rows<Stored>('SELECT id, model, vector FROM listing_vectors ORDER BY id');
  must(vectors.size === stored.length, 'vectors in memory', { memory: vectors.size, stored: stored.length });
  const { model } = sim.t.service.world.embedder;
  for (const row of stored) {
    const vector = new Int8Array(row.vector.buffer, row.vector.byteOffset, row.vector.byteLength);
    const cosine = vectors.cosine(vector, row.id) ?? Number.NaN;
    const holds = row.model === model ? cosine > 0.999 : cosine === 0;
    must(holds, 'a vector in memory is not the stored one', { id: row.id, model: row.model, cosine });
  }
  const index = sim.db.rows<Pick<Stored, 'id' | 'vector'>>(
    'SELECT listing_id AS id, embedding AS vector FROM listing_index ORDER BY listing_id',
  );
  const expected = stored.map(({ id, vector }) => ({ id, vector }));
  must(Bun.deepEquals(index, expected), 'the index of sqlite-vec is not made of the stored vectors');
}

/** What the service's own check of rows looks at, in this process. */
export async function checkRowRules({ db, clock }: Pick<Sim, 'db' | 'clock'>): Promise<void> {
  const rows = async (sql: string): Promise<Row[]> => db.rows<Row>(sql);
  const bites = async function* (sql: string): AsyncIterable<readonly Row[]> {
    yield db.rows<Row>(sql);
  };
  const { problems } = await checkRows({ rows, bites }, clock.now(), INDEX_RULES);
  must(problems.length === 0, 'the rows do not hold', problems);
}
