// What an operation may answer where a plain value does not do: a page of a list, JSON that was made before, notes
// beside it.
import type { StepForm } from '../domain/next-step.ts';
import type { Notes } from '../domain/notes.ts';

/** A list's page; `next_cursor` is null on the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
  /** The items as JSON, where the page was rendered before (page-cache.ts). */
  readonly text?: string;
}

/** A reply that is JSON already, but for the calls that it tells of, which the door that answers puts in: whoever made it
 * answers for its shape, which tests compare as they do any other. */
export class Rendered {
  readonly json: (form: StepForm) => string;

  constructor(json: (form: StepForm) => string) {
    this.json = json;
  }
}

/** A query's reply with what it says beside. */
export class Noted<T> {
  readonly reply: T;
  readonly notes: Notes;

  constructor(reply: T, notes: Notes) {
    this.reply = reply;
    this.notes = notes;
  }
}
