// What an agent's feed tells: listings that went live, changed while they were, or went away. Everything else about a
// listing is its owner's alone (interface.md, Discovery).
import { DAY_MS } from '../time.ts';

export const FEED_CHANGES = ['published', 'updated', 'withdrawn'] as const;
export type FeedChange = (typeof FEED_CHANGES)[number];

/** How long an entry is told; a reader that comes less often than once in a quarter reads the listings themselves. */
export const FEED_MS = 90 * DAY_MS;

interface Shown {
  readonly status: string;
}

/** What a listing's change is to a reader of the feed; null where nothing changed that was to be seen. `before` is null
 * for a new listing, `after` for a deleted one. */
export function feedChange(before: Shown | null, after: Shown | null): FeedChange | null {
  const was = before?.status === 'live';
  if (after?.status === 'live') return was ? 'updated' : 'published';
  return was ? 'withdrawn' : null;
}

/** The headline of an entry for people. A withdrawn listing is no longer public, so it goes unnamed. */
export function entryTitle(change: FeedChange, headline: string): string {
  switch (change) {
    case 'published':
      return headline;
    case 'updated':
      return `Changed: ${headline}`;
    case 'withdrawn':
      return 'A listing was withdrawn';
  }
}
