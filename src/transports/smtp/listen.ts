// The SMTP listener for agents' mailboxes (MAIL_INBOUND_PORT). It takes mail for its own mailboxes only, relays nothing and
// lets nobody sign in. Strangers hold it, so everything about a connection is bounded: number, time, bytes, tries.

import type { Server, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { AnyOperation } from '../../contract/operation.ts';
import { clientOf } from '../../domain/identity/rate.ts';
import { MAIL_MAX_BYTES } from '../../domain/mail/mailbox.ts';
import type { StepForm } from '../../domain/next-step.ts';
import { errorFields, type Log } from '../../log.ts';
import type { Certificate } from '../../outbound/certificate.ts';
import type { Ended } from '../../pipeline/call.ts';
import { shownFault } from '../../schemas/next-step.ts';
import { takesMail } from '../../steps/mail/target.ts';
import type { DoorPorts } from '../door-ports.ts';
import { NO_MAILBOX, SmtpRefusal, smtpRefusal, TOO_LARGE, TRY_LATER } from './reply.ts';

// What the SMTP listener does with a mail: asks for each recipient whether it may come, and hands what came to the same
// operation as the HTTP door, once for each of them.

/** Names longer than the operation takes are cut: they decide nothing, and its own limit would refuse the mail. */
const CLIENT_NAME_MAX = 255;

export class SmtpDoor {
  readonly #service: DoorPorts;
  readonly #receive: AnyOperation;

  constructor(service: DoorPorts) {
    const receive = service.operations.find(({ name }) => name === 'mail.receive');
    if (!receive) throw new Error('no operation takes mail');
    this.#service = service;
    this.#receive = receive;
  }

  /** Whether mail to an address may come in: null, or the refusal. */
  async recipient(address: string): Promise<Error | null> {
    const { store, settings, clock } = this.#service;
    try {
      return (await takesMail(store.read, address, settings.mail_domain, clock.now())) ? null : NO_MAILBOX;
    } catch {
      // The store could not be read; the sender keeps the mail until it can.
      return TRY_LATER;
    }
  }

  /**
   * Hands a mail in for every recipient of its envelope. One that takes it is enough for the whole, since SMTP has one
   * answer for all: its sender would send a refused one again to those who have it. Answers null, or the refusal.
   */
  async mail(raw: Buffer, session: SMTPServerSession): Promise<Error | null> {
    const text = raw.toString('latin1');
    let refusal: Error = NO_MAILBOX;
    let taken = false;
    const release = this.#service.mails.keep(text);
    try {
      for (const { address } of session.envelope.rcptTo) {
        const ended = await this.#call(text, address, session);
        if ('reply' in ended) taken = true;
        else if ('refusal' in ended) refusal = refusalError(ended.refusal, this.#service.addresses);
      }
    } finally {
      release();
    }
    return taken ? null : refusal;
  }

  #call(raw: string, to: string, session: SMTPServerSession): Promise<Ended> {
    const { pipeline, id } = this.#service;
    const { mailFrom } = session.envelope;
    const input = {
      raw,
      to,
      envelope_from: mailFrom ? mailFrom.address : '',
      client_ip: session.remoteAddress,
      client_name: String(session.hostNameAppearsAs || session.remoteAddress).slice(0, CLIENT_NAME_MAX),
    };
    return pipeline.run({
      operation: this.#receive,
      input,
      bytes: raw.length,
      credential: 'mail',
      acting: null,
      origin: { ip: session.remoteAddress, browser: false },
      idempotency_key: null,
      request_id: id(),
    });
  }
}

type Refusal = Extract<Ended, { readonly refusal: unknown }>['refusal'];

/** A refusal with the sentence that says most: what is wrong with a field, where one is named. */
function refusalError(refusal: Refusal, addresses: StepForm): Error {
  const { fault, message, data } = shownFault(refusal, addresses);
  const fields: unknown = data['fields'];
  const [field]: unknown[] = Array.isArray(fields) ? fields : [];
  const named = typeof field === 'object' && field !== null && 'message' in field ? String(field.message) : message;
  return smtpRefusal(fault, named);
}

/** Each may hold one mail of 10 MiB in memory. Mail servers that find it full come back in minutes. */
const CONNECTIONS_MAX = 24;
/** Large senders open a few; more from one address are somebody who keeps others out. */
const CONNECTIONS_PER_CLIENT = 6;
const IDLE_MS = 60_000;
/** A whole connection: 10 MiB at 40 kB/s. Who sends a byte a second has no right to a place. */
const CONNECTION_MS = 5 * 60_000;
/** Letters of the service have one reader each; what has more is asked to come in several transactions. */
const RECIPIENTS_MAX = 10;
/** Recipients that are refused in one connection before it ends: nobody mistypes so many, and addresses are not to be
 * found by trying. */
const REFUSED_MAX = 10;
/** How long a stop waits for mails that are under way; it has ten seconds for everything. */
const CLOSE_MS = 4_000;

export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
}

