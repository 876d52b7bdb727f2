// Reads of matches: those to show within the plan's allowance, the one that is answered, and an agent's taste.

import { threadById } from '../../../db/queries/conversation.ts';
import {
  ANY_SCORE,
  agentToMatch,
  type Counterparty,
  listingToMatch,
  matchById,
  newestAsOffer,
  newestAsSeek,
  openAsOffer,
  openAsSeek,
  seenAsOffer,
  seenAsSeek,
  tasteById,
} from '../../../db/queries/match.ts';
import { liveProposals } from '../../../db/queries/negotiation.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import type { Fault } from '../../domain/fault.ts';
import { PLANS, planLimit } from '../../domain/identity/plan.ts';
import { matchFloor } from '../../domain/inbox/wake.ts';
import { effectivePrices, type PricePeriod } from '../../domain/listing/price.ts';
import { actsAs, saidBy, signalOf, type TasteSide } from '../../domain/match/signal.ts';
import { MATCH_TTL_MS } from '../../domain/match/state.ts';
import { type Leaning, leaningOf, tasteReasons, tasteShift } from '../../domain/match/taste.ts';
import { geoNorm } from '../../domain/place/geo.ts';
import { otherOf, termsOf, visibleTo } from '../../schemas/match.ts';
import {
  allowanceKey,
  type Candidate,
  choosing,
  isMet,
  type Lesson,
  type Loaded,
  leftAfter,
  type MatchAnswer,
  type MatchToAnswer,
  type Tasted,
} from '../match.ts';
import type { Blocking } from '../message/post.ts';
import { readBlocking } from '../message/thread.ts';

/** Looked through to fill a list, since some counterparties have hidden themselves. */
const SPARE = 3;

/** An agent's matches on either side, in any state, newest first. */
export async function newestMatches(
  read: Read,
  page: { readonly agent_id: string; readonly before: string; readonly limit: number },
): Promise<Row<'matches'>[]> {
  const sides = await Promise.all([read.peek(newestAsOffer, page), read.peek(newestAsSeek, page)]);
  return sides
    .flat()
    .sort((a, b) => (a.match_id < b.match_id ? 1 : -1))
    .slice(0, page.limit);
}

async function shownThisMonth(read: Read, ctx: Ctx): Promise<number> {
  return (await read.peek(counterById, { id: allowanceKey(ctx) }))?.n ?? 0;
}

/** Adds the counterparties, the reader's taste and the month's count, unless it was read, to rows that may be shown. */
export async function withAllowance(
  read: Read,
  ctx: Ctx,
  rows: readonly Row<'matches'>[],
  used?: number,
): Promise<Loaded> {
  const me = actor(ctx).id;
  const others = new Map<string, Counterparty | null>();
  for (const row of rows) {
    const id = otherOf(row, me);
    if (!others.has(id)) others.set(id, await read.peek(agentToMatch, { id }));
  }
  const tasted = await tastedMatches(read, ctx, rows);
  const theirs = await Promise.all(
    rows.map((row) => read.peek(listingToMatch, { id: row.offer_agent_id === me ? row.seek_id : row.offer_id })),
  );
  const candidates = rows.map((row, at) => ({
    row,
    other: others.get(otherOf(row, me)) ?? null,
    terms: termsOf(theirs[at] ?? null),
    tasted: tasted.get(row.id),
  }));
  return { candidates, used: used ?? (await shownThisMonth(read, ctx)) };
}

/** One match, where the acting agent sees it. */
export async function matchSeen(read: Read, ctx: Ctx, match_id: string): Promise<Loaded> {
  const row = await read.peek(matchById, { match_id });
  return withAllowance(read, ctx, row && visibleTo(row, actor(ctx).id) ? [row] : []);
}

/** Where the reader is shown a match: by its score, moved by the reader's own taste. */
function placeOf({ row, tasted }: Placed): number {
  return row.score_ppm + Math.round((tasted?.shift ?? 0) * 1_000_000);
}

type Placed = Pick<Candidate, 'row'> & Partial<Pick<Candidate, 'tasted'>>;

