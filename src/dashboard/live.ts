// Live events over one connection for all tabs of a browser: one tab, elected by a web lock, reads the notification stream and
// broadcasts to the others. It reads the person's stream, because reading the inbox's would mark the agent as present.
import { signal } from '@preact/signals';
import { listen } from './server.ts';
import { type Touched, touch, touchedByEvent } from './touched.ts';

/** A notification as the service streams it. */
export interface News {
  readonly id: string;
  readonly kind: string;
  readonly handle: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly url: string;
}

export const latest = signal<News | null>(null);
/** Whether the stream is connected, here or in the leading tab. */
export const online = signal(navigator.onLine);

/** Events come in bursts; data is read again once after each burst. */
const CALM_MS = 250;
let calm: ReturnType<typeof setTimeout> | undefined;
/** Parts that the burst's events affect. */
let burst: Touched[] = [];

/** Broadcast of the leading tab: a notification and the id from which the stream resumes. */
interface Told {
  readonly id: string;
  readonly news: News;
}

/** Broadcast of a tab after its own act. */
interface Changed {
  readonly touched: Touched;
}

/** The last event id that this tab has received; the next leading tab resumes from it. */
let last_id: string | null = null;

function heard({ id, news }: Told): void {
  last_id = id;
  latest.value = news;
  burst.push(touchedByEvent(news.kind, news.data));
  clearTimeout(calm);
  calm = setTimeout(() => {
    const touched = burst;
    burst = [];
    touch(touched.includes('all') ? 'all' : (touched.flat() as Touched));
  }, CALM_MS);
}

let tabs: BroadcastChannel | null = null;

/** Makes all tabs of this person read again what an act may have changed. */
export function changed(touched: Touched): void {
  touch(touched);
  tabs?.postMessage({ touched } satisfies Changed);
}

async function lead(channel: BroadcastChannel, signal: AbortSignal): Promise<void> {
  for await (const { id, event, data } of listen('notification.stream', signal, last_id)) {
    if (event !== 'notification') continue;
    const told = { id, news: data as News };
    channel.postMessage(told);
    heard(told);
  }
}

/** Listens for events after an id that is older than all displayed data. The lock is per account, since tabs of another person
 * may be open in the same browser. */
export function startLive(account_id: string, after: string): void {
  last_id = after;
  addEventListener('online', () => {
    online.value = true;
    touch('all');
  });
  addEventListener('offline', () => {
    online.value = false;
  });
  const name = `meshwork-live-${account_id}`;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Told | Changed>) => {
    if ('news' in data) heard(data);
    else touch(data.touched);
  };
  tabs = channel;
  const ends = new AbortController();
  addEventListener('pagehide', () => ends.abort());
  // Without locks (a page that came without TLS) each tab has a stream of its own.
  if (!navigator.locks) return void lead(channel, ends.signal).catch(() => {});
  void navigator.locks.request(name, { signal: ends.signal }, () => lead(channel, ends.signal)).catch(() => {});
}
