// News as they come, over one connection for all tabs of a browser: one tab leads (a web lock says which), reads the stream of
// notifications and tells the others. It is the person's stream; the inbox's would make the agent look as if it were here.
import { signal } from '@preact/signals';
import { listen } from './server.ts';

/** A notification as the service streams it. */
export interface News {
  readonly id: string;
  readonly kind: string;
  readonly handle: string;
  readonly title: string;
  readonly body: string;
  readonly url: string;
}

/** Counts what came; whoever shows something reads it, and asks again when it changes. */
export const pulse = signal(0);
/** The last of them. */
export const latest = signal<News | null>(null);
/** Whether the stream stands, here or in the tab that leads. */
export const online = signal(navigator.onLine);

/** Events come in bursts; what is shown is asked for once after each. */
const CALM_MS = 250;
let calm: ReturnType<typeof setTimeout> | undefined;

/** Null says that the stream was opened: what was read before it stood may be old. */
function heard(news: News | null): void {
  if (news) latest.value = news;
  clearTimeout(calm);
  calm = setTimeout(() => {
    pulse.value += 1;
  }, CALM_MS);
}

async function lead(channel: BroadcastChannel, signal: AbortSignal): Promise<void> {
  const tell = (news: News | null): void => {
    channel.postMessage(news);
    heard(news);
  };
  for await (const { event, data } of listen('notification.stream', signal, () => tell(null))) {
    if (event === 'notification') tell(data as News);
  }
}

/** Begins to listen; the account's own lock, since another person's tabs may be open beside. */
export function startLive(account_id: string): void {
  addEventListener('online', () => {
    online.value = true;
    pulse.value += 1;
  });
  addEventListener('offline', () => {
    online.value = false;
  });
  const name = `meshwork-live-${account_id}`;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => heard(data as News | null);
  const ends = new AbortController();
  addEventListener('pagehide', () => ends.abort());
  // Without locks (a page that came without TLS) each tab has a stream of its own.
  if (!navigator.locks) return void lead(channel, ends.signal).catch(() => {});
  void navigator.locks.request(name, { signal: ends.signal }, () => lead(channel, ends.signal)).catch(() => {});
}
