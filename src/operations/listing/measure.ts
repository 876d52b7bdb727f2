// Measures the site of a live link offer (rules.md 5). The reminder only starts the measurement and schedules the next
// one, so that a slow site delays no other reminder and a crash loses nothing; the measurement records its own result.
// Without an answer of the site, the last result stays.

import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { listingById } from '../../../db/queries/listing.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { disclosureFault } from '../../domain/disclosure/disclosure.ts';
import { isFault } from '../../domain/fault.ts';
import { DAY_MS, WEEK_MS } from '../../domain/time.ts';
import { measureSite, type SiteFacts } from '../../outbound/page/site.ts';
import { MEASURE, measureAt, measuredSite, measureTask } from '../../steps/listing/measure.ts';

/** For one measurement; the page and its robots.txt have shorter deadlines of their own. */
const LOOK_MS = 30_000;

/** The public facts: a page title is a stranger's text, so it must not disclose contact data either. */
function shownFacts(facts: SiteFacts): SiteFacts {
  const told = disclosureFault([{ field: 'page_title', text: facts.page_title ?? '' }]);
  return told ? { ...facts, page_title: null } : facts;
}

/** Measures the site and records the result, unless the listing now names another site. */
async function measureAndWrite(
  ctx: FlowCtx,
  { http, clock }: Pick<FlowPorts, 'http' | 'clock'>,
  listing_id: string,
  site: string,
  gone: AbortSignal,
): Promise<void> {
  const facts = await measureSite(http, site, gone);
  if (!facts || gone.aborted) return;
  const now_ms = clock.now();
  const outcome = await ctx.turn({
    attempt: async (read) => {
      const row = await read(listingById, { id: listing_id });
      if (!row || measuredSite(row) !== site) return { reply: null };
      const set = { verified_attributes: { ...shownFacts(facts) }, measured_at: now_ms };
      const effects: Effect<never>[] = [patch('listings', row, set), measureAt(listing_id, now_ms + WEEK_MS, now_ms)];
      return { reply: null, effects };
    },
  });
  if (isFault(outcome)) throw new Error(`a measurement could not be stored: ${outcome.fault}`);
}

export const listingMeasure = flow({
  ...MEASURE,
  summary: 'Measure the site of a link offer',
  output: Type.Object({ begun: Type.Boolean() }),
  effect: 'changes',
  open_world: true,
  access: 'internal',
  faults: ['conflict'],
  run: async ({ listing_id }, ctx, ports) => {
    const row = await ctx.read(listingById, { id: listing_id });
    const site = measuredSite(row);
    if (row === null || site === null) return { reply: { begun: false } };
    const pause_ms = ctx.now_ms - row.updated_at < WEEK_MS ? DAY_MS : WEEK_MS;
    const again = measureAt(listing_id, ctx.now_ms + pause_ms, ctx.now_ms);
    const armed = await ctx.turn({ attempt: async () => ({ reply: null, effects: [again] }) });
    if (isFault(armed)) return armed;
    const work = (gone: AbortSignal): Promise<void> => measureAndWrite(ctx, ports, listing_id, site, gone);
    ports.tasks.run(measureTask(listing_id), { hosts: [site], deadline_ms: LOOK_MS, looks: true, work });
    return { reply: { begun: true } };
  },
});
