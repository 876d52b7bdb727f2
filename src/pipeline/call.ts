// What a door hands to the pipeline and what it gets back. Neither knows how a call was sent or how it is answered: the door
// decodes what came, and renders a value with its notes, or a fault, in its own way.
import type { TSchema } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import type { Principal } from '../contract/context.ts';
import type { AnyOperation, StreamSink } from '../contract/operation.ts';
import { type Page, Rendered } from '../contract/reply.ts';
import type { Fault } from '../domain/fault.ts';
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

/** An input as a door decoded it. */
export interface Sent {
  /** All that was sent, folded into one object and not yet judged; or why there is none, which is told only to callers that
   * would have been let in. */
  readonly input: Record<string, unknown> | Unreadable;
  /** In how many bytes it came; of one that is too long, as many as the door has read or was told of. */
  readonly bytes: number;
  /** Given where what the operation does not know is refused: the names of that, as far as no field of the input holds it. */
  readonly surplus?: readonly string[];
}

/** What a caller shows of itself, as it was sent; null where it sent nothing. */
export interface Credentials {
  /** An API key, from a place where nothing else may stand. */
  readonly key: string | null;
  /** An API key, or the access token of a session or an agent. */
  readonly bearer: string | null;
  readonly platform: string | null;
  /** The refresh token of a session. */
  readonly refresh: string | null;
  /** The page token of a session (steps/session/open.ts); the door for pages alone reads one. */
  readonly page?: string | null;
}

/** Where a call comes from. */
export interface Origin {
  readonly ip: string;
  /** The path that was asked for, where there is one: access tokens are made out for addresses. */
  readonly path?: string;
  readonly method?: string;
  /** A page in a browser sent it; the platform's token is never taken from one. */
  readonly browser: boolean;
  /** The trace that the sender named (domain/trace.ts). */
  readonly trace?: string | null;
}

export interface Call extends Sent {
  readonly operation: AnyOperation;
  /** Who may call by the binding that was used, where that says otherwise than its operation; never made of what was sent. */
  readonly admits?: Pick<AnyOperation, 'access' | 'scope'>;
  /** Reads the input of a large body instead, once the caller was let in. */
  readonly late_input?: () => Promise<Sent>;
  /** The fields of the input that stand in an address. What nobody can be called by names nothing there. */
  readonly named?: readonly string[];
  /** What the caller sent; or the door itself, which is a part of the service. Nothing that is sent can say that. */
  readonly credential: Credentials | 'mail';
  /** The handle by which the caller names the acting agent. */
  readonly acting: string | null;
  readonly origin: Origin;
  readonly idempotency_key: string | null;
  readonly request_id: string;
  /** An earlier call of the same request was counted to the rate: a door answers one request by several operations. */
  readonly counted?: boolean;
  /** Who calls, where the door has let them in already (`Pipeline.enter`) and the request is counted. */
  readonly entered?: Caller;
  /** How the door tells of calls, where that is not by their addresses. */
  readonly form?: StepForm;
}

/** Who calls, as what was sent shows. */
export interface Caller {
  readonly principal: Principal;
  /** When the access token ends that was sent; without end for other credentials. */
  readonly token_ends_at: number;
  /** When whatever was sent ends by itself, unless it is renewed. */
  readonly ends_at: number;
  /** The caller's live agents, oldest first. */
  agents(): Promise<readonly Row<'agents'>[]>;
}

/** A request that runs no operation, such as one for what a door offers. */
export interface Visit extends Pick<Call, 'credential' | 'origin' | 'request_id'> {
  /** What it asks for, for the log. */
  readonly what: string;
}

/** Of a caller that shows nothing. */
export const NO_CREDENTIALS: Credentials = { key: null, bearer: null, platform: null, refresh: null };

/** What the caller sent to show who it is. */
export function credentialsOf({ credential }: Pick<Call, 'credential'>): Credentials {
  return credential === 'mail' ? NO_CREDENTIALS : credential;
}

/** A reply as a value and as JSON. Each is made of the other when it is first asked for, and then kept: what is stored for a
 * repeated key and what leaves are one text, made once. */
export class Reply {
  #value: unknown;
  #text: string | null = null;
  readonly #rendered: Rendered | null;

  /** Of a value, or of what was rendered before. */
  constructor(reply: unknown) {
    this.#rendered = reply instanceof Rendered ? reply : null;
    this.#value = reply instanceof Rendered ? undefined : reply;
  }

  /** Of the value's JSON. */
  static ofText(text: string): Reply {
    const reply = new Reply(undefined);
    reply.#text = text;
    return reply;
  }

  /** The value's JSON; a call that it tells of is an operation and its input there. */
  get text(): string {
    this.#text ??= this.#rendered ? this.#rendered.json(UNSAID) : JSON.stringify(this.#value);
    return this.#text;
  }

  /** The JSON with the calls of a door; `output` is what the operation declares of it. */
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

/** As whom a call was made, for doors that tell a reader's own words from those of others. */
interface Acted {
  /** The handle of the acting agent; absent where the operation acts for none. */
  readonly agent_handle?: string;
}

/** The end of a call that answers once. */
export interface Answer extends Acted {
  readonly status: Success;
  readonly reply: Reply;
  readonly notes: Notes;
  /** What an earlier call with the same Idempotency-Key was answered. */
  readonly replayed: boolean;
  /** The shape of the reply where it is another than the operation's own. */
  readonly output?: TSchema;
}

/** The end of a call that stays open. */
export interface Opened extends Acted {
  readonly start: (sink: StreamSink) => void;
}

export interface Refused {
  readonly refusal: Fault;
  /** What an earlier call with the same Idempotency-Key was refused with, and the id of that one. */
  readonly replayed?: { readonly request_id: string };
}

export type Ended = Answer | Opened | Refused;

/** A page as its items and where the next one begins. */
export function repliedPage(
  { items, next_cursor, text }: Page<unknown>,
  notes: Notes,
): Pick<Answer, 'reply' | 'notes'> {
  const reply = text === undefined ? new Reply(items) : Reply.ofText(text);
  return { reply, notes: next_cursor === null ? notes : { ...notes, next_cursor } };
}
