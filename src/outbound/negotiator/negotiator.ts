// The port to whatever writes an agent's turns and summaries in place of the built-in rules: a chat model behind LLM_URL. What it says is
// only ever a suggestion: its shape is checked here, and what it may do by the rules of src/domain/negotiation.

export interface Question {
  /** Of the answer's shape, as endpoints want it: letters and underscores. */
  readonly name: string;
  readonly system: string;
  readonly user: string;
  /** JSON Schema of the answer: an object, all of whose fields are required. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Requests that were made for a question, and the tokens that they took by the endpoint's own count, or by an estimate. */
export interface Use {
  readonly requests: number;
  readonly tokens: number;
}

/** What came of a question. `value` is null where no answer in any form could be read; `failure` then says why. */
export interface Said<T> extends Use {
  readonly value: T | null;
  readonly failure: string | null;
  /** All that was answered, as it came. */
  readonly answer: string;
}

/** Asked before each request with the most that its question will have used then; where it says no, none is made. It may take its time,
 * until the question is given up. */
export type MayUse = (most: Use, gone: AbortSignal) => Promise<boolean>;

/** Why nothing more is asked where the caps say no. */
export const LIMIT_REACHED = 'the limit of the day is reached';

/** Reads an answer; null where it is not what was asked for. */
export type ReadAnswer<T> = (value: unknown) => T | null;

export interface Negotiator {
  /** As it is asked of the endpoint. */
  readonly model: string;
  /** What a million tokens cost, in cents; null where nobody has said. */
  readonly cents_per_mtok: number | null;
  /** Whether it failed a moment ago, and is left alone. */
  rests(): boolean;
  /** Never rejects for a fault of the outside world. `gone` gives it up. */
  ask<T>(question: Question, read: ReadAnswer<T>, may: MayUse, gone: AbortSignal): Promise<Said<T>>;
  close(): void;
}

/** The same as operations reach it: in a pool of its own, one question at a time for an agent. */
export interface ModelPort extends Omit<Negotiator, 'ask' | 'close'> {
  askFor<T>(agent_id: string, question: Question, read: ReadAnswer<T>, may: MayUse): Promise<Said<T>>;
}

/** Of an answer. A turn is a few sentences; models that think before they write need some for that. */
export const ANSWER_TOKENS_MAX = 1_500;

/** An endpoint's tokens of a text, where it did not count them: no common one needs more than one for three bytes of prose. */
export function estimateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}
