// The pairs that one turn of matching touches, as read and as planned. A pair is open while it is among the best of one of its
// two listings, or a side acted on it. A new pair takes its place at a listing from the weakest one, which may be a pair with
// a third listing, so a pair's result is known only when the whole turn is planned.
import { type Effect, insert, patch } from '../../db/effects.ts';
import { type BestPair, bestAsOffer, bestAsSeek, matchByPair } from '../../db/queries/match.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import type { Ctx } from '../contract/context.ts';
import { fault } from '../domain/fault.ts';
import { counterpartOf } from '../domain/match/match.ts';
import { comparePlaces, MATCHES_BEST } from '../domain/match/rank.ts';
import { type EndedBy, MATCH_TTL_MS, refreshOf, takesPlace } from '../domain/match/state.ts';
import { type Leaning, TASTE_MAX } from '../domain/match/taste.ts';
import { factsOf } from '../schemas/match.ts';
import type { Scoring } from './candidates.ts';
import type { Prepared } from './listing-cache.ts';
import { Notifier } from './notify.ts';
import { editedAt, endAnswers, type Fit, type Pair, pairColumns, pairId, pairOf } from './pair.ts';
import { placeOf } from './score.ts';
import { noteThreshold } from './thresholds.ts';

/** Pairs read of a listing's best: races, and old databases without places, can leave more for a moment. */
const PAIRS_MAX = 3 * MATCHES_BEST;

type MatchRow = Row<'matches'>;

interface Line {
  readonly was: MatchRow | null;
  now: MatchRow;
  /** Known where the pair was scored in this turn. */
  pair: Pair | null;
  anew: boolean;
}

const flagAt = (listing_id: string, row: Pick<MatchRow, 'offer_id'>): 'offer_best' | 'seek_best' =>
  row.offer_id === listing_id ? 'offer_best' : 'seek_best';

export class MatchPlan {
  /** Listings whose best were ranked. */
  readonly trimmed = new Set<string>();
  readonly #ctx: Ctx;
  readonly #read: Read;
  readonly #scoring: Scoring;
  readonly #lines = new Map<string, Line>();

  constructor(ctx: Ctx, read: Read, scoring: Scoring) {
    this.#ctx = ctx;
    this.#read = read;
    this.#scoring = scoring;
  }

