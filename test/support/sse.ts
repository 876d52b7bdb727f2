// Reads server-sent events off a real socket.
export interface SseEvent {
  /** NaN where the id is no number; `place` has it then. */
  readonly id: number;
  readonly place?: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came.
  readonly data: any;
}

export interface SseReader {
  readonly status: number;
  readonly headers: Headers;
  /** The next events; rejects when the stream ends before there are so many. */
  take(count: number): Promise<SseEvent[]>;
  /** Resolves when the server has ended or cut the stream. */
  ended(): Promise<void>;
  leave(): void;
}

function parse(block: string): SseEvent | null {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const id = fields.get('id');
  // An id without data moves the reader's place, and is no event.
  if (id === undefined || !fields.has('data')) return null;
  const [event, data] = [fields.get('event') ?? '', JSON.parse(fields.get('data') ?? 'null')];
  return { id: Number(id), event, data, ...(Number.isNaN(Number(id)) && { place: id }) };
}

/** Opens a stream; events are kept until they are taken. With a body it is asked for by POST. */
export async function readStream(url: string, headers: Record<string, string>, body?: unknown): Promise<SseReader> {
  const gone = new AbortController();
  const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, { headers, signal: gone.signal, ...asked });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events: SseEvent[] = [];
  let rest = '';
  const more = async (): Promise<boolean> => {
    const chunk = await reader?.read().catch(() => null);
    if (!chunk || chunk.done) return false;
    const blocks = (rest + chunk.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event) events.push(event);
    }
    return true;
  };
  return {
    status: response.status,
    headers: response.headers,
    take: async (count) => {
      while (events.length < count) {
        if (!(await more())) throw new Error(`the stream ended after ${events.length} of ${count} events`);
      }
      return events.splice(0, count);
    },
    ended: async () => {
      while (await more());
    },
    leave: () => gone.abort(),
  };
}
