// Matches one listing with all others: scores the candidates on committed state, then gives the listing its best and offers it to
// listings of whose best it would be, in turns of 25 pairs. No state is kept between the turns, so an interrupted run is simply
// repeated; what one run may not announce any more, the next one finds.
import { listingStamp } from '../../db/queries/match.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Decision, Read } from '../../db/store.ts';
import type { FlowCtx } from '../contract/context.ts';
import { type Fault, isFault } from '../domain/fault.ts';
import type { MatchAsked, Matched } from '../domain/match/asked.ts';
import { mayTakePlace, refreshOf, takesPlace } from '../domain/match/state.ts';
import { factsOf } from '../schemas/match.ts';
import { lookOn } from '../steps/listing/derived.ts';
import { blockedAround, type Scoring } from './candidates.ts';
import { explain } from './explain.ts';
import type { Prepared } from './listing-cache.ts';
import { editedAt, type Fit, pairColumns, pairId, pairOf } from './pair.ts';
import { MatchPlan } from './plan.ts';
import { type Found, findFits } from './score.ts';
import { forgetThreshold } from './thresholds.ts';
import type { WorkQueue } from './work-queue.ts';

/** Pairs in one turn: short enough that no other turn waits long for its group. */
const PAIRS_PER_TURN = 25;
/** New matches that one run may find for a listing before others have their turn; it is continued until done. */
const NEW_MAX = 50;
/** The most immediate repeats for a listing that is edited during the run; after that its next run matches it. */
const PASSES_MAX = 3;
/** Repeated lost races for a pair's key, above which something is wrong. */
const TRIES_MAX = 20;

/** A step of a run: takes a pair, ends one that no longer fits, or removes the listing's own place from it. */
type Step = { readonly take: Fit; readonly mine: boolean } | { readonly end: Prepared } | { readonly release: string };

interface Done {
  /** Matches that were not there before. */
  readonly fresh: number;
  /** The listing was changed meanwhile; its new form has to be scored. */
  readonly stale: boolean;
}

/** Whether a pair that fits may have to be written; `threshold` is what it has to reach to be among the other's best. */
function isToTake(
  own: Prepared,
  fit: Fit,
  mine: boolean,
  row: Row<'matches'> | null,
  threshold: number,
  now_ms: number,
): boolean {
  const { other } = fit;
  const shared = own.part === 'both' && other.part === 'both' && fit.score >= threshold;
  if (row === null) return mine || shared;
  const edited_at = editedAt(own, other);
  const facts = factsOf(row);
  const move = refreshOf(facts, edited_at, now_ms);
  if (move === 'leave') return false;
  const open = move === 'refresh' && row.status === 'pending';
  const may = mayTakePlace(facts, edited_at, now_ms);
  if (!open) return !may || mine || shared;
  const is_offer = row.offer_id === own.id;
  const [my_flag, their_flag] = is_offer ? [row.offer_best, row.seek_best] : [row.seek_best, row.offer_best];
  if (may && (my_flag !== (mine ? 1 : 0) || (shared && their_flag === 0))) return true;
  const columns = pairColumns(pairOf(own, fit));
  const { offer_headline, seek_headline, score_ppm, reasons, offer_visible, seek_visible } = row;
  return !Bun.deepEquals(columns, {
    offer_headline,
    seek_headline,
    score_ppm,
    reasons,
    // A side that has seen a match keeps seeing it.
    offer_visible: Math.min(offer_visible, columns.offer_visible),
    seek_visible: Math.min(seek_visible, columns.seek_visible),
  });
}

/**
 * The steps that make room come first, because the weakest may still have an outdated score; then the listing's own best, best
 * first, and others that it may interest.
 */
function stepsOf({ vectors }: Scoring['store'], { own, fits, misfits, known, best }: Found, now_ms: number): Step[] {
  const left: Step[] = misfits.map((other) => ({ end: other }));
  const taken: Step[] = [];
  const offered: Step[] = [];
  for (const fit of fits) {
    const row = known.get(fit.other.id) ?? null;
    // A further look leaves the listing's own places as they are.
    const held = row !== null && (row.offer_id === own.id ? row.offer_best : row.seek_best) === 1;
    const mine = best === null ? held : best.has(fit.other.id);
    const threshold = vectors.thresholdOf(fit.other.id, now_ms);
    if (isToTake(own, fit, mine, row, threshold, now_ms))
      (mine ? taken : held ? left : offered).push({ take: fit, mine });
  }
  const handled = new Set([...fits.map(({ other }) => other.id), ...misfits.map(({ id }) => id)]);
  for (const [id, row] of known) {
    const held = (row.offer_id === own.id ? row.offer_best : row.seek_best) === 1;
    if (best !== null && held && !handled.has(id) && takesPlace(factsOf(row), now_ms)) left.push({ release: row.id });
  }
  return [...left, ...taken, ...offered];
}

async function takeStep(plan: MatchPlan, read: Read, own: Prepared, step: Step): Promise<boolean> {
  if ('release' in step) {
    await plan.release(own.id, step.release);
    return false;
  }
  const other = 'end' in step ? step.end : step.take.other;
  const theirs = await read(listingStamp, { id: other.id });
  // A counterparty that changed meanwhile runs matching itself, with what it now says.
  if (theirs?.version !== other.version) return false;
  if ('take' in step) return plan.take(own, step.take, step.mine);
  await plan.end(own, other, 'unfit');
  return false;
}

