// Bargaining turns of agents with one open negotiation and of agents with two hundred, beside messages to the same server. Thirty of the
// two hundred are offers that the agent compares, so that each turn has something elsewhere to look at.
import { join } from 'node:path';
import { type Effect, insert } from '../../db/effects.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { serve } from './children.ts';
import type { Bench, Row } from './job.ts';
import { type Requests, requestBytes, type Sample } from './load.ts';
import { joining, listing, type Member, members, newId, openForFilling, talking, write } from './population.ts';
import { figure, measure, throughputRow } from './rounds.ts';
import { ratios } from './statistics.ts';
import { fillTalks, fromAll, type Talk, talksOf } from './talks.ts';

const OPEN = 200;
/** Of the negotiations that an agent opened, those in which it compares an offer. */
const COMPARED = 30;
const CONNECTIONS = 64;
const WRITERS = 2_000;
/** Bargaining turns of a conversation that are asked for at most; each side names six prices. */
const TURNS_EACH = 4;
const SELLS_FROM = 60_000;
const PAYS_TO = 40_000;
/** A turn costs at most so much more than a message. */
const ABOVE_MESSAGE_US = 200;
const TIMES_MOST = 1.1;

const SAID = [
  'I am looking for: the books of a small software company (bookkeeping, payroll). When could you begin?',
  'I offer: bookkeeping for small software companies. What do you need it for, and by when?',
  'Which work of this kind have you done, and who can speak for it?',
  'My profile shows the proofs and the deals behind it. What else would you have to see?',
  'What is part of it, what is not, and how many rounds of changes are there?',
  'Which parts matter most to you, and how would you know that it is done?',
] as const;

interface Bargaining {
  /** Whose two sides have no other negotiation, and two hundred each. */
  readonly few: readonly Talk[];
  readonly many: readonly Talk[];
  /** Conversations in which messages are written. */
  readonly written: readonly Talk[];
}

/** Every agent with every other one; each opens half of its conversations. */
function eachWithEach(all: readonly Member[]): Talk[] {
  return all.flatMap((one, at) =>
    all.slice(at + 1).map((two, n): Talk => ({ id: newId(), sides: n % 2 === 0 ? [one, two] : [two, one] })),
  );
}

/** An agent's bounds and its two listings: it buys in what it opens, and sells in the other conversations. */
function* trading(
  all: readonly Member[],
  seeks: ReadonlyMap<string, string>,
  offers: ReadonlyMap<string, string>,
  now_ms: number,
) {
  for (const effect of joining(all, now_ms)) {
    if (effect.do !== 'insert' || effect.table !== 'agents') yield effect;
    else
      yield {
        ...effect,
        row: { ...effect.row, bounds: { max_pay_cents: PAYS_TO, min_charge_cents: SELLS_FROM } },
      } as Effect;
  }
  for (const member of all) {
    yield* listing(member, 1, now_ms, offers.get(member.id));
    for (const seek of listing(member, 1, now_ms, seeks.get(member.id))) {
      if (seek.do !== 'insert') continue;
      const row = { ...seek.row, slug: 'seeks', card_type: 'buying', direction: 'seek', price_cents: null };
      yield { ...seek, row } as Effect;
    }
  }
}

interface About {
  readonly seek_id: string;
  readonly offer_id: string;
  /** Whether its opener compares an offer there with others. */
  readonly compared: boolean;
}

/** A conversation that has come to bargaining, or to an offer that is compared. */
function* bargaining({ id, sides }: Talk, { seek_id, offer_id, compared }: About, now_ms: number): Generator<Effect> {
  const [opener, other] = sides;
  const match_id = newId();
  const headline = 'Bookkeeping for small software companies';
  const times = { created_at: now_ms, updated_at: now_ms };
  yield insert('matches', {
    ...{ id: match_id, match_id, offer_id, seek_id, offer_agent_id: other.id, seek_agent_id: opener.id },
    ...{ offer_headline: headline, seek_headline: headline, score_ppm: 700_000, reasons: [], status: 'approved' },
    ...{ approved_by: [opener.id, other.id], saved_by: [], shown_to: [], ended_by: null, feedback: null },
    ...{ conversation_id: id, ...times },
  });
  const proposal_id = compared ? newId() : null;
  const [mine, last_n] = [SAID.length / 2, SAID.length];
  const sent = { last_n, opener_sent: mine, other_sent: mine, opener_seen: mine, other_seen: mine, proposal_id };
  const talk = talking(id, opener, other, now_ms) as Extract<Effect, { do: 'insert' }>;
  yield { ...talk, row: { ...talk.row, match_id, phase: compared ? 'proposal' : 'negotiation', ...sent } } as Effect;
  for (const [at, content] of SAID.entries()) {
    const sender = sides[at % 2] ?? opener;
    const from = { sender_id: sender.id, sender_handle: sender.handle, kind: 'text' } as const;
    const created_at = now_ms - (SAID.length - at) * 60_000;
    yield insert('messages', { id: newId(), conversation_id: id, n: at + 1, ...from, content, created_at });
  }
  if (proposal_id === null) return;
  yield insert('proposals', {
    ...{ id: proposal_id, conversation_id: id, number: 1, by_id: other.id, buyer_id: opener.id, seller_id: other.id },
    ...{
      amount_cents: PAYS_TO - 1_000 - (now_ms % 1_000),
      terms: headline,
      milestones: [],
      issues: [],
      escrow_terms: null,
    },
    ...{ status: 'open', buyer_at: null, seller_at: now_ms, buyer_pays: 0, escalated_to: null, bound: null },
    ...{ replaced_by: null, compared_for: seek_id, decides_at: now_ms + 12 * HOUR_MS, outbid_at: null, deal_id: null },
    ...{ expires_at: now_ms + 3 * DAY_MS, created_at: now_ms },
  });
}

