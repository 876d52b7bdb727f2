// What a handler asks of the client while its call is under way: each request goes out on the stream that the call opened, and
// the answer comes in by another POST. There is no session that would tie the two together: an answer finds its call by an id
// that nobody can guess, and only when whoever sends it is whom the request was for.
import type { Clock } from '../../../actors/clock.ts';
import { Deadlines } from '../../../actors/deadlines.ts';
import type { RpcId, RpcMessage } from '../json-rpc.ts';
import type { Exchange } from './exchange.ts';
import { Remembered } from './remembered.ts';

/** A person may have to read, think and type; a client that says nothing for longer has lost the request. */
const ANSWER_MS = 10 * 60_000;
/** A caller who leaves more open than this answers none. */
const CALLER_MAX = 32;
/** Of a kilobyte each with the call that waits for it. */
const ASKED_MAX = 10_000;
/** Enough that nobody finds the id of another's request. */
const ID_BYTES = 18;

/** What a client answered: its result, or the error that it has in place of one. */
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

  /** How many wait for an answer. */
  get open(): number {
    return this.#asked.size;
  }

  /** Asks `caller`; `send` writes the request under its id on the stream of the call, and `onClose` hears of that stream's end.
   * Null where no answer came, nor will come. */
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

  /** Hands an answer to the call that waits for it; false where none does, or none of this caller's. */
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

// What this door keeps of its clients between their requests: what was asked of them, what they asked to be told of, and the key
// that seals what they bring back. All of it is this node's own, and none of it outlives the process.

export interface ClientSide {
  readonly requests: ClientRequests;
  readonly remembered: Remembered;
  readonly clock: Pick<Clock, 'now'>;
  /** What is to be looked at again at its time. */
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

/** What tells a caller from every other one: its credential, and the agent as which it acts. */
export function callerName({ caller: { principal }, acting }: Pick<Exchange, 'caller' | 'acting'>): string {
  const { kind, credential_id, account_id } = principal;
  return `${kind}:${credential_id ?? account_id ?? ''}:${acting ?? ''}`;
}

/** Hands what a client answered to the call that asked; false where none did. */
export function takeAnswer(
  { requests }: ClientSide,
  from: Pick<Exchange, 'caller' | 'acting'>,
  { id, result, error }: Extract<RpcMessage, { kind: 'answer' }>,
): boolean {
  return requests.answer(callerName(from), id, error === undefined ? { result } : { error });
}
