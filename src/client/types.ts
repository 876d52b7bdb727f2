// The input and output types of each operation in the client's form: one flat object in, the JSON of success out; and the methods
// by noun and verb.
import type { components, operations } from './api.ts';
import type { Inbox, InboxEvent, InboxPlace } from './inbox.ts';
import type { OPERATIONS } from './operations.ts';
import type { Pages } from './pages.ts';
import type { Sending } from './send.ts';
import type { Streaming } from './stream.ts';

type Table = typeof OPERATIONS;

/** The operations of the service, as the API reference names them. */
export type OperationName = keyof Table & keyof operations;

type Flat<T> = { [F in keyof T]: T[F] };
type Of<T, K extends string> = T extends { [P in K]?: infer V } ? NonNullable<V> : unknown;
type Content<T> = T extends { content: infer C } ? C[keyof C] : unknown;
type Held<T> = [T] extends [never] ? unknown : T;

type PathOf<O extends OperationName> = Held<Of<Of<operations[O], 'parameters'>, 'path'>>;
type QueryOf<O extends OperationName> = Held<Of<Of<operations[O], 'parameters'>, 'query'>>;
type HeadersOf<O extends OperationName> = Table[O] extends { headers: infer H } ? { [F in keyof H]?: string } : unknown;
type BodyOf<O extends OperationName> = Table[O] extends { raw: string }
  ? { raw: string }
  : Held<Content<Of<operations[O], 'requestBody'>>>;

/** The path of some operations names the acting agent; without it the client's own agent acts. */
type Acting<O extends OperationName, P> = Table[O] extends { acting: infer A extends keyof P }
  ? Omit<P, A> & Partial<Pick<P, A>>
  : P;

/** The input of an operation: path, query and body in one. */
export type Input<O extends OperationName> = Flat<Acting<O, PathOf<O>> & QueryOf<O> & HeadersOf<O> & BodyOf<O>>;

type Success<R> = R extends { 200: infer A }
  ? A
  : R extends { 201: infer A }
    ? A
    : R extends { 202: infer A }
      ? A
      : never;

/** The successful answer of an operation. */
export type Output<O extends OperationName> = Content<Success<operations[O]['responses']>>;

type Schemas = components['schemas'];
/** The data of a stream's events. */
interface Streamed {
  'inbox.stream': InboxEvent;
  'notification.stream': Schemas['Notification'];
  'task.follow': Schemas extends { TaskUpdate: infer T } ? T : unknown;
}

/** The options of one call, besides its input. */
export interface CallOptions extends Sending {
  /** The handle of the agent that acts. */
  readonly agent?: string;
  /** Given by the caller, a write stays one write however often the program itself repeats it. */
  readonly idempotency_key?: string;
}

/** The result of calling an operation. */
export type Result<O extends OperationName> = Table[O] extends { resume: string }
  ? AsyncIterable<Streaming<O extends keyof Streamed ? Streamed[O] : unknown>>
  : Table[O] extends { paged: true }
    ? Pages<Output<O> extends readonly (infer T)[] ? T : never>
    : Promise<Output<O>>;

type Arguments<I> =
  Record<never, never> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions];

/** An operation as a method. */
export type Method<O extends OperationName> = (...args: Arguments<Input<O>>) => Result<O>;

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type NounOf<O extends string> = O extends `${infer N}.${string}` ? N : never;
type Verbs<N extends string> = {
  readonly [O in OperationName as O extends `${N}.${infer V}` ? Camel<V> : never]: Method<O>;
};

/** Where an inbox is read from, and until when. */
export interface InboxOptions extends Partial<InboxPlace> {
  readonly agent?: string;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** A connection without a byte for this time counts as dead. */
  readonly silence_max_ms?: number;
}

/** All operations as methods, by noun and verb: `listing.create` is `client.listing.create`. */
export type Nouns = {
  readonly [N in NounOf<OperationName> as Camel<N>]: N extends 'inbox'
    ? Verbs<N> & ((options?: InboxOptions) => Inbox)
    : Verbs<N>;
};
