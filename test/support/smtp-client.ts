// An SMTP client that sends exactly the bytes that it is given, for what no mail library would send.
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate } from 'node:tls';

export interface RawSmtp {
  /** Sends bytes (one character each) and answers the next whole reply, its lines joined; empty when the server left. */
  say(bytes: string): Promise<string>;
  /** The next reply without sending anything; the first one is the greeting. */
  hear(): Promise<string>;
  /** Speaks TLS from here on and answers the server's certificate; `ca` is trusted, without it anybody is. */
  secure(ca: string | undefined, servername: string): Promise<PeerCertificate>;
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Long enough for any answer on loopback; a server that says nothing until then is the finding. */
const PATIENCE_MS = 30_000;

/** Opens a connection from `local`, an address of 127/8. */
export function rawSmtp(port: number, local = '127.0.0.1'): RawSmtp {
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress: local });
  let text = '';
  let gone = false;
  let heard = (): void => {};
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => {
      gone = true;
      heard();
      resolve();
    });
  });
  socket.on('error', () => undefined);
  socket.on('data', (part) => {
    text += part.toString('latin1');
    heard();
  });
  const hear = async (): Promise<string> => {
    const late = Date.now() + PATIENCE_MS;
    for (;;) {
      const whole = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(text)?.[0];
      if (whole !== undefined) {
        text = text.slice(whole.length);
        return whole.trimEnd();
      }
      if (gone) return '';
      if (Date.now() > late) throw new Error(`the server said nothing more: ${JSON.stringify(text)}`);
      await new Promise<void>((resolve) => {
        heard = resolve;
        setTimeout(resolve, 1_000);
      });
    }
  };
  return {
    hear,
    say: (bytes) => {
      socket.write(bytes, 'latin1');
      return hear();
    },
    secure: (ca, servername) => {
      socket.removeAllListeners('data');
      const { promise, resolve, reject } = Promise.withResolvers<PeerCertificate>();
      const tls = connectTls({ socket, ca, servername, rejectUnauthorized: ca !== undefined });
      tls.on('error', reject);
      tls.on('secureConnect', () => resolve(tls.getPeerCertificate()));
      return promise;
    },
    ended,
    close: () => socket.destroy(),
  };
}
