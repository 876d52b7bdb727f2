// Replies other than plain values: a page of a list, JSON that is already rendered, a reply with notes.
import type { StepForm } from '../domain/next-step.ts';
import type { Notes } from '../domain/notes.ts';

/** A list's page; `next_cursor` is null on the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
  /** The items as JSON, where the page is already rendered (page-cache.ts). */
  readonly text?: string;
}

/** A reply that is already JSON, except for the calls in it, which the answering transport puts in. Its shape is not
 * checked at run time; tests compare it as any other. */
export class Rendered {
  readonly json: (form: StepForm) => string;

  constructor(json: (form: StepForm) => string) {
    this.json = json;
  }
}

/** A query's reply with notes. */
export class Noted<T> {
  readonly reply: T;
  readonly notes: Notes;

  constructor(reply: T, notes: Notes) {
    this.reply = reply;
    this.notes = notes;
  }
}
