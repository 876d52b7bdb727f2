// Paged lists: awaiting returns the first page; iterating returns every item of all pages, each fetched when its first item is
// needed.
import { MeshworkError } from './error.ts';
import type { Reply } from './send.ts';

/** Some items, and where the next ones begin; null after the last. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

/** A promise of the first page that is also an iterable of all items. */
export type Pages<T> = Promise<Page<T>> & AsyncIterable<T>;

function pageOf<T>({ body, headers }: Reply, operation: string): Page<T> {
  if (Array.isArray(body)) return { items: body, next_cursor: headers.get('x-next-cursor') };
  throw new MeshworkError({ code: 'invalid_answer', operation, message: `${operation} was answered without a list.` });
}

/** The pages of an operation; `fetchPage` gets the one at a cursor, the first without. */
export function pages<T>(operation: string, fetchPage: (cursor?: string) => Promise<Reply>): Pages<T> {
  const first = fetchPage().then((reply) => pageOf<T>(reply, operation));
  async function* items(): AsyncGenerator<T> {
    let page = await first;
    const seen = new Set<string>();
    for (;;) {
      yield* page.items;
      const cursor = page.next_cursor;
      if (cursor === null) return;
      // A cursor that comes again would lead round and round.
      if (seen.has(cursor)) {
        const message = `${operation} names the same page twice.`;
        throw new MeshworkError({ code: 'invalid_answer', operation, message });
      }
      seen.add(cursor);
      page = pageOf<T>(await fetchPage(cursor), operation);
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
