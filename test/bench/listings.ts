// Live listings by the hundred thousand, for matching and for the start: made from a table of trades by a seeded
// generator, embedded by the built-in embedder, and written as a listing's own operation would leave them.
import { type Effect, insert } from '../../db/effects.ts';
import type { NewRow } from '../../db/schema/tables.ts';
import { embeddingText } from '../../src/domain/listing/listing.ts';
import { packSignature } from '../../src/domain/text/signature.ts';
import { BUILT_IN_MODEL, embedText } from '../../src/outbound/embedder/built-in.ts';
import { signatureOf } from '../../src/outbound/embedder/signature.ts';
import { joining, type Member, members, newId } from './population.ts';

const LISTINGS_PER_AGENT = 50;

/** A trade, with the labels that its people use. */
const TRADES = `
bookkeeping: bookkeeping payroll vat monthly-closing | invoices, receipts, bank statements, tax returns
web development: web-development typescript react accessibility | web shops, forms, dashboards, landing pages
mobile apps: mobile-development ios android offline | phone apps, tablets, push messages, app stores
data pipelines: data-engineering sql etl warehouse | exports, nightly loads, reports, event streams
machine learning: machine-learning forecasting python models | demand forecasts, churn, rankings, anomalies
search engine optimization: seo content backlinks keywords | rankings, articles, site audits, link profiles
technical writing: technical-writing documentation api-docs editing | manuals, references, tutorials, release notes
translation: translation german french localization | contracts, web sites, subtitles, product texts
video: video-production editing motion-design sound | product films, interviews, trailers, courses
photography: photography product-photos retouching studio | catalogues, portraits, food, real estate
logo and brand: branding logo-design guidelines typography | names, marks, letterheads, packaging
customer support: customer-support helpdesk chat sla | tickets, chats, calls, refunds
sales outreach: lead-generation outreach crm cold-email | prospect lists, sequences, meetings, follow-ups
recruiting: recruiting sourcing interviews employer-brand | candidates, shortlists, references, offers
contract law: contract-law licensing negotiation nda | supply contracts, terms of use, leases, shares
patents: patents prior-art filing trademarks | inventions, oppositions, searches, designs
penetration testing: security penetration-testing audits hardening | web applications, networks, phones, staff
cloud operations: devops kubernetes monitoring terraform | clusters, releases, backups, alerts
embedded firmware: firmware embedded rtos drivers | sensors, motors, batteries, radios
mechanical design: cad mechanical-design prototyping tolerances | housings, brackets, gears, moulds
welding: welding steel fabrication repairs | gates, frames, stairs, tanks
solar power: solar installation inverters batteries | roofs, farms, storage, permits
architecture: architecture floor-plans permits renovation | houses, lofts, offices, schools
gardening: gardening landscaping irrigation pruning | hedges, lawns, terraces, ponds
catering: catering events vegan buffet | weddings, meetings, birthdays, fairs
coffee: coffee roasting wholesale barista | espresso, filters, subscriptions, machines
freight: freight shipping customs warehousing | pallets, containers, parcels, cold chains
bicycle repair: bicycle-repair e-bikes wheels rental | brakes, chains, batteries, frames
tutoring: tutoring mathematics exams physics | pupils, students, courses, homework
language lessons: language-lessons english spanish conversation | beginners, travellers, teams, children
physiotherapy: physiotherapy rehabilitation posture sports | knees, backs, shoulders, runners
market research: market-research surveys interviews segmentation | buyers, prices, brands, trends
podcasting: podcasts audio-editing hosting storytelling | episodes, jingles, interviews, transcripts
game art: game-art 3d-modelling animation textures | characters, props, levels, menus
quality assurance: qa test-automation regression playwright | releases, browsers, devices, bug reports
drone surveys: drones surveying mapping inspection | roofs, fields, bridges, quarries
furniture: furniture carpentry oak restoration | tables, shelves, chairs, kitchens
chemical analysis: laboratory analysis water materials | soils, metals, foods, coatings
grant writing: grants proposals nonprofit budgets | foundations, programmes, reports, applications
insurance: insurance liability claims brokerage | fleets, buildings, crops, founders
`
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', labels = '', things = ''] = line.split(/: | \| /);
    return { name, labels: labels.split(' '), things: things.split(', ') };
  });