const byPlace = (a: Placed, b: Placed): number => placeOf(b) - placeOf(a) || (a.row.match_id < b.row.match_id ? -1 : 1);

/** How many matches the caller's plan may still show for the first time this month, null for any number; the 403 when none. */
export async function matchesLeft(read: Read, ctx: Ctx): Promise<{ left: number | null } | Fault<'plan_limit'>> {
  const limit = PLANS[ctx.principal.plan].limits.matches;
  if (limit === null) return { left: null };
  const used = await shownThisMonth(read, ctx);
  return used < limit ? { left: limit - used } : planLimit('matches', limit, used, ctx.now_ms);
}

const PPM_PER_POINT = 10_000;

/** The filter of open matches: those from the agent's floor up that it has neither answered nor saved, or those below. */
export const OPEN_MATCHES = ['undecided', 'weak'] as const;
export type OpenMatches = (typeof OPEN_MATCHES)[number];

interface OpenWanted {
  /** Null for all of the agent's. */
  readonly listing_id: string | null;
  readonly limit: number;
  readonly only?: OpenMatches | undefined;
}

/** The rows of the agent's open matches. Where the allowance may not fill the list, those shown before are looked for as well. */
async function openRows(
  read: Read,
  ctx: Ctx,
  { listing_id, limit, only }: OpenWanted,
  left: number | null,
): Promise<Row<'matches'>[]> {
  const { id: agent_id, wake } = actor(ctx);
  const floor_ppm = matchFloor(wake) * PPM_PER_POINT;
  const args = {
    agent_id,
    listing_id,
    since_ms: ctx.now_ms - MATCH_TTL_MS,
    ...ANY_SCORE,
    ...(only === 'undecided' && { from_ppm: floor_ppm }),
    ...(only === 'weak' && { below_ppm: floor_ppm }),
    limit: limit * SPARE,
    seen: `%${agent_id}%`,
  };
  const rows = new Map<string, Row<'matches'>>();
  const seen = left !== null && left < limit ? [seenAsOffer, seenAsSeek] : [];
  for (const query of [openAsOffer, openAsSeek, ...seen]) {
    for (const row of await read.peek(query, args)) rows.set(row.id, row);
  }
  return [...rows.values()].filter((row) => only !== 'undecided' || isUnanswered(row, agent_id));
}

/** The agent's open matches by score and its own taste, with agents that it may still meet. */
export async function openMatches(read: Read, ctx: Ctx, wanted: OpenWanted): Promise<Loaded> {
  const used = await shownThisMonth(read, ctx);
  const loaded = await withAllowance(read, ctx, await openRows(read, ctx, wanted, leftAfter(used, ctx)), used);
  const met = loaded.candidates.filter(({ other }) => other !== null && isMet(other));
  return { ...loaded, candidates: met.sort(byPlace) };
}

/** The matches that the list of undecided ones would show, as rows, by score alone. */
export async function undecidedMatches(read: Read, ctx: Ctx, limit: number): Promise<Row<'matches'>[]> {
  const me = actor(ctx).id;
  const left = leftAfter(await shownThisMonth(read, ctx), ctx);
  const rows = await openRows(read, ctx, { listing_id: null, limit, only: 'undecided' }, left);
  const chosen = choosing(me, left);
  const others = new Map<string, Counterparty | null>();
  const shown: Row<'matches'>[] = [];
  for (const { row } of rows.map((each) => ({ row: each })).sort(byPlace)) {
    if (shown.length === limit) break;
    const id = otherOf(row, me);
    const other = others.get(id) ?? (await read.peek(agentToMatch, { id }));
    others.set(id, other);
    if (other && isMet(other) && chosen.takes(row, other)) shown.push(row);
  }
  return shown;
}

const NOBODY_BLOCKS: Blocking = { opener: false, other: false };

const NO_MATCH: MatchToAnswer = { row: null, other: null, thread: null, live: [], blocks: NOBODY_BLOCKS, lesson: null };

