// A TCP proxy between clients and a node that loses a share of the answers: the request went through, the first bytes of
// the answer came back, and then the connection is cut. So whatever the request did is committed and nobody was told.
import { connect, createServer, type Socket } from 'node:net';
import type { Random } from '../sim/random.ts';

export interface CutProxy {
  readonly url: string;
  /** Where connections go from now on. */
  readonly aim: (port: number) => void;
  /** Share of the answers that are lost, 0 to 1. */
  readonly lose: (share: number) => void;
  readonly lost: () => number;
  /** Holds back what either side says, also on new connections, until it is told to go on. */
  readonly hold: (held: boolean) => void;
  readonly stop: () => Promise<void>;
}

/** Starts a proxy; until it is aimed, it refuses. */
export async function cutProxy(random: Random): Promise<CutProxy> {
  let port: number | null = null;
  let share = 0;
  let lost = 0;
  let held = false;
  const open = new Set<Socket>();
  const carry = (client: Socket): void => {
    if (port === null) {
      client.destroy();
      return;
    }
    const node = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, node],
      [node, client],
    ] as const) {
      open.add(socket);
      if (held) socket.pause();
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => node.write(chunk));
    node.on('data', (chunk) => {
      if (!random.chance(share)) {
        client.write(chunk);
        return;
      }
      lost += 1;
      client.destroy();
    });
  };
  const server = createServer(carry);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    url: `http://127.0.0.1:${address.port}`,
    aim: (to) => {
      port = to;
    },
    lose: (next) => {
      share = next;
    },
    lost: () => lost,
    hold: (next) => {
      held = next;
      for (const socket of open) {
        if (held) socket.pause();
        else socket.resume();
      }
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
