// The state of an account's payout connection, fetched from the processor.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { PAYOUT_MIN_CENTS } from '../../domain/money/payout.ts';
import { type Guidance, guide, step } from '../../domain/next-step.ts';
import { described, namedObject } from '../../schemas/named.ts';
import { guidanceShape } from '../../schemas/next-step.ts';
import { connectorView, destinationView, NullableConnector, NullableDestination } from '../../schemas/wallet.ts';
import { Cents, isoOrNull, NullableTime } from '../../schemas/wire.ts';
import { lookAtPayee } from './follow/ask.ts';

const NOT_CONNECTED = guide`Call ${step('payee.connect')} and have a person finish the page that it answers.`;
const UNDER_REVIEW = 'The payment processor still looks at what was handed in; nothing is to be done but to wait.';
const NO_PROCESSOR = 'This server takes and pays out no money.';

/** The next step; null when withdrawals are possible. */
function nextStep(configured: boolean, submitted: boolean, enabled: boolean): Guidance | null {
  if (!configured) return NO_PROCESSOR;
  if (enabled) return null;
  return submitted ? UNDER_REVIEW : NOT_CONNECTED;
}

export const payeeStatus = flow({
  name: 'payee.status',
  summary: 'Read how the payout account stands',
  description: 'Asks the payment processor. While that gives no answer, what it last said is told.',
  input: Type.Object({}),
  output: namedObject('PayeeStatus', 'how the payout account stands', {
    connected: Type.Boolean({ description: 'a person has finished the onboarding' }),
    can_withdraw: Type.Boolean(),
    payouts_enabled: Type.Boolean({ description: 'the processor pays out to it' }),
    details_submitted: Type.Boolean(),
    minimum_withdrawal_cents: Cents,
    destination: NullableDestination,
    connected_by: NullableConnector,
    connected_at: described('since when money can go there', NullableTime),
    next_step: Type.Union([guidanceShape({ description: 'what is to be done' }), Type.Null()]),
  }),
  example: {},
  // It stores the processor's answer.
  effect: 'changes',
  safe: true,
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  even_deactivated: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/payments/connect/status' }],
  tools: [{ name: 'mesh_payout_status', title: 'See how the payout account stands', set: 'wallet', extension: true }],
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