interface Slice {
  readonly steps: readonly Step[];
  /** With the last slice: all that are to hold the listing's places when it is done. */
  readonly best: readonly Fit[];
  /** New matches that may still be found. */
  readonly room: number;
}

async function attemptSlice(
  plan: MatchPlan,
  read: Read,
  own: Prepared,
  { steps, best, room }: Slice,
): Promise<Decision<Done, 'conflict'>> {
  const stamp = await read(listingStamp, { id: own.id });
  if (stamp?.version !== own.version) return { reply: { fresh: 0, stale: true } };
  const blocked_ids = await blockedAround(read, own.agent.id);
  let fresh = 0;
  const takeAll = async (some: readonly Step[]): Promise<void> => {
    for (const step of some) {
      if (fresh === room) return;
      if ('take' in step && blocked_ids.has(step.take.other.agent.id)) continue;
      if (await takeStep(plan, read, own, step)) fresh += 1;
    }
  };
  await takeAll(steps);
  // Another run may have given the listing a place since its best were chosen, or taken one by scores that had not been
  // brought up to date.
  const holders = await plan.trim(own);
  const lost = best.filter(({ other }) => !holders.has(pairId(own, other)));
  if (lost.length > 0) {
    await takeAll(lost.map((take) => ({ take, mine: true })));
    await plan.trim(own);
  }
  return { reply: { fresh, stale: false }, effects: await plan.effects() };
}

async function writeSteps(ctx: FlowCtx, scoring: Scoring, own: Prepared, slice: Slice): Promise<Done | Fault> {
  for (let tries = 1; ; tries += 1) {
    const noted = new Set<string>();
    const outcome = await ctx.turn({
      attempt: async (read) => {
        const plan = new MatchPlan(ctx, read, scoring);
        const decided = await attemptSlice(plan, read, own, slice);
        for (const id of plan.trimmed) noted.add(id);
        return decided;
      },
    });
    if (!isFault(outcome)) return outcome.reply;
    // Thresholds noted in a failed turn are invalid.
    for (const id of noted) forgetThreshold(scoring.store, id);
    // Another run wrote one of these pairs between the read and the commit: look again.
    if (outcome.fault !== 'conflict' || tries === TRIES_MAX) return outcome;
  }
}

/** Writes the found pairs; `full` when there may be more than one run may announce. */
async function runPass(ctx: FlowCtx, scoring: Scoring, found: Found): Promise<(Done & { full: boolean }) | Fault> {
  const steps = stepsOf(scoring.store, found, ctx.now_ms);
  let fresh = 0;
  for (let at = 0; at < steps.length; at += PAIRS_PER_TURN) {
    if (fresh === NEW_MAX) return { fresh, stale: false, full: true };
    const end = at + PAIRS_PER_TURN;
    const best = end < steps.length ? [] : found.fits.filter(({ other }) => found.best?.has(other.id));
    const slice = { steps: steps.slice(at, end), best, room: NEW_MAX - fresh };
    const done = await writeSteps(ctx, scoring, found.own, slice);
    if (isFault(done)) return done;
    fresh += done.fresh;
    if (done.stale) return { fresh, stale: true, full: false };
  }
  return { fresh, stale: false, full: fresh === NEW_MAX };
}

/**
 * Matches a listing with the current state of all others. Repeatable. What remains at its limit is done in the background, which
 * continues where the search ended.
 */
export async function matchListing(
  ctx: FlowCtx,
  scoring: Scoring,
  queue: WorkQueue,
  listing_id: string,
  asked: MatchAsked,
): Promise<Matched | Fault> {
  let last: Found | null = null;
  for (let passes = 0; passes < PASSES_MAX; passes += 1) {
    const owner = (await scoring.listings.get(listing_id))?.agent;
    if (!owner) break;
    const found = await queue.run(
      owner.account_id,
      () => findFits(scoring, ctx.read, listing_id, asked),
      owner.priority,
    );
    if (!found) break;
    last = found;
    const done = await runPass(ctx, scoring, found);
    if (isFault(done)) return done;
    const below = done.full ? (asked.below ?? null) : found.offered;
    if (!done.stale && (done.full || below !== null)) {
      const effects = [lookOn(listing_id, below, ctx.now_ms)];
      const written = await ctx.turn({ attempt: async () => ({ reply: null, effects }) });
      if (isFault(written)) return written;
    }
    // An edit committed during the last turn requested this run, which has to search again for it.
    const stamp = done.stale ? null : await ctx.read(listingStamp, { id: listing_id });
    if (stamp?.version === found.own.version) break;
    // The notice of that commit may still be on its way from another node.
    scoring.listings.forget(listing_id);
  }
  const explained = last?.lacks ? await explain(ctx.read, last, last.lacks, ctx.now_ms) : null;
  const unmatched = last !== null && last.best?.size === 0 && last.fits.length === 0;
  return { considered: last?.considered ?? 0, explained, unmatched };
}
