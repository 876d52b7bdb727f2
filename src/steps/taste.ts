// What is learnt of an agent's answers, in the turn of the answer, and what that taste says of the matches it is shown. Only
// the agent's own row is read and written here, whoever the other side is.
import { apply, type Effect, insert } from '../../db/effects.ts';
import { listingToMatch, tasteById } from '../../db/queries/match.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import type { Ctx } from '../contract/context.ts';
import { actor } from '../contract/context.ts';
import { effectivePrices, type PricePeriod } from '../domain/listing/price.ts';
import { actsAs, learn, type Signal, saidBy, signalOf, type TasteSide } from '../domain/match/signal.ts';
import { type Leaning, leaningOf, tasteReasons, tasteShift } from '../domain/match/taste.ts';
import { geoNorm } from '../domain/place/geo.ts';

/** An answer that may be learnt: what it is about, what it said (null: nothing), and what is held of the agent already. */
export interface Lesson {
  readonly about: string;
  readonly signal: Signal | null;
  readonly held: Row<'tastes'> | null;
}

/** Writes a lesson into the acting agent's taste. A repeated one, and one that says nothing new, writes nothing. */
export function learnEffects(ctx: Ctx, { about, signal, held }: Lesson): Effect<never>[] {
  const id = actor(ctx).id;
  const known = held?.signals ?? [];
  if (learn(known, about, signal) === known) return [];
  const learnt = apply('tastes', id, (row) => ({ signals: learn(row.signals, about, signal), updated_at: ctx.now_ms }));
  return held ? [learnt] : [insert('tastes', { id, signals: [], updated_at: ctx.now_ms }, 'ignore'), learnt];
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

/** What the acting agent's answer to a match says of its taste. */
export async function lessonOf(
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

/** What the agent's own taste says of one of its matches. */
export interface Tasted {
  /** Added to the score where matches are put in order for it. */
  readonly shift: number;
  readonly reasons: readonly string[];
}

/** Whether the agent has yet to say what it wants of a match. */
function isUnanswered({ status, approved_by, saved_by }: Row<'matches'>, agent_id: string): boolean {
  const open = status === 'pending' || status === 'approved';
  return open && !approved_by.includes(agent_id) && !saved_by.includes(agent_id);
}

/** What the acting agent's taste says of its matches, by row id. What it has answered is left out, and all of them where
 * nothing was learnt yet. */
export async function tastedMatches(
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
