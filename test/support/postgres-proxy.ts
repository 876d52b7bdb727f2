// A TCP proxy between a store and PostgreSQL that does something wrong. Once, at a COMMIT: the connection is lost before the
// server heard it, after it has answered, or in between, while the server is still at it. Or it falls silent, until it is
// told to go on.
import { connect, createServer, type Server, type Socket } from 'node:net';

/** `unheard`: the server never gets it. `unanswered`: it commits and nobody hears. `late`: it commits only after it was
 * asked about on another connection. `doubted`: the server never gets it, and what it then answers when it is asked about it
 * is lost as well. */
export type LostCommit = 'unheard' | 'unanswered' | 'late' | 'doubted';

/** `swallows`: whatever either side says is gone, also on new connections, which are accepted. `holds`: it is carried on
 * once the proxy thaws, as by a server that stood still. `old`: as `swallows`, but new connections are carried as ever. */
export type Freeze = 'swallows' | 'holds' | 'old';

export interface PostgresProxy {
  /** The URL to give to the store. */
  readonly url: string;
  /** Loses the next COMMIT. */
  lose(how: LostCommit): void;
  /** Falls silent, without closing anything. */
  freeze(how: Freeze): void;
  /** The same as soon as the server has heard the next COMMIT. */
  freezeAtCommit(how: Freeze): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** Whether a proxy is silent, and what it will say when it no longer is. */
class Frost {
  /** How it falls silent as soon as the server has heard a COMMIT. */
  atCommit: Freeze | null = null;
  times = 0;
  #how: Freeze | null = null;
  readonly #kept: (() => void)[] = [];

