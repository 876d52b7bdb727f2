// The port to the chat model behind LLM_URL, which writes an agent's turns and summaries in place of the built-in rules. Its answers are
// only suggestions: their shape is checked here, and the rules of src/domain/negotiation decide what they may do.

export interface Question {
  /** The name of the answer's schema: letters and underscores, as endpoints require. */
  readonly name: string;
  readonly system: string;
  readonly user: string;
  /** JSON Schema of the answer: an object, all of whose fields are required. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The requests of a question, and their tokens by the endpoint's own count or an estimate. */
export interface Use {
  readonly requests: number;
  readonly tokens: number;
}

/** The result of a question. `value` is null when no form gave a valid answer; `failure` then says why. */
export interface Said<T> extends Use {
  readonly value: T | null;
  readonly failure: string | null;
  /** All raw answers. */
  readonly answer: string;
}

/** Called before each request with the most that the question will have used by then; false refuses the request. It may wait until the
 * question is aborted. */
export type MayUse = (most: Use, gone: AbortSignal) => Promise<boolean>;

/** The failure when a cap refuses a request. */
export const LIMIT_REACHED = 'the limit of the day is reached';

/** Reads an answer; null when it does not fit the question. */
export type ReadAnswer<T> = (value: unknown) => T | null;

export interface Negotiator {
  /** As sent to the endpoint. */
  readonly model: string;
  /** The price of a million tokens in cents; null when it is not configured. */
  readonly cents_per_mtok: number | null;
  /** Whether it is paused after a failure. */
  rests(): boolean;
  /** Never rejects because of an outside failure. `gone` aborts it. */
  ask<T>(question: Question, read: ReadAnswer<T>, may: MayUse, gone: AbortSignal): Promise<Said<T>>;
  close(): void;
}

/** The port of operations: with a pool of its own, one question at a time for each agent. */
export interface ModelPort extends Omit<Negotiator, 'ask' | 'close'> {
  askFor<T>(agent_id: string, question: Question, read: ReadAnswer<T>, may: MayUse): Promise<Said<T>>;
}

/** The limit of an answer. A turn is a few sentences; reasoning models need some tokens before it. */
export const ANSWER_TOKENS_MAX = 1_500;

/** An estimate of a text's tokens: no common endpoint needs more than one for three bytes of prose. */
export function estimateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}
