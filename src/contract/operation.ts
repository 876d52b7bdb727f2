// An operation is declared once and served by many transports. Four kinds: a query reads, a command is one turn
// (load → decide → commit), a flow combines turns with outside calls, a stream stays open.
import type { Static, TSchema } from 'typebox';
import type { Decision, Outcome, Read } from '../../db/store.ts';
import type { Code, Fault } from '../domain/fault.ts';
import type { Scope } from '../domain/identity/scope.ts';
import type { Description, NextOperation } from '../domain/next-step.ts';
import type { Success } from '../domain/notes.ts';
import type { Ctx, FlowCtx } from './context.ts';
import type { FlowPorts, LoadPorts, QueryPorts, StreamPorts } from './ports.ts';
import type { Noted, Page, Rendered } from './reply.ts';
import type { Access, CallEffect, ToolBinding } from './tool.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** An operation's address over HTTP. Path parameters stand in braces; the other input fields come from the query
 * string (GET, DELETE) or the body. `headers` names input fields taken from headers; an alias is an address that the
 * interface does not list, and is left out of OpenAPI. */
export interface RestBinding {
  readonly method: Method;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly alias?: boolean;
  /** For a DELETE whose input may also stand in its body. */
  readonly takes_body?: true;
  /** The path parameter that names the acting agent, as in `/api/agents/{handle}/cards`. */
  readonly acting?: string;
}

/** A body that is not parsed; `type` as in Content-Type. */
export interface RawBody {
  readonly type: string;
  readonly bytes_max: number;
}

export interface Head<I extends TSchema, O extends TSchema, C extends Code> {
  /** `noun.verb`: the folder and the file. */
  readonly name: `${string}.${string}`;
  /** Explains the noun in one sentence for the API reference; one operation of each noun has it. */
  readonly noun?: string;
  /** Who needs the operation; required where no document in src/docs/spec names it. An unneeded operation is removed. */
  readonly needed_by?: string;
  readonly summary: string;
  readonly description?: Description;
  /** Path, query, headers and body folded into one object. */
  readonly input: I;
  readonly output: O;
  /** A valid input with values of schemas/samples.ts; required where a transport serves the operation and the input has
   * required fields. */
  readonly example?: NoInfer<Static<I>>;
  /** `reads` for queries and streams, which do not declare it. */
  readonly effect: CallEffect;
  /** Whether a call reaches beyond the service: it looks up, calls, mails or texts an address that a caller named.
   * Ordinary delivery of events does not count. */
  readonly open_world?: boolean;
  readonly access: Access;
  /** The scope that a key needs; `any`: every valid key. Without it, an operation of access `key` cannot be called with
   * a key. */
  readonly scope?: Scope | 'any';
  /** For operations of sessions: the equivalent operation for keys, which the refusal of a key names. */
  readonly for_keys?: NextOperation;
  /** Whether a provisional key that holds the scope may call it. */
  readonly provisional?: boolean;
  /** The service's own way to sign in: absent where an external identity provider authenticates people. */
  readonly signs_in?: true;
  /** A call by an administrator is written to the audit log, as calls of access `admin` are. */
  readonly as_admin?: true;
  /** States demanded of the acting agent, in this order. */
  readonly gate?: 'verified';
  /** Whether the operation acts as an agent; `optional` resolves one when it is unambiguous. */
  readonly agent?: 'required' | 'optional';
  /** A deactivated agent may act too: its money still belongs to its person. */
  readonly even_deactivated?: true;
  /** It takes `dry_run: true` (schemas/money.ts), and then answers what would move, or why nothing would. */
  readonly dry_run?: true;
  /** The faults that it returns or its ports throw, none by default; those that the pipeline may add to any operation are not
   * listed. */
  readonly faults: readonly C[];
  /** None by default. */
  readonly rest: readonly RestBinding[];
  readonly tools?: readonly ToolBinding<NoInfer<Static<I>>>[];
  /** Why it is no tool, although a key or the public may call it. */
  readonly no_tool?: string;
  /** The status of success; `ok` by default. */
  readonly status?: Success;
  /** The reply is a `Page`; REST answers the bare array with the cursor in X-Next-Cursor. */
  readonly paged?: boolean;
  /** Any cache may keep the reply for so many seconds and revalidate it by its ETag; 0: it always revalidates. Without
   * this field the reply is not cached (`no-store`). */
  readonly cache_seconds?: number;
  /** The request header on which the reply depends (HTTP `Vary`). */
  readonly vary?: string;
  /** The media type of the reply where it is more specific than `application/json`. */
  readonly media?: string;
  /** With `format=csv` it answers a table (`Notes.media`). */
  readonly csv?: true;
  /** The reply holds a secret: it is kept for replay sealed, or not at all where the caller has no credential. */
  readonly secret?: boolean;
  /** Readable from any origin (CORS; the discovery routes, which take no credential). */
  readonly any_origin?: boolean;
  /** The body is of this type instead of JSON. The input's `raw` field holds it, one character for each byte; the other
   * fields come from the query string or headers. */
  readonly raw?: RawBody;
  /** REST refuses unknown members of the body even if the caller did not ask for strictness: a misspelt field could change
   * what is said or paid. */
  readonly strict?: true;
  /** The body is a form (application/x-www-form-urlencoded), and refusals have the form of RFC 6749, 5.2. */
  readonly form?: { readonly bytes_max: number };
  /** Refusals of a JSON body have the form of RFC 7591, 3.2.2. */
  readonly oauth?: true;
  /** The operation verifies the caller's signature itself: only refused calls count against the anonymous rate limit. */
  readonly signed?: true;
  /** The mail transport may call it too, as a principal of its own. */
  readonly from_mail?: boolean;
  /** It may take minutes: REST sets no deadline. */
  readonly slow?: true;
  /** A command behind a GET that writes read marks or counts views; never kept for replay. */
  readonly safe?: boolean;
}

