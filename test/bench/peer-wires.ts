// Publishers of the peers' own protocols, over bare sockets: each sends one message and waits for the word that it is taken.
import { monotonicMs } from './monotonic.ts';
import { CONTENT } from './talks.ts';

/** Sends one message; resolves when the peer has taken it. */
export type Publish = () => Promise<unknown>;

export interface Publisher {
  readonly publish: Publish;
  close(): void;
}

/** A connection on which one thing at a time is asked. */
interface Wire {
  /** Sends bytes, and resolves with what came since once that is `whole`. */
  ask(bytes: string | Uint8Array, whole: (came: Buffer) => boolean): Promise<Buffer>;
  close(): void;
}

async function connectWire(port: number): Promise<Wire> {
  let came: Buffer = Buffer.alloc(0);
  let asked: { readonly whole: (came: Buffer) => boolean; readonly end: PromiseWithResolvers<Buffer> } | null = null;
  const failed = (error: unknown): void => asked?.end.reject(error);
  const settle = (): void => {
    try {
      if (!asked?.whole(came)) return;
      const { end } = asked;
      const all = came;
      [asked, came] = [null, Buffer.alloc(0)];
      end.resolve(all);
    } catch (error) {
      failed(error);
    }
  };
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data: (_, chunk: Buffer) => {
        came = came.length === 0 ? Buffer.from(chunk) : Buffer.concat([came, chunk]);
        settle();
      },
      error: (_, error) => failed(error),
      close: () => failed(new Error(`the peer closed the connection: ${came.toString('latin1', 0, 500)}`)),
    },
  });
  return {
    ask: (bytes, whole) => {
      const end = Promise.withResolvers<Buffer>();
      asked = { whole, end };
      if (socket.write(bytes) !== Buffer.byteLength(bytes)) throw new Error('a small message did not fit the socket');
      return end.promise;
    },
    close: () => {
      asked = null;
      socket.terminate();
    },
  };
}

const holds =
  (text: string) =>
  (came: Buffer): boolean =>
    came.includes(text);

/** An entry of a Redis stream; the answer is its id. */
export async function redisPublisher(port: number): Promise<Publisher> {
  const wire = await connectWire(port);
  const words = ['XADD', 'messages', '*', 'content', CONTENT];
  const entry = `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`;
  const isId = (came: Buffer): boolean => {
    if (came[0] === 0x2d) throw new Error(`Redis refused: ${came}`);
    return came.indexOf('\r\n', came.indexOf('\r\n') + 2) > 0;
  };
  return { publish: () => wire.ask(entry, isId), close: wire.close };
}

let inboxes = 0;

/** A message of a JetStream; the answer names its place. */
export async function natsPublisher(port: number): Promise<Publisher> {
  const wire = await connectWire(port);
  const inbox = `_INBOX.${++inboxes}`;
  const call = (subject: string, body: string, word: string) =>
    wire.ask(`PUB ${subject} ${inbox} ${body.length}\r\n${body}\r\n`, (came) => {
      if (came.includes('"error"')) throw new Error(`NATS refused: ${came}`);
      return came.includes(word);
    });
  await wire.ask('CONNECT {"verbose":false,"pedantic":false}\r\nPING\r\n', holds('PONG'));
  await wire.ask(`SUB ${inbox} 1\r\nPING\r\n`, holds('PONG'));
  const stream = JSON.stringify({ name: 'M', subjects: ['m'], storage: 'file', retention: 'limits' });
  await call('$JS.API.STREAM.CREATE.M', stream, '"config"');
  return { publish: () => call('m', CONTENT, '"seq"'), close: wire.close };
}

// AMQP 0-9-1: frames are a type, a channel, a length, the payload and 0xCE.

const [METHOD, HEADER, BODY] = [1, 2, 3];
const CHANNEL = 1;
const QUEUE = 'messages';

const short = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
const long = (bytes: Buffer): Buffer => Buffer.concat([number(bytes.length, 4), bytes]);

function number(value: number, width: number): Buffer {
  const bytes = Buffer.alloc(width);
  bytes.writeUIntBE(value, 0, width);
  return bytes;
}

function frame(type: number, channel: number, ...payload: readonly Buffer[]): Buffer {
  const all = Buffer.concat(payload);
  return Buffer.concat([Buffer.from([type]), number(channel, 2), long(all), Buffer.from([0xce])]);
}

