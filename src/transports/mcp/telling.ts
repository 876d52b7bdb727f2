// What is told while a call is under way: how far it is, where the client gave a token for that, and what happens, where it asked
// for that level and above.
import type { ClientSide } from './client-side.ts';
import { callerName } from './client-side.ts';
import { metaOf } from './envelope.ts';
import type { Channel, Exchange } from './exchange.ts';
import { isLevel, isTold, type Level } from './remembered.ts';

const LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
/** Of a client that never said, before 2026-07-28: the server may decide then. */
const UNSAID_LEVEL: Level = 'info';

export interface Telling {
  progress(progress: number, total?: number): void;
  log(level: Level, data: unknown): void;
}

/** Of a client that wants to hear nothing on the way. */
export const SILENT: Telling = { progress: () => {}, log: () => {} };

function levelOf({ remembered }: ClientSide, exchange: Exchange): Level | null {
  if (exchange.revision.era === 'handshake') return remembered.levelOf(callerName(exchange)) ?? UNSAID_LEVEL;
  const level = metaOf(exchange.params)[LEVEL_KEY];
  return isLevel(level) ? level : null;
}

function tokenOf({ params }: Exchange): string | number | null {
  const { progressToken } = metaOf(params);
  return typeof progressToken === 'string' || typeof progressToken === 'number' ? progressToken : null;
}

/** Whether anything that is told on the way has a reader; only then is the answer a stream. */
export function isListening(side: ClientSide, exchange: Exchange): boolean {
  return tokenOf(exchange) !== null || levelOf(side, exchange) !== null;
}

function notification(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** What is told goes out on the stream of the call. */
export function tellingOn(channel: Channel, side: ClientSide, exchange: Exchange): Telling {
  const progressToken = tokenOf(exchange);
  const least = levelOf(side, exchange);
  return {
    progress: (progress, total) => {
      if (progressToken === null) return;
      channel.send(notification('notifications/progress', { progressToken, progress, total }));
    },
    log: (level, data) => {
      if (isTold(level, least)) channel.send(notification('notifications/message', { level, data }));
    },
  };
}
