// Requests of a handler to the client during a call: each is sent on the call's stream, and the answer comes in another POST.
// Without sessions an answer finds its call by an unguessable id, and only when its sender is the caller that was
// asked.
import type { Clock } from '../../../actors/clock.ts';
import { Deadlines } from '../../../actors/deadlines.ts';
import type { RpcId, RpcMessage } from '../json-rpc.ts';
import type { Exchange } from './exchange.ts';
import { Remembered } from './remembered.ts';

/** A person may have to read, think and type; a client that is silent for longer has lost the request. */
const ANSWER_MS = 10 * 60_000;
/** The most open requests to one caller. */
const CALLER_MAX = 32;
/** A kilobyte each, with the waiting call. */
const ASKED_MAX = 10_000;
/** Enough to make ids unguessable. */
const ID_BYTES = 18;

/** A client's answer: its result or its error. */
export type ClientAnswer = { readonly result: unknown } | { readonly error: unknown };

interface Asked {
  readonly id: string;
  readonly caller: string;
  readonly settle: (answer: ClientAnswer | null) => void;
}

export class ClientRequests {
  readonly #random: (bytes: number) => Uint8Array;
  readonly #clock: Clock;
  readonly #asked = new Map<string, Asked>();
  readonly #ofCaller = new Map<string, number>();
  readonly #ends: Deadlines<Asked>;

  constructor(clock: Clock, random: (bytes: number) => Uint8Array) {
    this.#clock = clock;
    this.#random = random;
    this.#ends = new Deadlines(clock, (asked) => this.#close(asked, null));
  }

  /** The number of open requests. */
  get open(): number {
    return this.#asked.size;
  }

  /** Asks `caller`; `send` writes the request with its id to the call's stream, and `onClose` is called at that stream's end. Null
   * without an answer. */
  ask(
    caller: string,
    send: (id: string) => boolean,
    onClose: (listener: () => void) => void,
  ): Promise<ClientAnswer | null> {
    const of_caller = this.#ofCaller.get(caller) ?? 0;
    if (this.#asked.size >= ASKED_MAX || of_caller >= CALLER_MAX) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<ClientAnswer | null>();
    const id = Buffer.from(this.#random(ID_BYTES)).toString('base64url');
    const asked: Asked = { id, caller, settle: resolve };
    this.#asked.set(id, asked);
    this.#ofCaller.set(caller, of_caller + 1);
    this.#ends.set(asked, this.#clock.now() + ANSWER_MS);
    onClose(() => this.#close(asked, null));
    if (!send(id)) this.#close(asked, null);
    return promise;
  }

  /** Passes an answer to the waiting call; false when no call of this caller waits for it. */
  answer(caller: string, id: RpcId, answer: ClientAnswer): boolean {
    const asked = typeof id === 'string' ? this.#asked.get(id) : undefined;
    if (asked?.caller !== caller) return false;
    this.#close(asked, answer);
    return true;
  }

  #close(asked: Asked, answer: ClientAnswer | null): void {
    if (!this.#asked.delete(asked.id)) return;
    this.#ends.delete(asked);
    const left = (this.#ofCaller.get(asked.caller) ?? 1) - 1;
    if (left === 0) this.#ofCaller.delete(asked.caller);
    else this.#ofCaller.set(asked.caller, left);
    asked.settle(answer);
  }
}

// The state of clients between their requests: open requests to them, their subscriptions, and the key that seals their state. It
// belongs to this node and does not outlive the process.

export interface ClientSide {
  readonly requests: ClientRequests;
  readonly remembered: Remembered;
  readonly clock: Pick<Clock, 'now'>;
  /** Timed checks. */
  readonly alarms: Deadlines<() => void>;
  readonly seal_key: Uint8Array;
  random(bytes: number): Uint8Array;
}

interface Parts {
  readonly clock: Clock;
  readonly secrets: { readonly seal_key: Uint8Array };
  random(bytes: number): Uint8Array;
}

export function openClientSide({ clock, secrets, random }: Parts): ClientSide {
  const requests = new ClientRequests(clock, random);
  const alarms = new Deadlines<() => void>(clock, (ring) => ring());
  return { requests, remembered: new Remembered(), clock, alarms, seal_key: secrets.seal_key, random };
}

/** The identity of a caller: its credential and its acting agent. */
export function callerName({ caller: { principal }, acting }: Pick<Exchange, 'caller' | 'acting'>): string {
  const { kind, credential_id, account_id } = principal;
  return `${kind}:${credential_id ?? account_id ?? ''}:${acting ?? ''}`;
}

/** Passes a client's answer to the call that asked; false when none did. */
export function takeAnswer(
  { requests }: ClientSide,
  from: Pick<Exchange, 'caller' | 'acting'>,
  { id, result, error }: Extract<RpcMessage, { kind: 'answer' }>,
): boolean {
  return requests.answer(callerName(from), id, error === undefined ? { result } : { error });
}
