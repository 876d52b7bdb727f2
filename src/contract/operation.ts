// What an operation is: declared once, reached by many doors. Four kinds: a query reads, a command is one turn
// (load → decide → commit), a flow strings turns and outside calls together, a stream stays open.
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

/** An operation's address over HTTP. Path parameters stand in braces; what is left of the input comes from the query
 * string (GET, DELETE) or the body. `headers` names input fields taken from headers; an alias is a spelling that the
 * interface does not list, and stays out of OpenAPI. */
export interface RestBinding {
  readonly method: Method;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly alias?: boolean;
  /** Of a DELETE whose input may also stand in its body. */
  readonly takes_body?: true;
  /** The path parameter that is the acting agent's handle, as in `/api/agents/{handle}/cards`. */
  readonly acting?: string;
}

/** A body that is taken as it comes; `type` as in Content-Type. */
export interface RawBody {
  readonly type: string;
  readonly bytes_max: number;
}

export interface Head<I extends TSchema, O extends TSchema, C extends Code> {
  /** `noun.verb`: the folder and the file. */
  readonly name: `${string}.${string}`;
  /** What the noun is, in one sentence for readers of the API reference; one operation of each noun says it. */
  readonly noun?: string;
  /** Who needs an operation that none of the documents in src/docs/spec names, in a few words. One that nobody needs is removed. */
  readonly needed_by?: string;
  readonly summary: string;
  readonly description?: Description;
  /** Path, query, headers and body folded into one object. */
  readonly input: I;
  readonly output: O;
  /** A valid input, in the well-known names of schemas/samples.ts; every operation with a door has one. */
  readonly example?: NoInfer<Static<I>>;
  readonly effect: CallEffect;
  /** Whether a call reaches beyond the service: an address that somebody named is looked up, called, mailed or texted
   * for it. That events are delivered as ever does not count. */
  readonly open_world?: boolean;
  readonly access: Access;
  /** The key right, or `any` where every working key may; an operation of access `key` without one is not reachable with
   * a key. */
  readonly scope?: Scope | 'any';
  /** Of what only a session reaches: the operation by which keys do as much, which a key's refusal names. */
  readonly for_keys?: NextOperation;
  /** Whether a provisional key that holds the scope may call it. */
  readonly provisional?: boolean;
  /** A way to sign in that the service offers by itself: it is not there where an identity provider elsewhere says who people are. */
  readonly signs_in?: true;
  /** What an administrator does by it is written down, as what they alone may do. */
  readonly as_admin?: true;
  /** States demanded of the acting agent, in this order. */
  readonly gate?: 'verified';
  /** Whether the operation acts as an agent; `optional` resolves one when it is clear which. */
  readonly agent?: 'required' | 'optional';
  /** Whether a deactivated agent may act too: its money stays its person's. */
  readonly even_deactivated?: true;
  /** Whether it takes `dry_run: true` (schemas/money.ts), and then tells what would move, and why not. */
  readonly dry_run?: true;
  /** The faults it returns beside those of the pipeline. */
  readonly faults: readonly C[];
  readonly rest: readonly RestBinding[];
  readonly tools?: readonly ToolBinding<NoInfer<Static<I>>>[];
  /** Why it is no tool, where a key reaches it or everybody. */
  readonly no_tool?: string;
  /** How it ends well; `ok` unless said. */
  readonly status?: Success;
  /** The reply is a `Page`; REST answers the bare array and puts the cursor in X-Next-Cursor. */
  readonly paged?: boolean;
  /** Anybody may keep the reply of this read for so many seconds, and ask by its ETag whether it still holds; with 0 the
   * question is always asked. What does not say so is kept by nobody (`no-store`). */
  readonly cache_seconds?: number;
  /** The header of a request by which caches are to tell copies of the reply apart. */
  readonly vary?: string;
  /** The media type of the reply where it is more than `application/json`. */
  readonly media?: string;
  /** With `format=csv` it answers a table (`Notes.media`). */
  readonly csv?: true;
  /** The reply holds a secret: kept for replay only sealed, or never where there is no credential. */
  readonly secret?: boolean;
  /** Readable from any origin (the credential-less discovery routes). */
  readonly any_origin?: boolean;
  /** The body is not JSON but of this type. The input's `raw` field gets it with one character for each byte; the other
   * fields stand in the query string or in headers. */
  readonly raw?: RawBody;
  /** A member of its body that it does not know is refused by REST whether the caller asks for that or not: what is misspelt would
   * be said or paid otherwise than it was meant. */
  readonly strict?: true;
  /** The body is a form (application/x-www-form-urlencoded), and refusals are told as OAuth has it (RFC 6749, 5.2). */
  readonly form?: { readonly bytes_max: number };
  /** Refusals of a body of JSON are told as OAuth has it (RFC 7591, 3.2.2). */
  readonly oauth?: true;
  /** Its caller is known by a signature, which the operation looks at: only a call that it refuses counts as anybody's. */
  readonly signed?: true;
  /** Beside the platform's token, the door that takes mail reaches it, as a principal of its own. */
  readonly from_mail?: boolean;
  /** It may take minutes: REST waits for its answer as long as it takes. */
  readonly slow?: true;
  /** Reads that write (read marks, counting what was shown): commands behind a GET, never kept for replay. */
  readonly safe?: boolean;
}

