// Shapes of money on the wire that many operations share.
import { Type } from 'typebox';
import { TRANSFER_MAX_CENTS } from '../domain/money/ledger.ts';
import { namedObject } from './named.ts';
import { guidanceShape } from './next-step.ts';
import { Cents } from './wire.ts';

/** An amount to move: whole cents of USD, at least one. */
export const Amount = Type.Integer({
  minimum: 1,
  maximum: TRANSFER_MAX_CENTS,
  description: 'whole cents of USD, 1 to 10,000,000,000',
});

/** Fee and net beside a gross amount. Before the release they are those of a release now, at the seller's current plan. */
export const PROCEEDS = {
  fee_cents: { ...Cents, description: 'the fee of the seller’s plan, deducted from the amount' },
  net_cents: { ...Cents, description: 'what the seller gets, after the fee' },
};

/** For operations with `dry_run: true`: the call is checked in full, and nothing moves. */
export const DryRunInput = Type.Optional(
  Type.Boolean({ description: 'true: returns what would move, or the error, and moves nothing' }),
);

/** The reply of a dry run. */
export const DryRun = namedObject('DryRun', 'the effect of a call; nothing was moved or stored', {
  dry_run: Type.Literal(true),
  postings: Type.Array(
    Type.Object({
      account: Type.String({ description: '`wallet:ada`, `held:ada`, `escrow`, `platform_fees`' }),
      cents: Type.Integer({ description: 'negative: debited from the account' }),
    }),
  ),
  fees: Type.Array(Type.Object({ what: Type.String(), cents: Type.Integer({ minimum: 0 }) })),
  ...PROCEEDS,
  refusal: Type.Union(
    [
      Type.Null(),
      Type.Object(
        { error: Type.String(), message: guidanceShape(), how: Type.Optional(guidanceShape()) },
        { additionalProperties: true },
      ),
    ],
    { description: 'the body of the error that the call would return; null if it would succeed' },
  ),
});
