// What of an agent's matches may be shown now, and what that costs: a match counts to the plan once, when it is shown
// for the first time by any operation (questions.md 153). One shown before stays free, in later months too.
import { count, type Effect, patch } from '../../db/effects.ts';
import {
  agentToMatch,
  type Counterparty,
  matchById,
  newestAsOffer,
  newestAsSeek,
  openAsOffer,
  openAsSeek,
  seenAsOffer,
  seenAsSeek,
} from '../../db/queries/match.ts';
import { counterById } from '../../db/queries/turn.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import type { Ctx } from '../contract/context.ts';
import { actor } from '../contract/context.ts';
import { isSeenOn } from '../domain/agent/profile.ts';
import type { Fault } from '../domain/fault.ts';
import { counterKey, nextMonthStart, PLANS, planLimit } from '../domain/identity/plan.ts';
import { MATCH_TTL_MS } from '../domain/match/state.ts';
import { type MatchView, matchView, otherOf, visibleTo } from '../schemas/match.ts';
import { type Tasted, tastedMatches } from './taste.ts';

/** Looked through to fill a list, since some counterparties have hidden themselves. */
const SPARE = 3;

/** A match with its counterparty, null when that agent is gone. */
export interface Candidate {
  readonly row: Row<'matches'>;
  readonly other: Counterparty | null;
  /** What the reader's own taste says of it; undefined for nothing. */
  readonly tasted: Tasted | undefined;
}

export interface Loaded {
  /** In the order in which they are to be shown. */
  readonly candidates: readonly Candidate[];
  /** Matches counted this month when this was read. */
  readonly used: number;
}

function allowanceKey(ctx: Ctx): string {
  return counterKey('matches', ctx.account_id, ctx.now_ms);
}

/** An agent's matches on either side in whatever state, newest first. */
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

/** Adds the counterparties, the reader's taste and the month's count to rows that may be shown. */
export async function withAllowance(read: Read, ctx: Ctx, rows: readonly Row<'matches'>[]): Promise<Loaded> {
  const me = actor(ctx).id;
  const others = new Map<string, Counterparty | null>();
  for (const row of rows) {
    const id = otherOf(row, me);
    if (!others.has(id)) others.set(id, await read.peek(agentToMatch, { id }));
  }
  const counter = await read.peek(counterById, { id: allowanceKey(ctx) });
  const tasted = await tastedMatches(read, ctx, rows);
  const candidates = rows.map((row) => ({
    row,
    other: others.get(otherOf(row, me)) ?? null,
    tasted: tasted.get(row.id),
  }));
  return { candidates, used: counter?.n ?? 0 };
}

/** One match, where the acting agent sees it. */
export async function matchSeen(read: Read, ctx: Ctx, match_id: string): Promise<Loaded> {
  const row = await read.peek(matchById, { match_id });
  return withAllowance(read, ctx, row && visibleTo(row, actor(ctx).id) ? [row] : []);
}

/** Where the reader is shown a match: by its score, moved by the reader's own taste. */
function placeOf({ row, tasted }: Candidate): number {
  return row.score_ppm + Math.round((tasted?.shift ?? 0) * 1_000_000);
}

/** How many matches the caller's plan may still show for the first time this month, null for any number; the 403 when none. */
export async function matchesLeft(read: Read, ctx: Ctx): Promise<{ left: number | null } | Fault<'plan_limit'>> {
  const limit = PLANS[ctx.principal.plan].limits.matches;
  if (limit === null) return { left: null };
  const counter = await read.peek(counterById, { id: allowanceKey(ctx) });
  const used = counter?.n ?? 0;
  return used < limit ? { left: limit - used } : planLimit('matches', limit, used, ctx.now_ms);
}

/** The agent's open matches by score and its own taste with whom it may still meet, of one listing or (null) of all. */
export async function openMatches(read: Read, ctx: Ctx, listing_id: string | null, limit: number): Promise<Loaded> {
  const agent_id = actor(ctx).id;
  const args = {
    agent_id,
    listing_id,
    since_ms: ctx.now_ms - MATCH_TTL_MS,
    limit: limit * SPARE,
    seen: `%${agent_id}%`,
  };
  const rows = new Map<string, Row<'matches'>>();
  // Those shown before are asked for as well: without any allowance left they are all that can be shown.
  for (const query of [openAsOffer, openAsSeek, seenAsOffer, seenAsSeek]) {
    for (const row of await read.peek(query, args)) rows.set(row.id, row);
  }
  const loaded = await withAllowance(read, ctx, [...rows.values()]);
  const met = loaded.candidates.filter(({ other }) => other !== null && isMet(other));
  const best = met.sort((a, b) => placeOf(b) - placeOf(a) || (a.row.match_id < b.row.match_id ? -1 : 1));
  return { ...loaded, candidates: best };
}

/** Whether a counterparty is still met in matching. */
export function isMet(other: Counterparty): boolean {
  const { visibility, provisional, deactivated_at } = other;
  return isSeenOn({ visibility, provisional: provisional === 1, deactivated: deactivated_at !== null }, 'matching');
}

/** Charges matches shown for the first time to the month's allowance of the caller's account. */
export function charge(ctx: Ctx, matches: number): Effect<'plan_limit'>[] {
  if (matches === 0) return [];
  const limit = PLANS[ctx.principal.plan].limits.matches ?? Number.MAX_SAFE_INTEGER;
  const full = planLimit('matches', limit, limit, ctx.now_ms);
  return [count(allowanceKey(ctx), limit, full, nextMonthStart(ctx.now_ms), matches)];
}

export interface Shown {
  readonly views: MatchView[];
  readonly effects: Effect<'plan_limit'>[];
  /** Set when nothing can be shown only because the month's allowance is used up. */
  readonly refusal: Fault<'plan_limit'> | null;
}

/** Shows up to `limit` of the candidates that the plan still allows, and counts the new ones. */
export function show(ctx: Ctx, { candidates, used }: Loaded, limit: number): Shown {
  const me = actor(ctx);
  const allowed = PLANS[ctx.principal.plan].limits.matches;
  let left = allowed === null ? Number.MAX_SAFE_INTEGER : Math.max(0, allowed - used);
  const views: MatchView[] = [];
  const fresh: Row<'matches'>[] = [];
  let withheld = false;
  for (const { row, other, tasted } of candidates) {
    if (views.length === limit) break;
    if (other === null || (row.status === 'pending' && !isMet(other))) continue;
    if (!row.shown_to.includes(me.id)) {
      if (left === 0) {
        withheld = true;
        continue;
      }
      left -= 1;
      fresh.push(row);
    }
    const view = matchView(row, me, other, ctx.now_ms);
    views.push(tasted ? { ...view, reasons: [...view.reasons, ...tasted.reasons] } : view);
  }
  const refused = withheld && views.length === 0 && allowed !== null;
  return {
    views,
    effects: [
      ...charge(ctx, fresh.length),
      ...fresh.map((row) => patch('matches', row, { shown_to: [...row.shown_to, me.id] }, ['shown_to'])),
    ],
    refusal: refused ? planLimit('matches', allowed, used, ctx.now_ms) : null,
  };
}
