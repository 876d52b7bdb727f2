// Follows an agent's inbox as server-sent events and prints each as it arrives, beside what the two sides do.

import type { Caller, Client } from './client.ts';
import { DemoProblem } from './problem.ts';

/** An event as the stream brought it; `data` is the same object as in a pull. */
interface LiveEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface LiveInbox {
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
export async function followInbox(
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
  // Cut by us at the end; before that, a wait that runs out tells.
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
