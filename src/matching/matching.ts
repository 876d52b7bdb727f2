// Matches one listing with all others: scores the candidates on committed state, then writes the pairs best first in
// turns of 25. Nothing is held between the turns, so a run that dies half-way is simply run again.
import type { Effect } from '../../db/effects.ts';
import { listingStamp, matchByPair } from '../../db/queries/match.ts';
import type { Decision, Read } from '../../db/store.ts';
import { type Fault, isFault } from '../domain/fault.ts';
import type { Ctx, FlowCtx, Matched } from '../operations/context.ts';
import { apartFrom } from './apart.ts';
import type { Scoring } from './candidates.ts';
import { explain } from './explain.ts';
import { type Fit, findFits, type Scored } from './fits.ts';
import type { Lane } from './lane.ts';
import { changeOf, changePair, newPair, pairId, supersedePair } from './pair.ts';
import type { Prepared } from './sides.ts';

/** Pairs in one turn: short enough that no other turn waits long for its group. */
const PAIRS_PER_TURN = 25;
/** New matches that one run may find for a listing; the next run looks on. */
const NEW_MAX = 50;
/** A listing that is edited while it is matched is matched again, so many times at once; then its next run does it. */
const PASSES_MAX = 3;
/** Other runs can take a pair's key first so often in a row before something is wrong. */
const TRIES_MAX = 20;

interface Step {
  readonly other: Prepared;
  /** Null for a known pair that fits no more. */
  readonly fit: Fit | null;
}

interface Done {
  /** Matches that were not there before. */
  readonly fresh: number;
  /** The listing was changed meanwhile; its new form has to be scored. */
  readonly stale: boolean;
}

async function attemptSlice(
  ctx: Ctx,
  read: Read,
  own: Prepared,
  steps: readonly Step[],
  room: number,
): Promise<Decision<Done, 'conflict'>> {
  const stamp = await read(listingStamp, { id: own.id });
  if (stamp?.version !== own.version) return { reply: { fresh: 0, stale: true } };
  const apart = await apartFrom(read, own.agent.id);
  const effects: Effect<'conflict'>[] = [];
  let fresh = 0;
  for (const { other, fit } of steps) {
    if (fresh === room) break;
    const theirs = await read(listingStamp, { id: other.id });
    // A counterparty that changed meanwhile runs matching itself, with what it now says.
    if (theirs?.version !== other.version) continue;
    const row = await read(matchByPair, { id: pairId(own, other) });
    if (row === null) {
      const made = fit === null || apart.has(other.agent.id) ? [] : newPair(ctx, own, fit);
      effects.push(...made);
      if (made.length > 0) fresh += 1;
    } else if (fit === null) {
      effects.push(...supersedePair(row, ctx.now_ms));
    } else {
      const change = changeOf(own, fit, row, ctx.now_ms);
      if (change?.anew && apart.has(other.agent.id)) continue;
      if (change) effects.push(...changePair(ctx, row, change));
      if (change?.anew) fresh += 1;
    }
  }
  return { reply: { fresh, stale: false }, effects };
}

async function writeSteps(ctx: FlowCtx, own: Prepared, steps: readonly Step[], room: number): Promise<Done | Fault> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await ctx.turn({ attempt: (read) => attemptSlice(ctx, read, own, steps, room) });
    if (!isFault(outcome)) return outcome.reply;
    // Another run wrote one of these pairs between the read and the commit: look again.
    if (outcome.fault !== 'conflict' || tries === TRIES_MAX) return outcome;
  }
}

async function runPass(ctx: FlowCtx, { own, fits, misfits, known }: Scored): Promise<Done | Fault> {
  const steps: Step[] = misfits.map((other) => ({ other, fit: null }));
  for (const fit of fits) {
    const row = known.get(fit.other.id);
    if (!row || changeOf(own, fit, row, ctx.now_ms)) steps.push({ other: fit.other, fit });
  }
  let fresh = 0;
  for (let at = 0; at < steps.length && fresh < NEW_MAX; at += PAIRS_PER_TURN) {
    const done = await writeSteps(ctx, own, steps.slice(at, at + PAIRS_PER_TURN), NEW_MAX - fresh);
    if (isFault(done)) return done;
    fresh += done.fresh;
    if (done.stale) return { fresh, stale: true };
  }
  return { fresh, stale: false };
}

/** Matches a listing with all others as they now are. Repeatable. `explains`: somebody wants to know what is missing. */
export async function matchListing(
  ctx: FlowCtx,
  scoring: Scoring,
  lane: Lane,
  listing_id: string,
  explains: boolean,
): Promise<Matched | Fault> {
  let last: Scored | null = null;
  for (let passes = 0; passes < PASSES_MAX; passes += 1) {
    const found = await lane.run(() => findFits(scoring, ctx.read, listing_id, explains));
    if (!found) break;
    last = found;
    const done = await runPass(ctx, found);
    if (isFault(done)) return done;
    // An edit that was committed beside the last turn asked for this very run, which has to look again for it.
    const stamp = done.stale ? null : await ctx.read(listingStamp, { id: listing_id });
    if (stamp?.version === found.own.version) break;
  }
  const explained = last?.lacks ? await explain(ctx.read, last, last.lacks, ctx.now_ms) : null;
  return { considered: last?.considered ?? 0, explained };
}