  /**
   * Plans a pair that fits, with a place at its own listing if it is one of its best, and one at the other listing if it
   * beats the weakest there. Returns whether both sides are told.
   */
  async take(own: Prepared, fit: Fit, mine: boolean): Promise<boolean> {
    const { other } = fit;
    const id = pairId(own, other);
    const line = await this.#line(id);
    const was = line?.was ?? null;
    const move = line ? refreshOf(factsOf(line.now), editedAt(own, other), this.#ctx.now_ms) : 'anew';
    if (move === 'leave') return false;
    const held = was !== null && takesPlace(factsOf(was), this.#ctx.now_ms) ? was : null;
    const taken = this.#put(own, fit, line, move === 'anew');
    const [my_flag, their_flag] = [flagAt(own.id, taken.now), flagAt(other.id, taken.now)];
    const free = taken.now.saved_by.length === 0;
    taken.now[my_flag] = mine && free ? 1 : 0;
    const shared = own.part === 'both' && other.part === 'both';
    const stands = free && held?.[their_flag] === 1 && own.part === 'both';
    taken.now[their_flag] = free && (shared || stands) ? 1 : 0;
    if (shared && free && !stands) await this.trim(other);
    return move === 'anew' && this.#isOpen(taken);
  }

  /** Takes a listing's own place from a pair. */
  async release(listing_id: string, pair_id: string): Promise<void> {
    const line = await this.#line(pair_id);
    if (line) line.now[flagAt(listing_id, line.now)] = 0;
  }

  /** Ends an open pair that no longer fits. */
  async end(own: Prepared, other: Prepared, ended_by: EndedBy): Promise<void> {
    const line = await this.#line(pairId(own, other));
    if (!line) return;
    const { now } = line;
    now.offer_best = 0;
    now.seek_best = 0;
    const facts = factsOf(now);
    if (now.status !== 'pending' || (facts.saved_by.length === 0 && !takesPlace(facts, this.#ctx.now_ms))) return;
    now.status = 'superseded';
    now.ended_by = ended_by;
  }

  /** Removes the weakest pairs above a listing's number of places. Returns the pairs that hold them then. */
  async trim(listing: Prepared): Promise<ReadonlySet<string>> {
    const leaning = await this.#scoring.tastes.of(listing.side);
    const pairs = await this.#bestPairs(listing);
    const last = pairs[MATCHES_BEST - 1];
    // With a taste a pair of a lower score may go before one of a higher.
    const slack = leaning === null ? 0 : 2 * TASTE_MAX;
    noteThreshold(this.#scoring.store, listing.id, pairs, slack, this.#ctx.now_ms);
    this.trimmed.add(listing.id);
    const held = new Set(pairs.map(({ id }) => id));
    if (pairs.length <= MATCHES_BEST || !last) return held;
    // When scores decide, only the pairs with the last one's score have to be ranked.
    const contested = leaning === null ? pairs.filter(({ score_ppm }) => score_ppm === last.score_ppm) : pairs;
    const beyond = leaning === null ? pairs.filter(({ score_ppm }) => score_ppm < last.score_ppm) : [];
    const room = MATCHES_BEST - (pairs.length - beyond.length - contested.length);
    const weakest = contested.length > room ? (await this.#ranked(listing, leaning, contested)).slice(room) : [];
    for (const { id } of [...beyond, ...weakest]) {
      await this.release(listing.id, id);
      held.delete(id);
    }
    return held;
  }

  /** Pairs of a listing in the order of their places. */
  async #ranked(listing: Prepared, leaning: Leaning | null, pairs: readonly BestPair[]): Promise<readonly BestPair[]> {
    const { listings } = this.#scoring;
    const placed = [];
    for (const row of pairs) {
      const id = row.offer_id === listing.id ? row.seek_id : row.offer_id;
      const other = listings.known(id) ?? (await listings.get(id));
      placed.push({ row, place: other && placeOf(listing, leaning, other, row.score_ppm) });
    }
    // A pair whose listing is gone will be ended.
    placed.sort((a, b) => (a.place && b.place ? comparePlaces(a.place, b.place) : a.place ? -1 : b.place ? 1 : 0));
    return placed.map(({ row }) => row);
  }

  /** The open pairs among a listing's best, by score, as this plan leaves them. */
  async #bestPairs(listing: Prepared): Promise<BestPair[]> {
    const since_ms = this.#ctx.now_ms - MATCH_TTL_MS;
    const args = { listing_id: listing.id, since_ms, limit: PAIRS_MAX };
    const either = counterpartOf(listing.side).direction === null;
    const { direction } = listing.side;
    const rows = [
      ...(either || direction === 'offer' ? await this.#read(bestAsOffer, args) : []),
      ...(either || direction === 'seek' ? await this.#read(bestAsSeek, args) : []),
    ];
    const pairs = new Map(rows.map((row) => [row.id, row]));
    for (const [id, { now }] of this.#lines) {
      if (now.offer_id !== listing.id && now.seek_id !== listing.id) continue;
      const { offer_id, seek_id, score_ppm, created_at } = now;
      const holds = now[flagAt(listing.id, now)] === 1 && takesPlace(factsOf(now), this.#ctx.now_ms);
      if (holds) pairs.set(id, { id, offer_id, seek_id, score_ppm, created_at });
      else pairs.delete(id);
    }
    return [...pairs.values()].sort((a, b) => b.score_ppm - a.score_ppm);
  }

  async #line(id: string): Promise<Line | null> {
    const known = this.#lines.get(id);
    if (known) return known;
    const was = await this.#read(matchByPair, { id });
    if (!was) return null;
    const line: Line = { was, now: { ...was }, pair: null, anew: false };
    this.#lines.set(id, line);
    return line;
  }

  #put(own: Prepared, fit: Fit, line: Line | null, anew: boolean): Line {
    const pair = pairOf(own, fit);
    const now_ms = this.#ctx.now_ms;
    const columns = pairColumns(pair);
    if (line) {
      const { now } = line;
      Object.assign(now, columns, {
        // A side that has seen a match keeps seeing it.
        offer_visible: Math.max(columns.offer_visible, now.offer_visible),
        seek_visible: Math.max(columns.seek_visible, now.seek_visible),
        status: 'pending',
        ended_by: null,
        created_at: anew ? now_ms : now.created_at,
      });
      return Object.assign(line, { pair, anew });
    }
    const { offer, seek } = pair;
    const now: MatchRow = {
      ...columns,
      id: pairId(own, fit.other),
      match_id: this.#ctx.id(),
      offer_id: offer.id,
      seek_id: seek.id,
      offer_agent_id: offer.agent.id,
      seek_agent_id: seek.agent.id,
      status: 'pending',
      approved_by: [],
      saved_by: [],
      shown_to: [],
      offer_best: 0,
      seek_best: 0,
      ended_by: null,
      feedback: null,
      conversation_id: null,
      created_at: now_ms,
      updated_at: now_ms,
      version: 0,
    };
    const made: Line = { was: null, now, pair, anew };
    this.#lines.set(now.id, made);
    return made;
  }

  /** Whether a pair is open: it holds a place, or a side acted on it. */
  #isOpen({ now }: Line): boolean {
    if (!takesPlace(factsOf(now), this.#ctx.now_ms)) return now.status === 'pending';
    return now.offer_best === 1 || now.seek_best === 1;
  }

  /** The turn's effects: changed columns and events. Best first within a run, so that the weakest exceed a listing's daily
   * limit. */
  async effects(): Promise<Effect<'conflict'>[]> {
    const told = new Notifier(this.#ctx, this.#read);
    const rows: Effect<'conflict'>[] = [];
    for (const line of this.#lines.values()) {
      rows.push(...this.#rowEffects(line));
      const { pair, was, now } = line;
      if (!pair || !this.#isOpen(line)) continue;
      const news = was === null || line.anew;
      const { offer, seek } = pair;
      if (now.offer_visible === 1 && (news || was.offer_visible === 0)) await told.tell(pair, offer, seek, now);
      if (now.seek_visible === 1 && (news || was.seek_visible === 0)) await told.tell(pair, seek, offer, now);
    }
    return [...rows, ...told.effects()];
  }

  #rowEffects(line: Line): Effect<'conflict'>[] {
    const { was, now } = line;
    const now_ms = this.#ctx.now_ms;
    const open = this.#isOpen(line);
    if (!was) {
      const { version: _first, ...row } = now;
      return open ? [insert('matches', row, fault('conflict'))] : [];
    }
    if (!open && now.status === 'pending') {
      // It stays closed, or gives up its place now.
      if (!takesPlace(factsOf(was), now_ms)) return [];
      now.status = 'superseded';
      now.ended_by = 'outranked';
    }
    const set = changed(was, now);
    if (set === null) return [];
    const ended = now.status === 'superseded' ? endAnswers(was) : [];
    const told = this.#takesAway(line) ? [] : UNTOLD;
    return [patch('matches', was, { ...set, updated_at: now_ms }, told), ...ended];
  }

  /** Whether a pair leaves or weakens its place at a listing whose best were not ranked after it. */
  #takesAway({ was, now }: Line): boolean {
    const { now_ms } = this.#ctx;
    if (!was || !takesPlace(factsOf(was), now_ms)) return false;
    const holds = takesPlace(factsOf(now), now_ms);
    return ([now.offer_id, now.seek_id] as const).some((id) => {
      if (was[flagAt(id, was)] === 0 || this.trimmed.has(id)) return false;
      return !holds || now[flagAt(id, now)] === 0 || now.score_ppm < was.score_ppm;
    });
  }
}

const WRITTEN = [
  'offer_headline',
  'seek_headline',
  'score_ppm',
  'reasons',
  'offer_visible',
  'seek_visible',
  'offer_best',
  'seek_best',
  'status',
  'ended_by',
  'created_at',
] as const satisfies readonly (keyof MatchRow)[];

/** Columns whose changes are not announced when no place is taken away. */
const UNTOLD = [...WRITTEN, 'updated_at'] as const;

/** The columns that differ; null when none does. */
function changed(was: MatchRow, now: MatchRow): Partial<MatchRow> | null {
  const columns = WRITTEN.filter((column) => !Bun.deepEquals(was[column], now[column]));
  return columns.length === 0 ? null : Object.fromEntries(columns.map((column) => [column, now[column]]));
}
