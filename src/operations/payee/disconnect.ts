// Ends the payout connection of an account, so that nothing can be withdrawn to a bank until a person connects one again: for a person
// whom a letter told of a bank that is not theirs. Earlier withdrawals are followed to their end.
import { Type } from 'typebox';
import { payeeById } from '../../../db/queries/processor.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { loadAgent } from '../../steps/agent/load.ts';
import { disconnectPayee, isConnecting } from '../../steps/payee/follow.ts';

export const payeeDisconnect = command({
  name: 'payee.disconnect',
  summary: 'Disconnect the payout account',
  description:
    'Nothing can be withdrawn to a bank until one is connected again from the start. A pending withdrawal continues. The ' +
    'proofs of the connection end.',
  input: Type.Object({}),
  output: Type.Object({ disconnected: Type.Literal(true) }),
  effect: 'destroys',
  access: 'session',
  faults: ['not_connected'],
  rest: [{ method: 'DELETE', path: '/api/payments/connect' }],
  load: async (read, _input, { account_id }, ports) => {
    const payee = await read(payeeById, { id: account_id });
    return isConnecting(payee) ? { payee, own: await loadAgent(read, ports, payee.agent_id) } : null;
  },
  decide: (found, _input, ctx) => {
    if (!found) return fault('not_connected', 'No payout account is connected.');
    return { reply: { disconnected: true as const }, effects: disconnectPayee(ctx, found.payee, found.own) };
  },
});
