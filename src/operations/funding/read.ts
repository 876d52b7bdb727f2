// One funding of a wallet.
import { Type } from 'typebox';
import { fundingById } from '../../../db/queries/processor.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { Funding, fundingView } from '../../schemas/funding.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';

export const fundingRead = query({
  name: 'funding.read',
  summary: 'Read a funding',
  input: Type.Object({ id: PathId }),
  output: Funding,
  example: { id: SAMPLE.funding_id },
  effect: 'reads',
  access: 'session',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/wallet/fundings/{id}' }],
  run: async (read, { id }, ctx) => {
    const row = await read(fundingById, { id });
    return row && row.agent_id === actor(ctx).id ? fundingView(row) : fault('not_found');
  },
});