export interface Query<I extends TSchema, O extends TSchema, C extends Code> extends Head<I, O, C> {
  readonly kind: 'query';
  run(
    read: Read,
    input: Static<I>,
    ctx: Ctx,
    ports: QueryPorts,
  ): Promise<Static<O> | Page<unknown> | Rendered | Noted<Static<O> | Rendered> | Fault<NoInfer<C>>>;
}

export interface Command<I extends TSchema, O extends TSchema, C extends Code, L> extends Head<I, O, C> {
  readonly kind: 'command';
  /** Reads only. The commit checks again every row that was read, except those that were peeked. */
  load(read: Read, input: Static<I>, ctx: Ctx, ports: LoadPorts): Promise<L>;
  /** Synchronous, without access to I/O; may run again after a conflict. */
  decide(
    state: NoInfer<L>,
    input: Static<I>,
    ctx: Ctx,
  ): Decision<NoInfer<Static<O>> | Page<unknown> | Rendered, NoInfer<C>>;
}

export interface Flow<I extends TSchema, O extends TSchema, C extends Code> extends Head<I, O, C> {
  readonly kind: 'flow';
  /** Whether the final turn does all the work for an input. A repeated request is then found in that turn, as for a
   * command, instead of by a separate read before the outside calls. */
  readonly single?: (input: Static<I>) => boolean;
  /** The flow's effect on success as one turn, for dry runs. */
  rehearsal?(read: Read, input: Static<I>, ctx: Ctx): Promise<Decision<unknown, NoInfer<C>>>;
  run(input: Static<I>, ctx: FlowCtx, ports: FlowPorts): Promise<Outcome<Static<O> | Page<unknown>>>;
}

/** The sink of a stream. `write` answers false once the reader is gone or too slow. */
export interface StreamSink {
  write(chunk: string): boolean;
  /** Resolves when the reader has received everything written, or is gone. */
  waitForDrain(): Promise<void>;
  close(): void;
  /** Called once, however the stream ends. */
  onClose(listener: () => void): void;
}

export interface Stream<I extends TSchema, C extends Code> extends Head<I, TSchema, C> {
  readonly kind: 'stream';
  /** Checks the call and answers the function that starts the stream; refusals are ordinary faults. */
  open(
    read: Read,
    input: Static<I>,
    ctx: Ctx,
    ports: StreamPorts,
  ): Promise<((sink: StreamSink) => void) | Fault<NoInfer<C>>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the registry holds operations of every input, output and load type.
export type AnyOperation = Query<any, any, any> | Command<any, any, any, any> | Flow<any, any, any> | Stream<any, any>;

/** An operation as it is written: `faults` and `rest` may be left out; `kind`, and what follows from it, is filled in. */
type Declared<Op extends Pick<AnyOperation, 'faults' | 'rest'>, Filled extends keyof Op> = Omit<
  Op,
  Filled | 'faults' | 'rest'
> &
  Partial<Pick<Op, 'faults' | 'rest'>>;

/** Declares a read of committed state. */
export function query<I extends TSchema, O extends TSchema, C extends Code = never>(
  op: Declared<Query<I, O, C>, 'kind' | 'effect'>,
): Query<I, O, C> {
  return { kind: 'query', effect: 'reads', faults: [], rest: [], ...op };
}

/** Declares one turn: load, decide, commit. */
export function command<I extends TSchema, O extends TSchema, L, C extends Code = never>(
  op: Declared<Command<I, O, C, L>, 'kind'>,
): Command<I, O, C, L> {
  return { kind: 'command', faults: [], rest: [], ...op };
}

/** Declares turns combined with outside calls; a reminder completes or reverts a flow that was interrupted. */
export function flow<I extends TSchema, O extends TSchema, C extends Code = never>(
  op: Declared<Flow<I, O, C>, 'kind'>,
): Flow<I, O, C> {
  return { kind: 'flow', faults: [], rest: [], ...op };
}

export function stream<I extends TSchema, C extends Code = never>(
  op: Declared<Stream<I, C>, 'kind' | 'effect'>,
): Stream<I, C> {
  return { kind: 'stream', effect: 'reads', faults: [], rest: [], ...op };
}
