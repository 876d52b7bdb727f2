// The payment methods of this service for deposits and payouts.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';

export const paymentStatus = query({
  name: 'payment.status',
  noun: 'Payment methods for funding and payouts.',
  summary: 'Read the payment methods',
  input: Type.Object({}),
  output: namedObject('PaymentStatus', 'payment methods for funding and payouts', {
    processor: Type.String({ description: 'stripe, sandbox (no real money moves) or none' }),
    chain_rail: Type.String({ description: 'off, or the chain rail for payouts' }),
    currency: Type.Literal('USD'),
    funding: Type.Boolean({ description: 'wallets can be funded' }),
    payouts: Type.Boolean({ description: 'money can be withdrawn' }),
  }),
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  rest: [{ method: 'GET', path: '/api/payments/status' }],
  tools: [{ name: 'mesh_payment_status', title: 'Read the payment methods', set: 'wallet', extension: true }],
  run: async (_read, _input, _ctx, { processor, chain }) => ({
    processor: processor?.name ?? 'none',
    chain_rail: chain?.name ?? 'off',
    currency: 'USD' as const,
    funding: processor !== null,
    payouts: processor !== null || chain !== null,
  }),
});
