// A TCP proxy between a store and PostgreSQL that does one thing wrong, once, at a COMMIT: the connection is lost before
// the server heard it, after it has answered, or in between, while the server is still at it.
import { connect, createServer, type Server, type Socket } from 'node:net';

/** `unheard`: the server never gets it. `unanswered`: it commits and nobody hears. `late`: it commits only after it was
 * asked about on another connection. */
export type LostCommit = 'unheard' | 'unanswered' | 'late';

export interface PostgresProxy {
  /** The URL to give to the store. */
  readonly url: string;
  /** Loses the next COMMIT. */
  lose(how: LostCommit): void;
  stop(): Promise<void>;
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

/** Listens on a free port of the loopback, and answers it. */
async function listening(proxy: Server): Promise<number> {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

function counted(socket: Socket, open: Set<Socket>): void {
  open.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
}

/** Starts a proxy before the server of a database's URL. */
export async function postgresProxy(url: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(url);
  let losing: LostCommit | null = null;
  let held: (() => void) | null = null;
  const open = new Set<Socket>();
  const carry = (client: Socket): void => {
    const server = connect(Number(port), hostname);
    let deaf = false;
    let greeted = false;
    const names = new Set<string>();
    for (const socket of [client, server]) counted(socket, open);
    client.on('close', () => held === null && server.destroy());
    server.on('close', () => client.destroy());
    server.on('data', (chunk) => {
      // What else the server answers to the statements before it is not heard either.
      if (!deaf) client.write(chunk);
      else if (chunk.includes('COMMIT\0')) client.destroy();
    });
    client.on('data', (chunk) => {
      if (held && chunk.includes('INSERT INTO commits')) {
        // The question is on its way; only now the server hears of the COMMIT that it is about.
        const commit = held;
        held = null;
        server.write(chunk, commit);
        return;
      }
      // The first message has no letter.
      const at = greeted ? commitAt(chunk, names) : -1;
      greeted = true;
      if (losing === null || at < 0) {
        server.write(chunk);
        return;
      }
      const how = losing;
      losing = null;
      if (how === 'unanswered') {
        deaf = true;
        server.write(chunk);
        return;
      }
      server.write(chunk.subarray(0, at));
      if (how === 'unheard') server.end();
      else held = () => server.write(chunk.subarray(at));
      client.destroy();
    });
  };
  const proxy = createServer(carry);
  const through = new URL(url);
  through.port = String(await listening(proxy));
  return {
    url: through.href,
    lose: (how) => {
      losing = how;
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