export interface SmtpListener {
  readonly port: number;
  stop(): Promise<void>;
}

const TOO_MANY = new SmtpRefusal(421, '4.7.0 Too many connections from your address; come back later.');
const TOO_MANY_REFUSED = new SmtpRefusal(421, '4.7.0 Too many recipients that are not here.');

/** The whole of a mail; null when it is larger than a mail may be, of which nothing is kept. */
async function bytesOf(stream: SMTPServerDataStream): Promise<Buffer | null> {
  let parts: Buffer[] = [];
  // Read to its end whatever its size: the answer comes after the last line.
  for await (const part of stream) {
    if (stream.sizeExceeded) parts = [];
    else parts.push(part);
  }
  return stream.sizeExceeded ? null : Buffer.concat(parts);
}

/** `whole` is told the sessions whose mail has come whole and is being taken: these are worth waiting for. */
function options(
  door: SmtpDoor,
  name: string,
  { cert, key }: Certificate,
  log: Log,
  whole: Set<string>,
): SMTPServerOptions {
  const refused = new Map<string, number>();
  const taken = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> => {
    const raw = await bytesOf(stream);
    if (!raw) return TOO_LARGE;
    whole.add(session.id);
    return door.mail(raw, session).finally(() => whole.delete(session.id));
  };
  const recipient = async (address: string, { id }: SMTPServerSession): Promise<Error | null> => {
    const refusal = await door.recipient(address);
    if (!refusal) return null;
    const times = (refused.get(id) ?? 0) + 1;
    refused.set(id, times);
    return times >= REFUSED_MAX ? TOO_MANY_REFUSED : refusal;
  };
  return {
    name,
    banner: 'Meshwork',
    cert,
    key,
    size: MAIL_MAX_BYTES,
    maxClients: CONNECTIONS_MAX,
    maxRecipients: RECIPIENTS_MAX,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_MS,
    // Who a client is called in the DNS decides nothing, and asking costs it seconds.
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD'],
    logger: false,
    onRcptTo: ({ address }, session, done) => void recipient(address, session).then((error) => done(error)),
    onData: (stream, session, done) => {
      taken(stream, session).then(
        (error) => done(error, '2.0.0 Taken'),
        // The connection broke in the middle; there is nobody to tell.
        (error: unknown) => {
          log.debug('a mail broke off', errorFields(error));
          done(new SmtpRefusal(451, '4.3.0 The mail broke off.'));
        },
      );
    },
    onClose: ({ id }) => void refused.delete(id),
  };
}

/** Ends connections that come in too many from one place or last too long. */
function boundSessions(server: SMTPServer): void {
  server.onConnect = ({ remoteAddress }, done) => {
    const client = clientOf(remoteAddress);
    const open = [...server.connections].filter((each) => clientOf(each.remoteAddress) === client).length;
    done(open > CONNECTIONS_PER_CLIENT ? TOO_MANY : null);
  };
  server.server.on('connection', (socket: Socket) => {
    setTimeout(() => socket.destroy(), CONNECTION_MS).unref();
  });
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** Binds and serves; rejects with the system's error when that cannot be. The certificate is shown after STARTTLS. */
export async function listenSmtp(
  service: DoorPorts,
  { host, port }: SmtpAddress,
  certificate: Certificate,
  log: Log,
): Promise<SmtpListener> {
  const { mail_domain } = service.settings;
  const whole = new Set<string>();
  const server = new SMTPServer(options(new SmtpDoor(service), mail_domain, certificate, log, whole));
  boundSessions(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  server.removeAllListeners('error');
  // Clients that go away, or fail to agree on a cipher, are their own affair.
  server.on('error', (error: Error) => log.debug('an SMTP connection failed', errorFields(error)));
  return {
    port: portOf(server.server),
    stop: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of server.connections) if (!whole.has(connection.id)) connection.close();
      return closed;
    },
  };
}
