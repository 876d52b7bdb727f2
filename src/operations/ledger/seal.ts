// Seals the completed days of the ledger, and schedules the next seal.
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { SEAL } from '../../steps/money/ledger.ts';
import { sealDays } from './seal/days.ts';

export const ledgerSeal = flow({
  ...SEAL,
  summary: 'Seal the past days of the ledger',
  output: Type.Object({ sealed: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  run: async (_input, ctx, { clock_watch }) => ({ reply: { sealed: await sealDays(ctx, await clock_watch.look()) } }),
});
