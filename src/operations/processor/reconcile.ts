// Compares the ledger of a day with the processor's books, after the day is over, and keeps where they differ until they agree. Each
// comparison asks for the next day's, so a day in which no webhook came is looked at as well.

import { type Static, Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { differencesOfDay } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import type { Processor } from '../../outbound/processor/processor.ts';
import { askProcessor } from '../../steps/money/ask-processor.ts';
import type { Difference } from '../../steps/processor/look.ts';
import { compareBooks, RECONCILE, reconcileLater } from '../../steps/processor/reconcile.ts';
import { remind } from '../../steps/reminder.ts';

/** A payment may be followed so long after it was made. */
const BEFORE_MS = 2 * DAY_MS;
const AGAIN_MS = HOUR_MS;
/** What still differs after this long is a person's to clear. */
const LOOKED_AT_MS = 30 * DAY_MS;
const DIFFERENCES_MAX = 500;
/** More than so many are booked by the next looks at the day. */
const FEES_MAX = 200;

type Asked = Static<typeof RECONCILE.input>;

/** Keeps those that are new or come back, and ends those that are none any more. */
function kept(
  day: string,
  known: readonly Row<'processor_differences'>[],
  found: readonly Difference[],
  now_ms: number,
): Effect<never>[] {
  const now = new Map(found.map((each) => [each.object_id, each]));
  const ids = new Set(known.map(({ object_id }) => object_id));
  const born = { day, resolved_at: null, created_at: now_ms, version: 1 };
  return [
    ...[...now.values()]
      .filter(({ object_id }) => !ids.has(object_id))
      .map((each) => insert('processor_differences', { ...each, ...born, id: `${day}:${each.object_id}` }, 'ignore')),
    ...known
      .filter(({ object_id, resolved_at }) => now.has(object_id) !== (resolved_at === null))
      .map((row) => patch('processor_differences', row, { resolved_at: now.has(row.object_id) ? null : now_ms })),
  ];
}

/** The next comparisons: of the day after, by the first of this one, and of this one while it differs. */
function nextOnes(processor: Processor, { day, again }: Asked, differs: boolean, now_ms: number): Effect<never>[] {
  const from = Date.parse(day);
  const waits = differs && now_ms - from < LOOKED_AT_MS;
  return [
    ...(again ? [] : reconcileLater(processor, from + DAY_MS)),
    ...(waits ? [remind(RECONCILE, { day, again: true }, { at: now_ms + DAY_MS, key: day, now_ms })] : []),
  ];
}

async function later(ctx: FlowCtx, asked: Asked, now_ms: number): Promise<void> {
  const again = remind(RECONCILE, asked, { at: now_ms + AGAIN_MS, key: asked.day, now_ms });
  await ctx.turn({ attempt: async () => ({ reply: null, effects: [again] }) });
}

export const processorReconcile = flow({
  ...RECONCILE,
  summary: "Compare a day with the processor's books",
  output: Type.Object({ differences: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  faults: ['conflict'],
  rest: [],
  run: async (input, ctx, ports) => {
    const { day } = input;
    const { processor, clock } = ports;
    const from = Date.parse(day);
    const books = processor?.books;
    if (!processor || !books) return { reply: { differences: 0 } };
    const to = Math.max(clock.now(), from + DAY_MS);
    const asked = await askProcessor(ports, processor, () => books(from - BEFORE_MS, to));
    if (asked.outcome !== 'done') {
      await later(ctx, input, clock.now());
      return { reply: { differences: 0 } };
    }
    const lines = asked.value;
    const outcome = await ctx.turn({
      attempt: async (read) => {
        const now_ms = clock.now();
        const { differences, follows, fees } = await compareBooks(read, lines, { from, now_ms });
        const known = await read(differencesOfDay, { day });
        const told = differences.slice(0, DIFFERENCES_MAX);
        const effects = [
          ...kept(day, known, told, now_ms),
          ...follows.slice(0, DIFFERENCES_MAX),
          ...fees.slice(0, FEES_MAX),
          ...nextOnes(processor, input, told.length > 0 || fees.length > FEES_MAX, now_ms),
        ];
        return { reply: { differences: told.length }, effects };
      },
    });
    if (!isFault(outcome)) return outcome;
    // A fee was booked otherwise in the same moment; the next look tells.
    await later(ctx, input, clock.now());
    return { reply: { differences: 0 } };
  },
});