export interface Query<I extends TSchema, O extends TSchema, C extends Code> extends Head<I, O, C> {
  readonly kind: 'query';
  run(
    read: Read,
    input: Static<I>,
    ctx: Ctx,
    ports: QueryPorts,
  ): Promise<Static<O> | Page<unknown> | Noted<Static<O>> | Fault<NoInfer<C>>>;
}

export interface Command<I extends TSchema, O extends TSchema, C extends Code, L> extends Head<I, O, C> {
  readonly kind: 'command';
  /** Reads only; every row it reads is checked again at commit, unless peeked. */
  load(read: Read, input: Static<I>, ctx: Ctx, ports: LoadPorts): Promise<L>;
  /** Synchronous and without I/O, and given nothing to do any with; may run again after a conflict. */
  decide(
    state: NoInfer<L>,
    input: Static<I>,
    ctx: Ctx,
  ): Decision<NoInfer<Static<O>> | Page<unknown> | Rendered, NoInfer<C>>;
}

export interface Flow<I extends TSchema, O extends TSchema, C extends Code> extends Head<I, O, C> {
  readonly kind: 'flow';
  /** Whether all that is done for an input is done in the final turn: a repeated request is then found there, as a command's is,
   * instead of by a read of its own before anybody is called. */
  readonly single?: (input: Static<I>) => boolean;
  /** What it would do where all goes well, as one turn: what a dry run judges. */
  rehearsal?(read: Read, input: Static<I>, ctx: Ctx): Promise<Decision<unknown, NoInfer<C>>>;
  run(input: Static<I>, ctx: FlowCtx, ports: FlowPorts): Promise<Outcome<Static<O> | Page<unknown>>>;
}

/** What a stream writes to. `write` answers false once the reader is gone or too slow. */
export interface StreamSink {
  write(chunk: string): boolean;
  /** Resolves when the reader has taken all that was written, or is gone. */
  waitForDrain(): Promise<void>;
  close(): void;
  /** Called once, however the stream ends. */
  onClose(listener: () => void): void;
}

export interface Stream<I extends TSchema, C extends Code> extends Head<I, TSchema, C> {
  readonly kind: 'stream';
  /** Checks and then answers what starts the stream; refusals are ordinary faults. */
  open(
    read: Read,
    input: Static<I>,
    ctx: Ctx,
    ports: StreamPorts,
  ): Promise<((sink: StreamSink) => void) | Fault<NoInfer<C>>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the registry holds operations of every input, output and load type.
export type AnyOperation = Query<any, any, any> | Command<any, any, any, any> | Flow<any, any, any> | Stream<any, any>;

/** Declares a read of committed state. */
export function query<I extends TSchema, O extends TSchema, C extends Code>(
  op: Omit<Query<I, O, C>, 'kind'>,
): Query<I, O, C> {
  return { kind: 'query', ...op };
}

/** Declares one turn: load, decide, commit. */
export function command<I extends TSchema, O extends TSchema, C extends Code, L>(
  op: Omit<Command<I, O, C, L>, 'kind'>,
): Command<I, O, C, L> {
  return { kind: 'command', ...op };
}

/** Declares turns and outside calls strung together; what died half-way is finished or taken back by a reminder. */
export function flow<I extends TSchema, O extends TSchema, C extends Code>(
  op: Omit<Flow<I, O, C>, 'kind'>,
): Flow<I, O, C> {
  return { kind: 'flow', ...op };
}

/** Declares what stays open. */
export function stream<I extends TSchema, C extends Code>(op: Omit<Stream<I, C>, 'kind'>): Stream<I, C> {
  return { kind: 'stream', ...op };
}
