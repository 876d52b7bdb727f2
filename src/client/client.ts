// The client: every operation of the service as a method by noun and verb, made of the table of operations, so that a new
// operation is there without a line here.
import { type Inbox, inbox, toldOf } from './inbox.ts';
import { type Address, OPERATIONS } from './operations.ts';
import { pages } from './pages.ts';
import { type Fields, type Prepared, prepare } from './request.ts';
import { type Credential, type Fetch, type Reply, type Settings, send } from './send.ts';
import { follow, SILENCE_MAX_MS, type Source } from './stream.ts';
import type { CallOptions, InboxOptions, Input, Nouns, OperationName, Output, Result } from './types.ts';

/** The server and credential of a client. */
export interface ClientOptions {
  /** The server's address, such as `https://mesh.example.org`. */
  readonly url: string;
  /** An API key, or what gets one. */
  readonly api_key?: Credential;
  /** The access token of a session or of OAuth, or what gets a fresh one. */
  readonly access_token?: Credential;
  /** The handle of the agent that acts, where the key or the account has several. */
  readonly agent?: string;
  /** For each attempt at a request, its answer included; 60 seconds unless said: matching runs before some answers. */
  readonly timeout_ms?: number;
  /** How often a request is sent again that met a passing failure; 4 times unless said, which takes some seven seconds. */
  readonly retries_max?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: Fetch;
}

const TIMEOUT_MS = 60_000;
const RETRIES_MAX = 4;

/** An idempotency key: 128 random bits. `crypto.randomUUID` is missing on pages that come without TLS. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Parses a stream's data as JSON; other text is returned unchanged. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const TABLE: Readonly<Record<string, Address>> = OPERATIONS;

/** Sends the calls of one client. */
class Caller {
  readonly #base: string;
  readonly #agent: string | undefined;
  readonly #settings: Settings;

  constructor(options: ClientOptions) {
    this.#base = options.url.replace(/\/$/, '');
    this.#agent = options.agent;
    this.#settings = {
      // Called as a function of its own: browsers refuse it as another object's method.
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      api_key: options.api_key,
      access_token: options.access_token,
      headers: options.headers ?? {},
      timeout_ms: options.timeout_ms ?? TIMEOUT_MS,
      retries_max: options.retries_max ?? RETRIES_MAX,
    };
  }

  #prepare(name: string, address: Address, input: Fields, { agent, idempotency_key }: CallOptions): Prepared {
    const request = prepare(this.#base, name, address, input, agent ?? this.#agent);
    if (!address.write) return request;
    return { ...request, headers: { ...request.headers, 'Idempotency-Key': idempotency_key ?? randomKey() } };
  }

  /** Calls an operation: what comes of it is a promise, pages, or a stream, by its kind. */
  call(name: string, input: Fields = {}, options: CallOptions = {}): unknown {
    const address = TABLE[name];
    if (!address) throw new TypeError(`there is no operation ${name}`);
    if (address.resume) return follow(this.#source(name, input, jsonOf, options));
    const sent = async (fields: Fields): Promise<Reply> =>
      send(this.#prepare(name, address, fields, options), this.#settings, options);
    if (!address.paged) return sent(input).then(({ body }) => body);
    return pages(name, (cursor) => sent(cursor === undefined ? input : { ...input, cursor }));
  }

  #source<T>(
    name: string,
    input: Fields,
    decode: (data: string) => T,
    options: CallOptions & { readonly silence_max_ms?: number },
  ): Source<T> {
    const address = TABLE[name] as Address;
    const request = (last_id: string | null): Prepared => {
      const resumed = last_id === null || !address.resume ? input : { ...input, [address.resume]: last_id };
      return this.#prepare(name, address, resumed, options);
    };
    const { signal, silence_max_ms = SILENCE_MAX_MS } = options;
    return { request, decode, settings: this.#settings, signal, silence_max_ms };
  }

  /** The inbox of the acting agent. */
  inbox({ after = 0, epoch, on_reset, ...options }: InboxOptions = {}): Inbox {
    const stream = this.#source('inbox.stream', { after }, toldOf, options);
    const pull = (last: number) => this.call('inbox.pull', { after: last, limit: 100, peek: true }, options);
    return inbox(
      { stream, pull: async (last) => (await pull(last)) as Output<'inbox.pull'> },
      { after, epoch, on_reset },
    );
  }
}

/** The methods of a client, by noun. */
class Methods {
  constructor(caller: Caller) {
    // The inbox is a function that carries the methods of its noun.
    const nouns: Record<string, object> = { inbox: (options?: InboxOptions) => caller.inbox(options) };
    for (const name of Object.keys(TABLE)) {
      const [noun = '', verb = ''] = name.split('.').map(camel);
      const method = (input?: Fields, options?: CallOptions): unknown => caller.call(name, input, options);
      nouns[noun] = Object.assign(nouns[noun] ?? {}, { [verb]: method });
    }
    Object.assign(this, nouns);
  }
}

/** The methods made by the loop above, typed by the table. */
const Typed = Methods as unknown as new (caller: Caller) => Nouns;

export class MeshworkClient extends Typed {
  readonly #caller: Caller;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    const caller = new Caller(options);
    super(caller);
    this.#caller = caller;
    this.#options = options;
  }

  /** The same client with some options changed: as another agent, with another key. */
  with(options: Partial<ClientOptions>): MeshworkClient {
    return new MeshworkClient({ ...this.#options, ...options });
  }

  /** Calls an operation by its name. */
  call<O extends OperationName>(name: O, input: Input<O>, options?: CallOptions): Result<O> {
    // The table says what each operation answers, and the service keeps to it.
    return this.#caller.call(name, input as Fields, options) as Result<O>;
  }
}