const method = (channel: number, of_class: number, name: number, ...rest: readonly Buffer[]): Buffer =>
  frame(METHOD, channel, number(of_class, 2), number(name, 2), ...rest);

/** Whether a method has come whole; a closing of the channel or connection throws. */
const answers =
  (of_class: number, name: number) =>
  (came: Buffer): boolean => {
    if (came.length < 12 || came.length < 8 + came.readUInt32BE(3)) return false;
    const found = `${came.readUInt16BE(7)}.${came.readUInt16BE(9)}`;
    if (found !== `${of_class}.${name}`) throw new Error(`RabbitMQ answered ${found}: ${came.toString('latin1')}`);
    return true;
  };

/** A message of a quorum queue; the answer confirms it. */
export async function rabbitPublisher(port: number): Promise<Publisher> {
  const wire = await connectWire(port);
  const table = long(Buffer.alloc(0));
  const guest = long(Buffer.from('\0guest\0guest'));
  await wire.ask(Buffer.from('AMQP\0\0\x09\x01', 'latin1'), answers(10, 10));
  await wire.ask(method(0, 10, 11, table, short('PLAIN'), guest, short('en_US')), answers(10, 30));
  const tuned = method(0, 10, 31, number(CHANNEL, 2), number(131_072, 4), number(0, 2));
  await wire.ask(Buffer.concat([tuned, method(0, 10, 40, short('/'), short(''), number(0, 1))]), answers(10, 41));
  await wire.ask(method(CHANNEL, 20, 10, short('')), answers(20, 11));
  const quorum = Buffer.concat([short('x-queue-type'), Buffer.from('S'), long(Buffer.from('quorum'))]);
  const durable = number(2, 1);
  await wire.ask(method(CHANNEL, 50, 10, number(0, 2), short(QUEUE), durable, long(quorum)), answers(50, 11));
  await wire.ask(method(CHANNEL, 85, 10, number(0, 1)), answers(85, 11));
  const body = Buffer.from(CONTENT);
  // Of the properties only the delivery mode: persistent.
  const persistent = Buffer.concat([number(0x1000, 2), number(2, 1)]);
  const message = Buffer.concat([
    method(CHANNEL, 60, 40, number(0, 2), short(''), short(QUEUE), number(0, 1)),
    frame(HEADER, CHANNEL, number(60, 2), number(0, 2), number(0, 4), number(body.length, 4), persistent),
    frame(BODY, CHANNEL, body),
  ]);
  return { publish: () => wire.ask(message, answers(60, 80)), close: wire.close };
}

let senders = 0;

/** A message from one account of an XMPP server to another, that of somebody who is away; the answer counts it. */
export async function xmppPublisher(port: number, accounts: number): Promise<Publisher> {
  const wire = await connectWire(port);
  const n = senders++ % accounts;
  const stream = `<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' to='localhost' version='1.0'>`;
  await wire.ask(stream, holds('</stream:features>'));
  const secret = Buffer.from(`\0sender${n}\0secret`).toString('base64');
  const auth = `<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${secret}</auth>`;
  await wire.ask(auth, holds('<success'));
  await wire.ask(stream, holds('</stream:features>'));
  await wire.ask(`<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>`, holds('</iq>'));
  await wire.ask(`<enable xmlns='urn:xmpp:sm:3'/>`, holds('<enabled'));
  const message = `<message type='chat' to='reader${n}@localhost'><body>${CONTENT}</body></message><r xmlns='urn:xmpp:sm:3'/>`;
  return { publish: () => wire.ask(message, holds('<a ')), close: wire.close };
}

/** Publishes over all of them at once for a time; the latencies, in milliseconds. */
export async function publishAll(publishers: readonly Publish[], window_ms: number): Promise<number[]> {
  const latencies: number[] = [];
  const ends_ms = monotonicMs() + window_ms;
  const loop = async (publish: Publish): Promise<void> => {
    for (let now_ms = monotonicMs(); now_ms < ends_ms; ) {
      await publish();
      const then_ms = monotonicMs();
      latencies.push(then_ms - now_ms);
      now_ms = then_ms;
    }
  };
  await Promise.all(publishers.map(loop));
  return latencies;
}