function idsOf(all: readonly Member[]): Map<string, string> {
  return new Map(all.map(({ id }) => [id, newId()]));
}

/** So many agents whose handles begin so. */
function named(begins: string, count: number): Member[] {
  return members(count).map((member) => ({ ...member, handle: `${begins}_${member.handle}` }));
}

/** The first offers in the conversations that an agent opened are compared, in the order of the list. */
function comparedAmong(talks: readonly Talk[]): Set<string> {
  const by_opener = Map.groupBy(talks, ({ sides: [opener] }) => opener.id);
  return new Set([...by_opener.values()].flatMap((own) => own.slice(0, COMPARED).map(({ id }) => id)));
}

/** Writes it all into a database; gives the conversations in which turns are asked for. */
async function fill(data_dir: string, turns: number): Promise<Bargaining> {
  const store = openForFilling(data_dir);
  const now_ms = Date.now();
  const crowd = named('many', OPEN + 1);
  const pairs = named('few', 2 * Math.ceil(turns / TURNS_EACH));
  const few = Array.from({ length: pairs.length / 2 }, (_, at): Talk => {
    const [one, two] = pairs.slice(2 * at) as [Member, Member];
    return { id: newId(), sides: [one, two] };
  });
  const all = [...crowd, ...pairs];
  const [seeks, offers] = [idsOf(all), idsOf(all)];
  await write(store, trading(all, seeks, offers, now_ms));
  const crowded = eachWithEach(crowd);
  const compared = comparedAmong(crowded);
  const put = function* (): Generator<Effect> {
    for (const talk of [...few, ...crowded]) {
      const [opener, other] = talk.sides;
      const about = { seek_id: seeks.get(opener.id) ?? '', offer_id: offers.get(other.id) ?? '' };
      yield* bargaining(talk, { ...about, compared: compared.has(talk.id) }, now_ms);
    }
  };
  await write(store, put());
  const written = talksOf(WRITERS);
  await fillTalks(store, written);
  await store.close();
  return { few, many: crowded.filter(({ id }) => !compared.has(id)), written };
}

/** All openers take their turns, then all others, and again. */
function turnsIn(talks: readonly Talk[]): Requests {
  const sides = Array.from({ length: TURNS_EACH }, (_, turn) => turn % 2);
  let next = 0;
  return () => {
    const talk = talks[next % talks.length];
    const side = talk?.sides[sides[Math.floor(next / talks.length)] ?? 2];
    next += 1;
    if (!talk || !side) throw new Error('all bargaining turns are taken; ask for fewer rounds');
    return requestBytes('POST', `/api/conversations/${talk.id}/advance`, { 'X-API-Key': side.key }, '{}');
  };
}

/** Rows of the job; `turns` is the most that is asked for of each kind. */
export async function bargainingRows(bench: Bench, turns: number): Promise<Row[]> {
  const data_dir = join(bench.folder, 'bargaining');
  bench.progress(0, 'writing negotiations');
  const { few, many, written } = await fill(data_dir, turns);
  const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', DATA_DIR: data_dir };
  const target = await serve(bench, './mesh-server.ts', env);
  const load = (requests: Requests) => ({ target, connections: CONNECTIONS, requests });
  const got = await measure(bench, {
    message: load(fromAll(written)),
    one: load(turnsIn(few)),
    many: load(turnsIn(many)),
  });
  const above = (samples: readonly Sample[]): number => figure(samples, 'cpu_us') - figure(got.message, 'cpu_us');
  const told = { against: 'message POST', judged: 'CPU' } as const;
  const most = `≤ message + ${ABOVE_MESSAGE_US} µs`;
  const rowOf = (job: string, samples: readonly Sample[]): Row => ({
    ...throughputRow(job, samples, got.message, 0, { ...told, target: most }),
    met: above(samples) <= ABOVE_MESSAGE_US,
    note: `${Math.round(above(samples))} µs above a message`,
  });
  const times = ratios(
    got.many.map(({ cpu_us }) => cpu_us),
    got.one.map(({ cpu_us }) => cpu_us),
  );
  const many_row = rowOf(`bargaining turn of an agent with ${OPEN} open negotiations`, got.many);
  return [
    rowOf('bargaining turn of an agent with one open negotiation', got.one),
    {
      ...many_row,
      target: `${most}; ≤ ${TIMES_MOST} of one`,
      met: many_row.met === true && times.mid <= TIMES_MOST,
      note: `${many_row.note}; ${times.mid.toFixed(2)} (${times.min.toFixed(2)}–${times.max.toFixed(2)}) of one`,
    },
  ];
}
