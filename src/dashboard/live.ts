// News as they come, over one connection for all tabs of a browser: one tab leads (a web lock says which), reads the stream of
// notifications and tells the others. It is the person's stream; the inbox's would make the agent look as if it were here.
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
/** Whether the stream stands, here or in the tab that leads. */
export const online = signal(navigator.onLine);

/** Events come in bursts; what is shown is asked for once after each. */
const CALM_MS = 250;
let calm: ReturnType<typeof setTimeout> | undefined;
/** What the events of a burst touch. */
let burst: Touched[] = [];

/** What the leading tab tells the others: a notification, and the id by which the stream goes on after it. */
interface Told {
  readonly id: string;
  readonly news: News;
}

/** What a tab tells the others of an act of its own. */
interface Changed {
  readonly touched: Touched;
}

/** Up to where this tab has heard: what it shows was read after that, and whichever tab leads next goes on from there. */
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

/** Has what an act may have changed read again, in all tabs of this person. */
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

/** Begins to listen to what comes after an id, which is older than all that the page shows; the account's own lock, since another
 * person's tabs may be open beside. */
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