  /** Does what carries bytes on, unless the proxy is silent just now for a connection of that time. */
  unless(since: number, carryOn: () => void): void {
    if (this.#how === null || (this.#how === 'old' && since === this.times)) carryOn();
    else if (this.#how === 'holds') this.#kept.push(carryOn);
  }

  begin(how: Freeze): void {
    this.#how = how;
    this.times += 1;
  }

  /** A COMMIT goes to the server. */
  committing(): void {
    if (this.atCommit === null) return;
    this.begin(this.atCommit);
    this.atCommit = null;
  }

  end(): void {
    this.#how = null;
    for (const carryOn of this.#kept.splice(0)) carryOn();
  }
}

/** Where the message that runs COMMIT begins in what a client sent, or -1; `names` holds what its statement is called, once
 * the client has said so. Messages are a letter, their length, and their text. */
function commitAt(chunk: Buffer, names: Set<string>): number {
  for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readInt32BE(at + 1)) {
    const letter = String.fromCharCode(chunk[at] ?? 0);
    const [first = '', second = ''] = chunk.toString('latin1', at + 5, at + 1 + chunk.readInt32BE(at + 1)).split('\0');
    if (letter === 'P' && second === 'COMMIT') names.add(first);
    if (letter === 'B' && names.has(second)) return at;
  }
  return -1;
}

/** How many answers a client's messages ask for: one for each that ends with a Sync, or is a simple query. */
function asksIn(chunk: Buffer): number {
  let asks = 0;
  for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readInt32BE(at + 1)) {
    if (chunk[at] === 0x53 || chunk[at] === 0x51) asks += 1;
  }
  return asks;
}

/** The server is ready for more: it says so once for each question. */
const READY = 'Z\0\0\0\x05';

/** Listens on a free port of the loopback, and answers it. */
async function listenOn(proxy: Server): Promise<number> {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

function countSocket(socket: Socket, open: Set<Socket>): void {
  open.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
}

/** The setting of a session by which the server ends a transaction that stands still, in the client's first message. */
const IDLE_LIMIT = 'idle_in_transaction_session_timeout\0';

/** A client's first message without that limit: a number of seconds becomes 0 of as many digits. */
function withoutIdleLimit(first: Buffer): Buffer {
  const text = first.toString('latin1');
  const at = text.indexOf(IDLE_LIMIT);
  if (at < 0) return first;
  const value = at + IDLE_LIMIT.length;
  const end = text.indexOf('\0', value);
  return Buffer.from(text.slice(0, value) + text.slice(value, end).replaceAll(/\d/g, '0') + text.slice(end), 'latin1');
}

/** What the proxy does to all of its connections. */
class Doing {
  /** What becomes of a client's first message. */
  readonly first: (message: Buffer) => Buffer;
  readonly frost = new Frost();
  readonly open = new Set<Socket>();
  losing: LostCommit | null = null;
  /** Sends the COMMIT that the server is to hear late. */
  held: (() => void) | null = null;
  /** Whether the answer to the question about a COMMIT is to be lost. */
  doubting = false;

  constructor(first: (message: Buffer) => Buffer) {
    this.first = first;
  }
}

function carry(client: Socket, server: Socket, doing: Doing): void {
  const { frost } = doing;
  let deaf = false;
  let leaving = false;
  let greeted = false;
  let waiting = 0;
  const names = new Set<string>();
  const since = frost.times;
  for (const socket of [client, server]) countSocket(socket, doing.open);
  // What a frozen server was sent it still hears, although who sent it is gone.
  client.on('close', () => frost.unless(since, () => doing.held === null && server.end()));
  server.on('close', () => client.destroy());
  const answer = (chunk: Buffer): void => {
    if (doing.doubting && !client.destroyed && chunk.includes('INSERT 0 ')) {
      doing.doubting = false;
      client.destroy();
      return;
    }
    waiting -= chunk.toString('latin1').split(READY).length - 1;
    // The batch's row is put in: it is the last before the COMMIT.
    if (leaving && waiting <= 0) client.destroy();
    // What else the server answers to the statements before it is not heard either.
    if (!deaf) client.write(chunk);
    else if (chunk.includes('COMMIT\0')) client.destroy();
  };
  const ask = (chunk: Buffer): void => {
    if (doing.held && chunk.includes('INSERT INTO commits')) {
      // The question is on its way; only now the server hears of the COMMIT that it is about.
      const commit = doing.held;
      doing.held = null;
      server.write(chunk, commit);
      return;
    }
    // The first message has no letter.
    const at = greeted ? commitAt(chunk, names) : -1;
    waiting += greeted ? asksIn(at < 0 ? chunk : chunk.subarray(0, at)) : 1;
    greeted = true;
    if (at >= 0) frost.committing();
    const how = at < 0 ? null : doing.losing;
    if (how === null || how === 'unanswered') {
      deaf ||= how === 'unanswered';
      if (how !== null) doing.losing = null;
      server.write(chunk);
      return;
    }
    doing.losing = null;
    doing.doubting = how === 'doubted';
    server.write(chunk.subarray(0, at));
    if (how === 'late') {
      // Who asks before the batch has written its row is told that it is gone, and so it is.
      doing.held = () => server.write(chunk.subarray(at));
      leaving = true;
      return;
    }
    server.end();
    client.destroy();
  };
  server.on('data', (chunk) => frost.unless(since, () => answer(chunk)));
  client.on('data', (chunk) => frost.unless(since, () => ask(greeted ? chunk : doing.first(chunk))));
}

/** Starts a proxy before the server of a database's URL. Without `idle_limit` a transaction may stand still for as long as a loaded
 * machine needs. */
export async function postgresProxy(url: string, { idle_limit = true } = {}): Promise<PostgresProxy> {
  const { hostname, port } = new URL(url);
  const doing = new Doing(idle_limit ? (message) => message : withoutIdleLimit);
  const proxy = createServer((client) => carry(client, connect(Number(port), hostname), doing));
  const through = new URL(url);
  through.port = String(await listenOn(proxy));
  return {
    url: through.href,
    lose: (how) => {
      doing.losing = how;
    },
    freeze: (how) => doing.frost.begin(how),
    freezeAtCommit: (how) => {
      doing.frost.atCommit = how;
    },
    thaw: () => doing.frost.end(),
    stop: async () => {
      for (const socket of doing.open) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
