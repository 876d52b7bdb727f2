// What the clustered mode is compared with: a bare Bun.serve and Bun.sql that write the rows of a message, its event and
// its kept answer in one transaction per request, over a pool as large as the load. Nothing is checked: who writes where
// was read at the start, and neither keys nor versions, limits or blocks are looked at.

import { SQL } from 'bun';
import { DAY_MS } from '../../src/domain/time.ts';

const POOL = 64;

interface Side {
  readonly id: string;
  readonly handle: string;
}

const sql = new SQL({ url: process.env.DATABASE_URL, max: POOL });

/** The two sides of each conversation. */
async function readSides(): Promise<Map<string, readonly [Side, Side]>> {
  const rows: Record<string, string>[] = await sql`SELECT c.id, a.id AS opener_id, a.handle AS opener,
    b.id AS other_id, b.handle AS other
    FROM conversations c JOIN agents a ON a.id = c.opener_id JOIN agents b ON b.id = c.other_id`;
  const side = (id = '', handle = ''): Side => ({ id, handle });
  return new Map(rows.map((r) => [r.id ?? '', [side(r.opener_id, r.opener), side(r.other_id, r.other)]]));
}

const sides = await readSides();
let written = 0;
const newId = (): string => Bun.randomUUIDv7('hex');

async function store(conversation_id: string, key: string, content: string): Promise<object> {
  const pair = sides.get(conversation_id);
  if (!pair) throw new Error('there is no such conversation');
  // Each side in its turn.
  const [sender, reader] = written++ % 2 === 0 ? pair : ([pair[1], pair[0]] as const);
  const now = Date.now();
  const message = { id: newId(), conversation_id, sender: sender.handle, kind: 'text', content, created_at: now };
  const data = { conversation_id, message_id: message.id, sender: sender.handle, preview: content.slice(0, 140) };
  const body = JSON.stringify(message);
  await sql.begin(async (tx) => {
    await tx`INSERT INTO idempotency (id, request_hash, status, notes, value, sealed, expires_at)
      VALUES (${newId() + key}, ${'-'.repeat(64)}, 'ok', '{}', ${body}, 0, ${now + DAY_MS})`;
    const [thread] = await tx`UPDATE conversations SET last_message_id = ${message.id}, updated_at = ${now},
      version = version + 1, opener_sent = opener_sent + 1, last_n = last_n + 1 WHERE id = ${conversation_id}
      RETURNING last_n`;
    await tx`INSERT INTO messages (id, conversation_id, n, sender_id, sender_handle, kind, content, created_at)
      VALUES (${message.id}, ${conversation_id}, ${thread.last_n}, ${sender.id}, ${sender.handle}, 'text', ${content}, ${now})`;
    const [inbox] = await tx`INSERT INTO inboxes AS i (id, last_seq) VALUES (${reader.id}, 1)
      ON CONFLICT (id) DO UPDATE SET last_seq = i.last_seq + 1 RETURNING last_seq`;
    await tx`INSERT INTO events (id, agent_id, seq, kind, handle, data, awaiting, created_at, version)
      VALUES (${newId()}, ${reader.id}, ${inbox.last_seq}, 'conversation.updated', ${reader.handle},
        ${JSON.stringify(data)}, 0, ${now}, 0)`;
  });
  return message;
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    const conversation_id = request.url.slice(request.url.lastIndexOf('/') + 1);
    const { content } = (await request.json()) as { content: string };
    return Response.json(await store(conversation_id, request.headers.get('idempotency-key') ?? '', content));
  },
});

console.log(`listening on ${server.port}`);
