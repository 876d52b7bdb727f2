// One payout of the caller's account, with its progress.
import { Type } from 'typebox';
import { payoutById } from '../../../db/queries/processor.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Payout, payoutView } from '../../schemas/wallet.ts';
import { PathId } from '../../schemas/wire.ts';

export const payoutRead = query({
  name: 'payout.read',
  summary: 'Read a payout',
  description: 'Its status is `finalized` once the money has arrived, and `reversed` once it is back in the wallet.',
  input: Type.Object({ id: PathId }),
  output: Payout,
  example: { id: SAMPLE.payout_id },
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/wallet/payouts/{id}' }],
  run: async (read, { id }, ctx) => {
    const payout = await read(payoutById, { id });
    return payout?.account_id === ctx.account_id ? payoutView(payout) : fault('not_found');
  },
});
