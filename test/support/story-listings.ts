// What the two of the story publish: two rows of the real listings where those lie beside the checkout, and two of our own words
// where they do not, so that the story is told in any clone.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './rest-client.ts';

const FILE = join(import.meta.dir, '../../../shared/data/listings.jsonl');
const SEEK_ID = 'tp-acd641d2e6';
const OFFER_ID = 'aw-6964ad5446';

export interface StoryListings {
  readonly offer: Json;
  readonly seek: Json;
}

const OWN: StoryListings = {
  offer: {
    card_type: 'selling',
    headline: 'Forecasts of what a plant will do next',
    description: 'We read sensors, find the patterns in them, and say what comes and what to do about it.',
    labels: ['machine-learning', 'pattern-recognition', 'geospatial'],
    price_cents: 11_996_300,
  },
  seek: {
    card_type: 'buying',
    headline: 'Smart devices for a plant that makes paper',
    description: 'We look for somebody who reads our sensors and tells early what will break.',
    labels: ['machine-learning', 'pattern-recognition', 'data-analytics'],
    budget_cents: 22_500_000,
  },
};

/** The two listings, their price and budget as they are published. */
export function storyListings(): StoryListings {
  if (!existsSync(FILE)) {
    console.warn(`skipped: the real listings are not at ${FILE}; the story is told with two of our own`);
    return OWN;
  }
  const rows: Json[] = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line.includes(SEEK_ID) || line.includes(OFFER_ID))
    .map((line) => JSON.parse(line));
  const of = (wanted: string, price: string): Json => {
    const row = rows.find(({ id }) => id === wanted);
    if (!row) throw new Error(`no listing has the id ${wanted}`);
    const { card_type, headline, description, labels } = row;
    return { card_type, headline, description, labels, [price]: row[price] };
  };
  return { offer: of(OFFER_ID, 'price_cents'), seek: of(SEEK_ID, 'budget_cents') };
}
