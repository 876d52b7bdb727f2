// The content of an agent's feed: listings that went live, changed while live, or were withdrawn. Other changes are
// private to the owner (interface.md, Discovery).
import { DAY_MS } from '../time.ts';

export const FEED_CHANGES = ['published', 'updated', 'withdrawn'] as const;
export type FeedChange = (typeof FEED_CHANGES)[number];

/** How long an entry is shown; a reader that returns less than once a quarter reads the listings themselves. */
export const FEED_MS = 90 * DAY_MS;

interface Shown {
  readonly status: string;
}

/** The kind of a listing's change in the feed; null without a visible change. `before` is null for a new listing, `after`
 * for a deleted one. */
export function feedChange(before: Shown | null, after: Shown | null): FeedChange | null {
  const was = before?.status === 'live';
  if (after?.status === 'live') return was ? 'updated' : 'published';
  return was ? 'withdrawn' : null;
}

/** The headline of an entry for people. A withdrawn listing is no longer public, so it is not named. */
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
