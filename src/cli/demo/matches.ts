// All matches of the loaded agents, from their inboxes: a `match.created` event names the pair and the score, and reading it
// costs none of the plan's monthly matches. Only the few that are shown in full are fetched.

import type { Client } from './client.ts';
import { eachAtOnce, type Loaded } from './load.ts';
import type { Progress } from './progress.ts';

/** A match between two loaded listings. */
export interface Found {
  readonly match_id: string;
  readonly offer: Loaded;
  readonly seek: Loaded;
  /** 0 to 1. */
  readonly score: number;
}

/** The largest page of the inbox. */
const PAGE = 100;

interface Told {
  readonly kind?: unknown;
  readonly data?: { readonly match_id?: unknown; readonly counterparty_handle?: unknown; readonly score?: unknown };
}

function orderSides(a: Loaded, b: Loaded): { offer: Loaded; seek: Loaded } {
  return a.sample.direction === 'seek' && b.sample.direction !== 'seek' ? { offer: b, seek: a } : { offer: a, seek: b };
}

/** Every event of an agent's inbox; `peek` leaves it unread. */
async function inboxOf(client: Client, { agent }: Loaded): Promise<Told[]> {
  const events: Told[] = [];
  for (let after = 0, more = true; more; ) {
    const { body } = await client.expect('GET', `/api/inbox?peek=true&limit=${PAGE}&after=${after}`, agent.account);
    if (Array.isArray(body.events)) events.push(...body.events);
    more = body.has_more === true;
    after = Number(body.cursor);
  }
  return events;
}

/** The matches among `loaded`, best first. On a shared server those with others' listings are left out. */
export async function collectMatches(client: Client, loaded: readonly Loaded[], progress: Progress): Promise<Found[]> {
  const byHandle = new Map(loaded.map((each) => [each.agent.handle, each]));
  const found = new Map<string, Found>();
  // Both sides get an event of a match; one inbox is enough, except for two seeks.
  await eachAtOnce(loaded.filter(asksFor), async (own) => {
    for (const { kind, data = {} } of await inboxOf(client, own)) {
      const other = byHandle.get(String(data.counterparty_handle));
      if (kind !== 'match.created' || !other) continue;
      const match_id = String(data.match_id);
      found.set(match_id, { match_id, ...orderSides(own, other), score: Number(data.score) });
    }
    progress.step();
  });
  return [...found.values()].sort((a, b) => b.score - a.score || (a.match_id < b.match_id ? -1 : 1));
}

/** Whether an agent's inbox is read: only a live listing is matched, and offers that meet offers are the exception. */
export function asksFor({ status, sample }: Loaded): boolean {
  return (
    status === 'live' &&
    (sample.direction === 'seek' || sample.card_type === 'link_exchange' || sample.card_type === 'partnering')
  );
}

/** The best matches with each listing at most once, because further matches of a popular listing show nothing new. */
export function pickBest(matches: readonly Found[], limit: number): Found[] {
  const taken = new Set<string>();
  const best: Found[] = [];
  for (const match of matches) {
    if (best.length === limit) break;
    const { offer, seek } = match;
    if (taken.has(offer.listing_id) || taken.has(seek.listing_id)) continue;
    taken.add(offer.listing_id).add(seek.listing_id);
    best.push(match);
  }
  return best;
}

/** A match with what speaks for it, as its seeking side reads it; that counts to the month's matches of its plan. */
export interface Shown extends Found {
  readonly reasons: readonly string[];
}

/** Asks for the matches in full. */
export async function readInFull(client: Client, matches: readonly Found[]): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const match of matches) {
    const path = `/api/matching/summary/${match.match_id}`;
    const { body } = await client.expect('POST', path, match.seek.agent.account);
    const { score = match.score } = Object(body.match) as { score?: number };
    const reasons = Array.isArray(body.reasons) ? body.reasons.map(String) : [];
    shown.push({ ...match, score, reasons });
  }
  return shown.sort((a, b) => b.score - a.score);
}
