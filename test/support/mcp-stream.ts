// A stream of the door for tools, as a client reads it: JSON-RPC messages, one an event.

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came.
type Json = any;

interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

export interface McpStream {
  readonly status: number;
  /** The body of what is no stream. */
  readonly body: Json;
  /** The next event that has data; null when the stream has ended. */
  nextEvent(): Promise<StreamEvent | null>;
  /** The next message; throws when the stream has ended. */
  next(): Promise<Json>;
  leave(): void;
}

function parse(block: string): StreamEvent | null {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const data = fields.get('data');
  return data === undefined ? null : { event: fields.get('event') ?? 'message', data };
}

/** Opens one; `init` as fetch takes it. */
export async function openMcpStream(url: string, init: RequestInit): Promise<McpStream> {
  const gone = new AbortController();
  const response = await fetch(url, { ...init, signal: gone.signal });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const text = isStream ? '' : await response.text();
  const reader = isStream ? response.body?.pipeThrough(new TextDecoderStream()).getReader() : undefined;
  let rest = '';
  const nextEvent = async (): Promise<StreamEvent | null> => {
    for (;;) {
      const end = rest.indexOf('\n\n');
      if (end >= 0) {
        const event = parse(rest.slice(0, end));
        rest = rest.slice(end + 2);
        if (event) return event;
        continue;
      }
      const chunk = await reader?.read().catch(() => null);
      if (!chunk || chunk.done) return null;
      rest += chunk.value;
    }
  };
  return {
    status: response.status,
    body: text ? JSON.parse(text) : null,
    nextEvent,
    next: async () => {
      const event = await nextEvent();
      if (!event) throw new Error('the stream has ended');
      return JSON.parse(event.data);
    },
    leave: () => gone.abort(),
  };
}
