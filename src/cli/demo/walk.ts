// One pair from match to answer: the seeking side is interested, both write, the offering side answers its event. All the
// while the offering side's stream is open, and what arrives on it is printed as it arrives.
import type { Caller, Client } from './client.ts';
import type { Loaded } from './load.ts';
import type { Found } from './matches.ts';
import { DemoProblem } from './problem.ts';
import { fit, lineWidth } from './table.ts';

// Follows an agent's inbox as server-sent events and prints each as it arrives, beside what the two sides do.

/** An event as the stream brought it; `data` is the same object as in a pull. */
interface LiveEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface LiveInbox {
  /** Resolves once an event of the kind has arrived, at once if it was here before. */
  until(kind: string): Promise<void>;
  close(): void;
}

/** An event is on the stream in milliseconds; a machine that is busy elsewhere may need longer. */
const ARRIVAL_TIMEOUT_MS = 10_000;

function parse(block: string): LiveEvent | null {
  const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
  // A comment keeps the connection alive and says nothing.
  if (id === undefined || event === undefined || data === undefined) return null;
  const { data: inner = {} } = JSON.parse(data) as { data?: Record<string, unknown> };
  return { id, event, data: inner };
}

/** Opens an agent's stream after a seq; every event is given to `show`. */
async function followInbox(
  client: Client,
  caller: Caller,
  after: number,
  show: (event: LiveEvent) => void,
): Promise<LiveInbox> {
  const response = await client.open(`/api/inbox/stream?after=${after}`, caller);
  if (response.statusCode !== 200) throw new DemoProblem(1, `the stream answered ${response.statusCode}`);
  const seen = new Set<string>();
  const waiting = new Map<string, () => void>();
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (!event) continue;
      show(event);
      seen.add(event.event);
      waiting.get(event.event)?.();
    }
  });
  // We cut it at the end; an earlier failure shows as a timeout.
  response.on('error', () => undefined);
  return {
    until: (kind) => {
      if (seen.has(kind)) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const late = setTimeout(
        () => reject(new DemoProblem(1, `no ${kind} came on the stream within ${ARRIVAL_TIMEOUT_MS / 1000} s`)),
        ARRIVAL_TIMEOUT_MS,
      );
      waiting.set(kind, () => {
        clearTimeout(late);
        resolve();
      });
      return promise;
    },
    close: () => response.destroy(),
  };
}

type Say = (line: string) => void;

interface InboxEvent {
  readonly id: string;
  readonly seq: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly answered: unknown;
}

/** The fields of an event that are worth a glance; ids are long and say nothing. */
function glance(data: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(data).filter(([name]) => !name.endsWith('_id'));
  return shown.map(([name, value]) => `${name}: ${typeof value === 'string' ? `“${value}”` : value}`).join(', ');
}

async function pull(
  client: Client,
  { agent }: Loaded,
  after: number,
): Promise<{ events: InboxEvent[]; cursor: number }> {
  const { body } = await client.expect('GET', `/api/inbox?limit=100&after=${after}`, agent.account);
  // The shape of GET /api/inbox.
  return { events: body.events as InboxEvent[], cursor: Number(body.cursor) };
}

/** Reads the whole inbox: its last seq, and the match's event. */
async function readUp(
  client: Client,
  side: Loaded,
  match_id: string,
): Promise<{ cursor: number; told: InboxEvent | null }> {
  let told: InboxEvent | null = null;
  for (let cursor = 0; ; ) {
    const page = await pull(client, side, cursor);
    told = page.events.find(({ kind, data }) => kind === 'match.created' && data.match_id === match_id) ?? told;
    cursor = page.cursor;
    if (page.events.length < 100) return { cursor, told };
  }
}

/** Walks the pair; every line goes to `say`. */
export async function walkPair(client: Client, { match_id, offer, seek }: Found, say: Say): Promise<void> {
  const width = lineWidth();
  const line = (mark: string, who: Loaded | null, text: string): void =>
    say(fit(`${mark} ${who ? `@${who.agent.handle}: ` : ''}${text}`, width).trimEnd());
  const own = await readUp(client, offer, match_id);
  const before = await readUp(client, seek, match_id);
  say(`@${seek.agent.handle} seeks “${seek.sample.headline}”`);
  say(
    `@${offer.agent.handle} offers “${offer.sample.headline}”, and follows GET /api/inbox/stream?after=${own.cursor}`,
  );
  const live = await followInbox(client, offer.agent.account, own.cursor, ({ id, event, data }) =>
    line('   ◂ live', null, `id ${id}  ${event}  ${glance(data)}`),
  );
  const feedback = { match_id, action: 'interested' };
  line('▸', seek, 'POST /api/matching/feedback {action: "interested"}');
  const { body } = await client.expect('POST', '/api/matching/feedback', seek.agent.account, feedback);
  const path = `/api/conversations/${String(body.conversation_id)}/messages`;
  await Promise.all([live.until('match.approved'), live.until('conversation.started')]);
  const write = async (side: Loaded, content: string): Promise<void> => {
    line('▸', side, `POST /api/conversations/{id}/messages “${content}”`);
    await client.expect('POST', path, side.agent.account, { content });
  };
  await write(seek, 'Your listing is close to what we need. When could you start?');
  await live.until('conversation.updated');
  // Writing counts as interest and answers the event.
  if (own.told) await answer(client, offer, own.told, line);
  await write(offer, 'Next week. Shall we agree on the first step and a date for it?');
  line('▸', seek, `GET /api/inbox?after=${before.cursor}`);
  const { events } = await pull(client, seek, before.cursor);
  for (const { seq, kind, data } of events) line('   ◂ pulled', null, `seq ${seq}  ${kind}  ${glance(data)}`);
  live.close();
}

async function answer(
  client: Client,
  side: Loaded,
  told: InboxEvent,
  line: (mark: string, who: Loaded | null, text: string) => void,
): Promise<void> {
  const path = `/api/inbox/${told.id}/respond`;
  const words = { action: 'interested', note: 'Answered by the demo.' };
  line('▸', side, `POST /api/inbox/{event_id}/respond {action: "interested"}, the answer to its match.created`);
  const first = await client.expect('POST', path, side.agent.account, words);
  const { approved_by = [] } = Object(first.body.result) as { approved_by?: string[] };
  line(
    '   ◂',
    null,
    `${first.status} ${String(first.body.status)}; interested are now ${approved_by.map((h) => `@${h}`).join(' and ')}`,
  );
  line('▸', side, 'the same answer again');
  const second = await client.call('POST', path, side.agent.account, words);
  line('   ◂', null, `${second.status} ${String(second.body.error ?? second.body.status)}: an event is answered once`);
}
