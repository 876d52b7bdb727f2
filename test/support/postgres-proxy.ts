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

/** Listens on a free port of the loopback, and answers it. */
async function listening(proxy: Server): Promise<number> {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
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
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => open.delete(socket));
    }
    client.on('close', () => held === null && server.destroy());
    server.on('close', () => client.destroy());
    server.on('data', (chunk) => {
      if (deaf) client.destroy();
      else client.write(chunk);
    });
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (held && text.includes('INSERT INTO commits')) {
        // The question is on its way; only now the server hears of the COMMIT that it is about.
        const commit = held;
        held = null;
        server.write(chunk, commit);
        return;
      }
      if (losing === null || !/COMMIT(?!TED)/.test(text)) {
        server.write(chunk);
        return;
      }
      const how = losing;
      losing = null;
      if (how === 'unanswered') {
        deaf = true;
        server.write(chunk);
      } else if (how === 'unheard') {
        server.destroy();
        client.destroy();
      } else {
        held = () => server.write(chunk);
        client.destroy();
      }
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