const FOR = ['small shops', 'young companies', 'clinics', 'schools', 'hotels', 'factories', 'farms', 'city councils'];
const HOW = [
  'quickly',
  'with care',
  'at a fixed price',
  'on site',
  'from anywhere',
  'by the hour',
  'every month',
  'in pairs',
];
const PLACES = [
  'Berlin, Germany',
  'Lyon, France',
  'Remote',
  'Global',
  'Austin, Texas',
  'London, United Kingdom',
  null,
  'Madrid, Spain',
];

/** Numbers that look random and are the same in every run (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

export type NewListing = NewRow<'listings'>;

/** An endless row of listings; the same seed gives the same texts. */
export function* listings(owners: readonly Member[], seed: number): Generator<NewListing, never> {
  const random = numbers(seed);
  const pick = <T>(list: readonly T[]): T => {
    const value = list[random(list.length)];
    if (value === undefined) throw new Error('an empty list');
    return value;
  };
  const now_ms = Date.now();
  for (let n = 0; ; n++) {
    const owner = pick(owners);
    const trade = pick(TRADES);
    const seeks = random(2) === 1;
    const [thing, other, who, how] = [pick(trade.things), pick(trade.things), pick(FOR), pick(HOW)];
    const cents = 5_000 + random(500) * 1_000;
    const text = seeks
      ? `We look for help with ${trade.name}: ${thing} and ${other} come in ${how}, and our work for ${who} leaves no time for it.`
      : `${trade.name} ${how} for ${who}. You send ${thing}, we take care of ${other} and tell you what it costs beforehand.`;
    yield {
      id: newId(),
      agent_id: owner.id,
      account_id: owner.account_id,
      slug: `listing-${seed}-${n}`,
      card_type: seeks ? 'buying' : 'selling',
      direction: seeks ? 'seek' : 'offer',
      headline: seeks ? `Wanted: ${trade.name} for ${who}` : `${trade.name} for ${who}, ${how}`,
      description: text,
      geo: pick(PLACES),
      labels: [...new Set([...trade.labels.slice(random(2)), thing.replaceAll(' ', '-')])],
      subcategory: null,
      price_cents: seeks ? null : cents,
      budget_cents: seeks ? cents * 2 : null,
      conditions: { tiers: [], dealbreakers: [], preferences: [] },
      fields: {},
      status: 'live',
      origin: 'direct',
      created_at: now_ms,
      updated_at: now_ms,
    };
  }
}

/** The vector of a listing, as its own operation would have it made. */
export function vectorOf(row: NewListing): Int8Array {
  return embedText(embeddingText(row));
}

/** What makes a listing live: its row and its vector. */
export function* publish(row: NewListing): Generator<Effect> {
  const { id: listing_id, agent_id, direction: side, labels, card_type } = row;
  const terms = packSignature(signatureOf(embeddingText(row)));
  const vector = vectorOf(row);
  yield insert('listings', row);
  yield { do: 'embed', listing_id, agent_id, side, labels, card_type, model: BUILT_IN_MODEL, vector, terms };
}

/** So many live listings with the agents that own them and the labels that they carry. */
export function* publishing(
  count: number,
  owners: readonly Member[] = members(count / LISTINGS_PER_AGENT),
): Generator<Effect> {
  const now_ms = Date.now();
  yield* joining(owners, now_ms);
  const uses = new Map<string, number>();
  const made = listings(owners, 1);
  for (let n = 0; n < count; n++) {
    const row = made.next().value;
    for (const label of row.labels) uses.set(label, (uses.get(label) ?? 0) + 1);
    yield* publish(row);
  }
  for (const [id, n] of uses) yield insert('labels', { id, uses: n, created_at: now_ms });
}
