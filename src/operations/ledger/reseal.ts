// Repairs a chain of seals made under a wrong clock, for `meshwork ledger reseal`.
import { Type } from 'typebox';
import type { ClockState } from '../../../actors/clock-watch.ts';
import { apply, insert, remove } from '../../../db/effects.ts';
import { newestDay, sealedDay, sealedFrom, sumsFrom } from '../../../db/queries/ledger.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { lastSealable } from '../../domain/money/ledger.ts';
import type { DocumentSigner } from '../../outbound/signature.ts';
import { namedObject } from '../../schemas/named.ts';
import { NullableText, nullable } from '../../schemas/wire.ts';
import { RESEAL_NOTE } from '../../steps/money/ledger-standing.ts';
import { sealAnew, sealDays, write } from './seal/days.ts';

const BITE = 200;

/** A fast clock seals one day too many for each day that it is ahead. At most this many are named. */
const NAMED_MAX = 1_000;

interface Resealed {
  /** The first day that was sealed again; null where nothing was wrong. */
  readonly from: string | null;
  readonly replaced: number;
  readonly sealed: number;
  /** The signed note of the replaced seals. */
  readonly note: string | null;
}

/** The first day whose seal does not match the stored journals, or that had not ended; null without one. */
async function firstWrong(ctx: FlowCtx, end: string): Promise<Row<'ledger_days'> | null> {
  let previous = '';
  for (let after = ''; ; ) {
    const days = await ctx.read(sealedFrom, { from: after, limit: BITE });
    for (const day of days) {
      if (day.id > end) return day;
      const anew = await sealAnew(ctx.read, day.id, day.approvals_hash !== null, previous);
      if (anew.hash !== day.hash) return day;
      previous = day.hash;
      after = `${day.id};`;
      // A small day was read without a pause.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (days.length < BITE) return null;
  }
}

/** Records in a signed note which seals will be replaced. */
async function note(ctx: FlowCtx, documents: DocumentSigner, from: string): Promise<string> {
  const days = await ctx.read(sealedFrom, { from, limit: NAMED_MAX });
  const replaced = days.map(({ id, hash }) => ({ day: id, hash }));
  const newest = await ctx.read(newestDay, {});
  const claims = { iss: ctx.settings.base_url, iat: Math.floor(ctx.now_ms / 1_000), from, to: newest?.id, replaced };
  const jws = documents.sign('ledger-resealed+jwt', claims);
  const value = { jws };
  await write(ctx, [
    insert('service_notes', { id: RESEAL_NOTE, value }, 'ignore'),
    apply('service_notes', RESEAL_NOTE, () => ({ value })),
  ]);
  return jws;
}

/** Removes the seals from a day on; answers how many. After an interruption the rest is still a valid chain. */
async function takeAway(ctx: FlowCtx, from: string): Promise<number> {
  let gone = 0;
  for (let day = await ctx.read(newestDay, {}); day !== null && day.id >= from; day = await ctx.read(newestDay, {})) {
    const row = await ctx.read(sealedDay, { id: day.id });
    if (row) await write(ctx, [remove('ledger_days', row)]);
    gone += 1;
  }
  for (;;) {
    const sums = await ctx.read(sumsFrom, { from: `${from}:`, limit: BITE });
    if (sums.length === 0) return gone;
    await write(
      ctx,
      sums.map((row) => remove('ledger_sums', row)),
    );
  }
}

/** Repairs the chain of seals. Refused while the clock is in doubt: it would seal wrongly again. */
async function reseal(
  ctx: FlowCtx,
  documents: DocumentSigner,
  clock: ClockState,
): Promise<Resealed | Fault<'pending'>> {
  if (clock.doubt !== null) {
    return fault('pending', 'The clock is in doubt: check it, run `meshwork clock accept`, then run this again.');
  }
  const wrong = await firstWrong(ctx, lastSealable(Math.min(ctx.now_ms, clock.now_ms)));
  if (wrong === null) return { from: null, replaced: 0, sealed: 0, note: null };
  const signed = await note(ctx, documents, wrong.id);
  const replaced = await takeAway(ctx, wrong.id);
  return { from: wrong.id, replaced, sealed: await sealDays(ctx, clock), note: signed };
}

export const ledgerReseal = flow({
  name: 'ledger.reseal',
  needed_by: 'the operator of the service, after a wrong clock sealed the ledger',
  summary: 'Reseal the days that a wrong clock has sealed',
  description:
    'Replaces the seals from the first day that had not ended, or whose seal does not match the stored data. `note` lists the replaced seals, signed by a key of `/.well-known/jwks.json` (`typ` is `ledger-resealed+jwt`); the newest note is also in `/.well-known/ledger-head`.',
  input: Type.Object({}),
  output: namedObject('LedgerReseal', 'the resealed days', {
    from: nullable(Type.String({ description: 'the first resealed day' })),
    replaced: Type.Integer({ minimum: 0, description: 'replaced seals' }),
    sealed: Type.Integer({ minimum: 0, description: 'number of resealed days' }),
    note: NullableText,
  }),
  effect: 'changes',
  access: 'platform',
  slow: true,
  faults: ['pending'],
  rest: [{ method: 'POST', path: '/internal/admin/ledger-reseal' }],
  run: async (_input, ctx, { clock_watch, documents }) => {
    const done = await reseal(ctx, documents, await clock_watch.look());
    return isFault(done) ? done : { reply: { ...done } };
  },
});