/** Reads what the acting agent's answer is decided on. */
export async function readMatchToAnswer(
  read: Read,
  { match_id, ...answer }: Pick<MatchAnswer, 'match_id' | 'action' | 'reason'>,
  ctx: Ctx,
): Promise<MatchToAnswer> {
  const me = actor(ctx);
  const row = await read(matchById, { match_id });
  if (!row || !visibleTo(row, me.id)) return NO_MATCH;
  const other = await read.peek(agentToMatch, { id: otherOf(row, me.id) });
  const thread = row.conversation_id === null ? null : await read.peek(threadById, { id: row.conversation_id });
  const live = thread ? await read(liveProposals, { conversation_id: thread.id }) : [];
  const blocks = answer.action === 'interested' ? await readBlocking(read, me.id, otherOf(row, me.id)) : NOBODY_BLOCKS;
  return { row, other, thread, live, blocks, lesson: await lessonOf(read, ctx, row, answer) };
}

async function sideOf(read: Read, id: string): Promise<TasteSide | null> {
  const row = await read.peek(listingToMatch, { id });
  // The column holds only periods of the catalogue.
  const priced = row && { ...row, price_period: row.price_period as PricePeriod };
  return (
    priced && { ...priced, labels: new Set(priced.labels), prices: effectivePrices(priced), geo: geoNorm(row.geo) }
  );
}

/** The two listings of a match from the agent's side; null when one is gone. */
async function sidesOf(
  side: (id: string) => Promise<TasteSide | null>,
  agent_id: string,
  row: Row<'matches'>,
): Promise<{ own: TasteSide; other: TasteSide } | null> {
  const mine = row.offer_agent_id === agent_id;
  const own = await side(mine ? row.offer_id : row.seek_id);
  const other = await side(mine ? row.seek_id : row.offer_id);
  return own && other && { own, other };
}

/** The lesson of the acting agent's answer to a match. */
async function lessonOf(
  read: Read,
  ctx: Ctx,
  row: Row<'matches'>,
  { action, reason = null }: { readonly action: string; readonly reason?: string | null },
): Promise<Lesson> {
  const agent_id = actor(ctx).id;
  const [about, said] = [row.match_id, saidBy(action, reason)];
  const held = await read.peek(tasteById, { id: agent_id });
  const sides = said && (await sidesOf((id) => sideOf(read, id), agent_id, row));
  const signal = said && sides ? signalOf({ about, said, at: ctx.now_ms }, sides.own, sides.other) : null;
  return { about, signal, held };
}

/** Whether the agent has yet to say what it wants of a match. */
function isUnanswered({ status, approved_by, saved_by }: Row<'matches'>, agent_id: string): boolean {
  const open = status === 'pending' || status === 'approved';
  return open && !approved_by.includes(agent_id) && !saved_by.includes(agent_id);
}

/** The acting agent's taste for its matches, by row id. Answered matches are left out, and all before anything was
 * learnt. */
async function tastedMatches(
  read: Read,
  ctx: Ctx,
  rows: readonly Row<'matches'>[],
): Promise<ReadonlyMap<string, Tasted>> {
  const agent_id = actor(ctx).id;
  const tasted = new Map<string, Tasted>();
  const signals = (await read.peek(tasteById, { id: agent_id }))?.signals ?? [];
  if (signals.length === 0) return tasted;
  const sides = new Map<string, Promise<TasteSide | null>>();
  const side = (id: string): Promise<TasteSide | null> => {
    const found = sides.get(id) ?? sideOf(read, id);
    sides.set(id, found);
    return found;
  };
  const leanings = new Map<string, Leaning>();
  for (const row of rows) {
    if (!isUnanswered(row, agent_id)) continue;
    const both = await sidesOf(side, agent_id, row);
    if (!both) continue;
    const as = actsAs(both.own);
    const leaning = leanings.get(as) ?? leaningOf(signals, as, ctx.now_ms);
    leanings.set(as, leaning);
    const taste = tasteShift(leaning, both.own, both.other);
    if (taste.parts.length > 0) tasted.set(row.id, { shift: taste.shift, reasons: tasteReasons(taste) });
  }
  return tasted;
}
