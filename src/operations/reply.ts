// What an operation may answer where a plain value does not do: a page of a list, JSON that was made before, headers.

/** A list's page; `next_cursor` is null on the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
  /** The items as JSON, where the page was rendered before (page-cache.ts). */
  readonly text?: string;
}

/** A reply that is JSON already: whoever made it answers for its shape, which tests compare as they do any other. */
export class Rendered {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A query's reply with headers of its own. */
export class WithHeaders<T> {
  readonly reply: T;
  readonly headers: Readonly<Record<string, string>>;

  constructor(reply: T, headers: Readonly<Record<string, string>>) {
    this.reply = reply;
    this.headers = headers;
  }
}
