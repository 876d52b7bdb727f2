// What people offer and seek: few topics and few words, so that listings of different people meet.

import type { TestAnswer } from '../../support/testbed.ts';
import type { Person } from '../person.ts';
import { type Action, actingOf, NO_CREDENTIAL } from '../planned.ts';
import type { Sim } from '../sim.ts';
import { someHandle } from './agents.ts';

const TOPICS = [
  { labels: ['logo-design', 'Branding'], words: 'logo for a small bakery' },
  { labels: ['ropes', 'Sailing'], words: 'ropes for sailing boats' },
  { labels: ['SEO', 'link building'], words: 'search engine optimisation of a web shop' },
  { labels: ['payroll'], words: 'payroll for ten people' },
];

const PAIRS = [
  ['selling', 'buying'],
  ['selling', 'buying'],
  ['selling', 'buying'],
  ['job_seeking', 'hiring'],
  ['investing', 'fundraising'],
  ['partnering', 'partnering'],
] as const;

/** Of a seek that compares, mostly for one deal. */
const comparing = ({ choose }: Sim): Record<string, unknown> => ({
  decide_within_hours: choose.pick([0, 1, 24]),
  deals_wanted: choose.pick([0, 1, 1, 2]),
});

/** What one may say of a listing, mostly complete. */
function words(sim: Sim, seeks: boolean): Record<string, unknown> {
  const { choose } = sim;
  const topic = choose.pick(TOPICS);
  const cents = 100 * (1 + choose.below(1_000));
  return {
    headline: seeks ? `I want a ${topic.words}` : `We make a ${topic.words}`,
    description: choose.pick([
      '',
      `All about a ${topic.words}, done in ${1 + choose.below(9)} days.`,
      'For shops and casinos.',
    ]),
    labels: topic.labels,
    ...(choose.chance(0.9) && (seeks ? { budget_cents: cents } : { price_cents: cents })),
    ...(choose.chance(0.15) && { geo: choose.pick(['Remote', 'Berlin, Germany', 'Global']) }),
    ...(choose.chance(0.1) && { conditions: { dealbreakers: ['no weekends'], preferences: [{ label: 'seo' }] } }),
    ...(seeks && choose.chance(0.3) && { conditions: comparing(sim) }),
  };
}

/** An offer of links on one's own site, now and then on somebody else's. */
function linkOffer(sim: Sim, person: Person): Record<string, unknown> {
  const { domain } = sim.choose.chance(0.9) ? person : sim.choose.pick(sim.people);
  return { ...words(sim, false), card_type: 'link_building', direction: 'offer', fields: { domain } };
}

function newListing(sim: Sim, person: Person): Record<string, unknown> {
  const { choose } = sim;
  if (choose.chance(0.15)) return linkOffer(sim, person);
  const [offer, seek] = choose.pick(PAIRS);
  const seeks = choose.chance(0.5);
  return {
    ...words(sim, seeks),
    card_type: seeks ? seek : offer,
    ...(choose.chance(0.1) && { active: false }),
    ...(choose.chance(0.05) && { labels: [] }),
  };
}

/** An intake's items: what one offers and what one seeks. */
export function items(sim: Sim, seeks: boolean): Record<string, unknown>[] {
  return Array.from({ length: 1 + sim.choose.below(2) }, () => words(sim, seeks));
}

function change(sim: Sim): Record<string, unknown> {
  const { choose } = sim;
  switch (choose.below(6)) {
    case 0:
      return { active: false };
    case 1:
    case 2:
      return { active: true };
    case 3:
      return { price_cents: null, budget_cents: null };
    case 4:
      return { labels: choose.pick(TOPICS).labels };
    default:
      return words(sim, choose.chance(0.5));
  }
}

const ownListing = (sim: Sim, person: Person, body?: Record<string, unknown>): ReturnType<Action> => {
  const acting = actingOf(sim, person);
  const own = person.agents.find(({ handle }) => handle === acting?.agent)?.id ?? '';
  const cardId = sim.choose.maybe(sim.db.column('SELECT id FROM listings WHERE agent_id = ? ORDER BY id', own));
  return acting && cardId !== null
    ? { as: acting.as, path: { handle: acting.agent, cardId }, ...(body && { body }) }
    : null;
};

/** Puts the record into the DNS that a gate report asks for. */
function publishRecord(sim: Sim, report: readonly { readonly how?: string }[]): void {
  for (const { how = '' } of report) {
    const [, name, value] = /DNS record (\S+) TXT "([^"]+)"/.exec(how) ?? [];
    if (name !== undefined && value !== undefined) sim.zone.setTxt(name, [value]);
  }
}

const list: Action = (sim, person) => ({
  as: (sim.choose.chance(0.5) && actingOf(sim, person)?.as) || NO_CREDENTIAL,
  path: { handle: someHandle(sim) },
  query: { limit: 1 + sim.choose.below(4) },
});

export const LISTINGS: Readonly<Record<string, Action>> = {
  'listing.create': (sim, person) => {
    const acting = actingOf(sim, person);
    return acting && { as: acting.as, path: { handle: acting.agent }, body: newListing(sim, person) };
  },
  'listing.update': (sim, person) => ownListing(sim, person, change(sim)),
  'listing.set_goals': (sim, person) => {
    const { choose } = sim;
    const goals = [
      { issue: 'days_to_deliver', limit: choose.below(40), wish: choose.below(40), weight: choose.below(5) },
      { issue: 'revisions', limit: choose.below(5), wish: choose.below(5) },
      { issue: 'price', weight: 1 },
    ];
    return ownListing(sim, person, { goals: goals.slice(choose.below(4)) });
  },
  'listing.goals': (sim, person) => ownListing(sim, person),
  'listing.delete': (sim, person) => (sim.choose.chance(0.5) ? ownListing(sim, person) : null),
  'listing.verify': (sim, person) => {
    const learn = ({ body }: TestAnswer): void => publishRecord(sim, body.gate_report);
    const planned = ownListing(sim, person);
    return planned && { ...planned, learn };
  },
  'listing.embed': (sim, person) => {
    const acting = actingOf(sim, person);
    const vector = Array.from({ length: 256 }, (_, at) => Math.sin(at * (1 + sim.choose.below(5))));
    const body = sim.choose.chance(0.2) ? { vector } : {};
    return acting && { as: acting.as, path: { handle: acting.agent }, body };
  },
  'listing.list': list,
  'listing.mine': (sim, person) => {
    const acting = actingOf(sim, person);
    return acting && { ...acting, query: { limit: 1 + sim.choose.below(4) } };
  },
  'listing.read': (sim, person) => {
    const cardId = sim.choose.maybe(sim.db.column('SELECT id FROM listings ORDER BY id'));
    if (cardId === null) return null;
    const [owner = ''] = sim.db.column(
      'SELECT a.handle FROM listings l JOIN agents a ON a.id = l.agent_id WHERE l.id = ?',
      cardId,
    );
    const as = (sim.choose.chance(0.5) && actingOf(sim, person)?.as) || NO_CREDENTIAL;
    return { as, path: { handle: owner, cardId } };
  },
  'label.search': (sim) => ({
    as: NO_CREDENTIAL,
    query: { q: sim.choose.pick(['', 'lo', 'SEO', 'rope']), limit: 1 + sim.choose.below(9) },
  }),
};
