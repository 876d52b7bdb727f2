// What a transport passes to the pipeline and gets back. The types do not depend on the transport, which decodes the request
// and renders a value with its notes, or a fault, in its own form.
import type { TSchema } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import type { Principal } from '../contract/context.ts';
import type { AnyOperation, StreamSink } from '../contract/operation.ts';
import { type Page, Rendered } from '../contract/reply.ts';
import type { Fault } from '../domain/fault.ts';
import type { Language } from '../domain/language.ts';
import type { StepForm } from '../domain/next-step.ts';
import type { Notes, Success } from '../domain/notes.ts';
import { asItIs, showOf, UNSAID } from '../schemas/next-step.ts';

/** Why a call has no input. A class, because a caller's own JSON can look like any plain object, a fault included. */
export class Unreadable {
  readonly refusal: Fault;

  constructor(refusal: Fault) {
    this.refusal = refusal;
  }
}

/** An input as a transport decoded it. */
export interface Sent {
  /** All sent fields in one object, not validated yet; or why there is none, which is told only to callers that would be
   * let in. */
  readonly input: Record<string, unknown> | Unreadable;
  /** Its size in bytes; of one that is too long, as many as were read or announced. */
  readonly bytes: number;
  /** Set when unknown fields are refused: the names of those that are not in the input. */
  readonly surplus?: readonly string[];
}

/** The credentials of a request; null for each that was not sent. */
export interface Credentials {
  /** An API key, from a header that holds only keys. */
  readonly key: string | null;
  /** An API key, or the access token of a session or an agent. */
  readonly bearer: string | null;
  readonly platform: string | null;
  /** The refresh token of a session. */
  readonly refresh: string | null;
  /** The page token of a session (steps/session/open.ts); only the transport for pages reads one. */
  readonly page?: string | null;
}

/** Where a call comes from. */
export interface Origin {
  readonly ip: string;
  /** The requested path, if any: access tokens are issued for addresses. */
  readonly path?: string;
  readonly method?: string;
  /** Sent by a page in a browser; the platform's token is never accepted from one. */
  readonly browser: boolean;
  /** The trace that the sender named (domain/trace.ts). */
  readonly trace?: string | null;
  /** The language that the sender accepts; null or absent where none with a catalogue is named. */
  readonly language?: Language | null;
}

export interface Call extends Sent {
  readonly operation: AnyOperation;
  /** Who may call by this binding, if other than by its operation; never derived from the request. */
  readonly admits?: Pick<AnyOperation, 'access' | 'scope'>;
  /** Reads the input of a large body instead, once the caller was let in. */
  readonly late_input?: () => Promise<Sent>;
  /** The fields of the input that come from the address. An invalid name there is not found. */
  readonly named?: readonly string[];
  /** What the caller sent; `mail` for the service's own mail transport, which no request can claim. */
  readonly credential: Credentials | 'mail';
  /** The handle by which the caller names the acting agent. */
  readonly acting: string | null;
  readonly origin: Origin;
  readonly idempotency_key: string | null;
  readonly request_id: string;
  /** An earlier call of the same request was counted to the rate: one request may run several operations. */
  readonly counted?: boolean;
  /** The caller, if it was let in already (`Pipeline.enter`) and the request is counted. */
  readonly entered?: Caller;
  /** How the transport names calls, if not by their addresses. */
  readonly form?: StepForm;
}

/** The authenticated caller. */
export interface Caller {
  readonly principal: Principal;
  /** When the sent access token expires; infinite for other credentials. */
  readonly token_ends_at: number;
  /** When the credential expires, unless it is renewed. */
  readonly ends_at: number;
  /** The caller's live agents, oldest first. */
  agents(): Promise<readonly Row<'agents'>[]>;
}

/** A request that runs no operation, such as one that lists a transport's offer. */
export interface Visit extends Pick<Call, 'credential' | 'origin' | 'request_id'> {
  /** Its subject, for the log. */
  readonly what: string;
}

/** The credentials of an anonymous caller. */
export const NO_CREDENTIALS: Credentials = { key: null, bearer: null, platform: null, refresh: null };

/** The credentials that the caller sent. */
export function credentialsOf({ credential }: Pick<Call, 'credential'>): Credentials {
  return credential === 'mail' ? NO_CREDENTIALS : credential;
}

/** A reply as a value and as JSON. Each is made from the other on first use, and then kept: the text stored for a repeated
 * key and the text sent are the same, made once. */
export class Reply {
  #value: unknown;
  #text: string | null = null;
  readonly #rendered: Rendered | null;

  /** From a value, or from an earlier rendering. */
  constructor(reply: unknown) {
    this.#rendered = reply instanceof Rendered ? reply : null;
    this.#value = reply instanceof Rendered ? undefined : reply;
  }

  /** From the value's JSON. */
  static ofText(text: string): Reply {
    const reply = new Reply(undefined);
    reply.#text = text;
    return reply;
  }

  /** The value's JSON, with named calls as an operation and its input. */
  get text(): string {
    this.#text ??= this.#rendered ? this.#rendered.json(UNSAID) : JSON.stringify(this.#value);
    return this.#text;
  }

  /** The JSON with the calls in a transport's form; `output` is its declared schema. */
  textFor(form: StepForm, output: TSchema): string {
    if (this.#rendered) return this.#rendered.json(form);
    const show = showOf(output);
    return show === asItIs ? this.text : JSON.stringify(show(this.value, form));
  }

  get value(): unknown {
    if (this.#value === undefined) this.#value = JSON.parse(this.text);
    return this.#value;
  }
}

/** The acting agent of a call, for transports that mark a reader's own text and that of others. */
interface Acted {
  /** The handle of the acting agent; absent where the operation acts for none. */
  readonly agent_handle?: string;
}

/** The end of a call that answers once. */
export interface Answer extends Acted {
  readonly status: Success;
  readonly reply: Reply;
  readonly notes: Notes;
  /** Whether this is the stored answer of an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** The schema of the reply, if other than the operation's own. */
  readonly output?: TSchema;
}

/** The end of a call that stays open. */
export interface Opened extends Acted {
  readonly start: (sink: StreamSink) => void;
}

export interface Refused {
  readonly refusal: Fault;
  /** Set when this is the stored refusal of an earlier call with the same Idempotency-Key, with that call's id. */
  readonly replayed?: { readonly request_id: string };
}

export type Ended = Answer | Opened | Refused;

/** A page with its items and the cursor of the next. */
export function repliedPage(
  { items, next_cursor, text }: Page<unknown>,
  notes: Notes,
): Pick<Answer, 'reply' | 'notes'> {
  const reply = text === undefined ? new Reply(items) : Reply.ofText(text);
  return { reply, notes: next_cursor === null ? notes : { ...notes, next_cursor } };
}
