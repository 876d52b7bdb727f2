// A connection to a checked address, for one request after the other. The certificate is verified against the name before anything
// is sent.
import net, { isIP } from 'node:net';
import tls from 'node:tls';

/** The target: the address is dialled, the host is named in TLS and in the Host header. */
export interface Target {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  readonly address: string;
  /** Certificate authorities in place of the system's; only for tests. */
  readonly ca: string | undefined;
  /** The most connections at a time, if other than the default. */
  readonly sockets?: number | undefined;
}

/** The request that a connection carries. */
export interface Carried {
  /** The connection is open and verified. */
  opened(): void;
  came(bytes: Buffer): void;
  /** It has ended: by the other side in an orderly way when there is no error. */
  ended(error: Error | null): void;
}

function open({ secure, host, address, port, ca }: Target): net.Socket {
  if (!secure) return net.connect({ host: address, port, noDelay: true });
  // Explicit, so that no environment variable disables the check.
  const verified = { rejectUnauthorized: true, ca, ALPNProtocols: ['http/1.1'] };
  return tls.connect({ host: address, port, ...verified, ...(isIP(host) === 0 && { servername: host }) });
}

export class Connection {
  readonly #socket: net.Socket;
  #carried: Carried | null = null;
  #is_open = false;
  #is_over = false;
  /** Whether it has carried a request before the present one. */
  used = false;

  constructor(target: Target) {
    this.#socket = open(target);
    this.#socket.once(target.secure ? 'secureConnect' : 'connect', () => {
      this.#is_open = true;
      this.#carried?.opened();
    });
    this.#socket.on('data', (bytes: Buffer) => {
      if (this.#carried) this.#carried.came(bytes);
      // Nothing was asked: whatever it is, it must not pass for the next answer.
      else this.close();
    });
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('end', () => this.#end(null));
    this.#socket.on('close', () => this.#end(null));
  }

  get isOver(): boolean {
    return this.#is_over;
  }

  /** Carries a request from now on. */
  carry(carried: Carried): void {
    this.#carried = carried;
    this.#socket.ref();
    if (this.#is_over) carried.ended(null);
    else if (this.#is_open) carried.opened();
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Ends the carrying; the connection is closed unless it is kept, which needs the request to have left whole. */
  leave(keep: boolean): void {
    this.#carried = null;
    this.used = true;
    if (!keep || this.#socket.writableLength > 0) this.close();
    // While it waits for the next request it must not keep the process alive.
    else this.#socket.unref();
  }

  close(): void {
    this.#is_over = true;
    this.#socket.destroy();
  }

  #end(error: Error | null): void {
    this.#is_over = true;
    this.#carried?.ended(error);
    this.#socket.destroy();
  }
}
