// The SMTP listener for agents' mailboxes (MAIL_INBOUND_PORT). It accepts mail only for its own mailboxes, and has neither relay
// nor AUTH. Clients are untrusted, so everything about a connection is bounded: number, time, bytes, tries.

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

// The handling of a mail: checks each recipient, and passes the mail to the same operation as the HTTP route, once for each
// recipient.

/** Longer names are cut: they decide nothing, and the operation's limit would refuse the mail. */
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

  /** Null when mail to an address is accepted, or the refusal. */
  async recipient(address: string): Promise<Error | null> {
    const { store, settings, clock } = this.#service;
    try {
      return (await takesMail(store.read, address, settings.mail_domain, clock.now())) ? null : NO_MAILBOX;
    } catch {
      // The store could not be read; the sender retries later.
      return TRY_LATER;
    }
  }

  /**
   * Delivers a mail to every recipient of its envelope. One success accepts the whole mail, because SMTP has one answer for
   * all: after a refusal its sender would repeat it also to recipients that have it. Returns null, or the refusal.
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

/** A refusal with its most specific sentence: the problem of a field, if one is named. */
function refusalError(refusal: Refusal, addresses: StepForm): Error {
  const { fault, message, data } = shownFault(refusal, addresses);
  const fields: unknown = data['fields'];
  const [field]: unknown[] = Array.isArray(fields) ? fields : [];
  const named = typeof field === 'object' && field !== null && 'message' in field ? String(field.message) : message;
  return smtpRefusal(fault, named);
}

/** Each may hold one mail of 10 MiB in memory. Mail servers retry within minutes. */
const CONNECTIONS_MAX = 24;
/** Large senders open a few; more from one address would keep others out. */
const CONNECTIONS_PER_CLIENT = 6;
const IDLE_MS = 60_000;
/** The longest connection: 10 MiB at 40 kB/s. */
const CONNECTION_MS = 5 * 60_000;
/** Replies to the service have one recipient; more need several transactions. */
const RECIPIENTS_MAX = 10;
/** Refused recipients before a connection is closed, so that addresses cannot be found by trying; more are no
 * typing errors. */
const REFUSED_MAX = 10;
/** How long a stop waits for mails in progress; it has ten seconds for everything. */
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

/** A whole mail; null when it is too large. */
async function bytesOf(stream: SMTPServerDataStream): Promise<Buffer | null> {
  let parts: Buffer[] = [];
  // Read to its end at any size: the answer comes after the last line.
  for await (const part of stream) {
    if (stream.sizeExceeded) parts = [];
    else parts.push(part);
  }
  return stream.sizeExceeded ? null : Buffer.concat(parts);
}

/** `whole` gets the sessions whose mail has arrived completely and is being delivered, for which a stop waits. */
function options(
  door: SmtpDoor,
  { name, banner }: { readonly name: string; readonly banner: string },
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
    banner,
    cert,
    key,
    size: MAIL_MAX_BYTES,
    maxClients: CONNECTIONS_MAX,
    maxRecipients: RECIPIENTS_MAX,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_MS,
    // Reverse DNS decides nothing, and can take seconds.
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD'],
    logger: false,
    onRcptTo: ({ address }, session, done) => void recipient(address, session).then((error) => done(error)),
    onData: (stream, session, done) => {
      taken(stream, session).then(
        (error) => done(error, '2.0.0 Taken'),
        // The connection broke, so there is no answer to send.
        (error: unknown) => {
          log.debug('a mail broke off', errorFields(error));
          done(new SmtpRefusal(451, '4.3.0 The mail broke off.'));
        },
      );
    },
    onClose: ({ id }) => void refused.delete(id),
  };
}

/** Ends connections above the number for one client, or that last too long. */
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

/** Binds and serves; rejects with the system's error. The certificate is used after STARTTLS. */
export async function listenSmtp(
  service: DoorPorts,
  { host, port }: SmtpAddress,
  certificate: Certificate,
  log: Log,
): Promise<SmtpListener> {
  const { mail_domain, instance } = service.settings;
  // SMTP replies are ASCII (RFC 5321, 4.2).
  const named = { name: mail_domain, banner: instance.name.replace(/[^ -~]/g, '?') };
  const whole = new Set<string>();
  const server = new SMTPServer(options(new SmtpDoor(service), named, certificate, log, whole));
  boundSessions(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  server.removeAllListeners('error');
  // Disconnects and failed TLS handshakes are the clients' problem.
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
