// Mends a chain of seals that a wrong clock made, for `meshwork ledger reseal`.
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { namedObject } from '../../schemas/named.ts';
import { reseal } from '../../steps/money/ledger-reseal.ts';

export const ledgerReseal = flow({
  name: 'ledger.reseal',
  needed_by: 'whoever runs the service, after a wrong clock sealed the ledger',
  summary: 'Seal anew the days that a wrong clock has sealed',
  description:
    'From the first day that had not ended, or whose seal does not fit what is stored, the seals are made anew. `note` says which were replaced, signed by a key of `/.well-known/jwks.json` (`typ` is `ledger-resealed+jwt`); the newest one stands in `/.well-known/ledger-head`, too.',
  input: Type.Object({}),
  output: namedObject('LedgerReseal', 'what was sealed anew', {
    from: Type.Union([Type.String({ description: 'the first day that was sealed anew' }), Type.Null()]),
    replaced: Type.Integer({ minimum: 0, description: 'seals that were taken away' }),
    sealed: Type.Integer({ minimum: 0, description: 'days that were sealed anew' }),
    note: Type.Union([Type.String(), Type.Null()]),
  }),
  example: {},
  effect: 'changes',
  access: 'platform',
  faults: ['pending'],
  rest: [{ method: 'POST', path: '/internal/admin/ledger-reseal' }],
  run: async (_input, ctx, { clock_watch, documents }) => {
    const done = await reseal(ctx, documents, await clock_watch.look());
    return isFault(done) ? done : { reply: { ...done } };
  },
});
