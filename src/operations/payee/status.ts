// The state of an account's payout connection, fetched from the processor.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { PAYOUT_MIN_CENTS } from '../../domain/money/payout.ts';
import { type Guidance, guide, step } from '../../domain/next-step.ts';
import { described, namedObject } from '../../schemas/named.ts';
import { guidanceShape } from '../../schemas/next-step.ts';
import { connectorView, destinationView, NullableConnector, NullableDestination } from '../../schemas/wallet.ts';
import { Cents, isoOrNull, NullableTime, nullable } from '../../schemas/wire.ts';
import { lookAtPayee } from './follow/ask.ts';

const NOT_CONNECTED = guide`Call ${step('payee.connect')} and have a person finish the page that it returns.`;
const UNDER_REVIEW = 'The payment processor is reviewing the application; wait for the result.';
const NO_PROCESSOR = 'This server does not accept or pay out money.';

/** The next step; null when withdrawals are possible. */
function nextStep(configured: boolean, submitted: boolean, enabled: boolean): Guidance | null {
  if (!configured) return NO_PROCESSOR;
  if (enabled) return null;
  return submitted ? UNDER_REVIEW : NOT_CONNECTED;
}

export const payeeStatus = flow({
  name: 'payee.status',
  summary: 'Read the state of the payout account',
  description: 'Asks the payment processor. If it does not respond, returns the last known state.',
  input: Type.Object({}),
  output: namedObject('PayeeStatus', 'the state of the payout account', {
    connected: Type.Boolean({ description: 'a person has finished the onboarding' }),
    can_withdraw: Type.Boolean(),
    payouts_enabled: Type.Boolean({ description: 'the processor pays out to it' }),
    details_submitted: Type.Boolean(),
    minimum_withdrawal_cents: Cents,
    destination: NullableDestination,
    connected_by: NullableConnector,
    connected_at: described('since when payouts to it are possible', NullableTime),
    next_step: nullable(guidanceShape({ description: 'what to do next' })),
  }),
  // It stores the processor's answer.
  effect: 'changes',
  safe: true,
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  even_deactivated: true,
  rest: [{ method: 'GET', path: '/api/payments/connect/status' }],
  tools: [
    { name: 'mesh_payout_status', title: 'Read the state of the payout account', set: 'wallet', extension: true },
  ],
  run: async (_input, ctx, ports) => {
    const row = await lookAtPayee(ctx, ports, actor(ctx).account_id);
    const [submitted, enabled] = [row?.details_submitted === 1, row?.payouts_enabled === 1];
    return {
      reply: {
        connected: submitted,
        can_withdraw: enabled,
        payouts_enabled: enabled,
        details_submitted: submitted,
        minimum_withdrawal_cents: PAYOUT_MIN_CENTS,
        destination: destinationView(row?.bank ?? null),
        connected_by: connectorView(row?.connected_by ?? null),
        connected_at: isoOrNull(row?.connected_at ?? null),
        next_step: nextStep(ports.processor !== null, submitted, enabled),
      },
    };
  },
});
