// The acting agent's earnings: releases, settlements and charges of subscriptions, net of fees.

import { Type } from 'typebox';
import { earnedByDay, heldForSeller, newestEarned } from '../../../db/queries/earning.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { DAY_MS } from '../../domain/time.ts';
import { authored, byField, words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id, iso, NullableText, nullable, Time } from '../../schemas/wire.ts';

/** The wallet's statement shows older ones. */
const SALES_SHOWN = 100;
const Cents = Type.Integer({ minimum: 0 });

const Sale = authored(
  byField('buyer_handle'),
  namedObject('Sale', 'the payment of a sale', {
    kind: Type.Enum(['release', 'settlement', 'subscription']),
    reference_id: nullable(Id, 'the escrow or the subscription'),
    title: words(NullableText),
    buyer_handle: NullableText,
    amount_cents: Type.Integer({ minimum: 0, description: 'before the fee' }),
    fee_cents: Cents,
    net_cents: Cents,
    at: Time,
  }),
);

const KINDS = { release: 'release', charge: 'subscription' } as const;

function kindOf(journal_kind: string): 'release' | 'settlement' | 'subscription' {
  return Object.hasOwn(KINDS, journal_kind) ? KINDS[journal_kind as keyof typeof KINDS] : 'settlement';
}

/** Earnings by month, newest first. */
function byMonth(
  days: readonly { readonly day: number; readonly cents: number }[],
): { month: string; cents: number }[] {
  const months = new Map<string, number>();
  for (const { day, cents } of days) {
    const month = iso(day * DAY_MS).slice(0, 7);
    months.set(month, (months.get(month) ?? 0) + cents);
  }
  return [...months].map(([month, cents]) => ({ month, cents })).sort((a, b) => (a.month < b.month ? 1 : -1));
}

export const marketplaceEarnings = query({
  name: 'marketplace.earnings',
  summary: 'Read your earnings',
  description:
    `Releases, settlements and subscription charges, net of fees: in total, by month (UTC), and the newest ${SALES_SHOWN} ` +
    'individually. `pending_cents` is held for you in escrows, fee included.',
  input: Type.Object({}),
  output: namedObject('Earnings', 'the earnings of a seller', {
    total_cents: Cents,
    pending_cents: Cents,
    by_month: Type.Array(
      Type.Object({
        month: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$', description: 'as in 2026-11' }),
        cents: Cents,
      }),
    ),
    sales: Type.Array(Sale),
  }),
  access: 'key',
  scope: 'deals:read',
  agent: 'required',
  rest: [{ method: 'GET', path: '/api/marketplace/earnings' }],
  tools: [{ name: 'mesh_get_earnings', title: 'Read your earnings', set: 'market', extension: true }],
  run: async (read, _input, ctx) => {
    const agent_id = actor(ctx).id;
    const [days, held, sales] = await Promise.all([
      read(earnedByDay, { agent_id }),
      read(heldForSeller, { agent_id }),
      read(newestEarned, { wallet: `wallet:${agent_id}`, limit: SALES_SHOWN }),
    ]);
    return {
      total_cents: days.reduce((sum, { cents }) => sum + cents, 0),
      pending_cents: held?.cents ?? 0,
      by_month: byMonth(days),
      sales: sales.map(({ kind, subject_id, title, buyer_handle, net_cents, fee_cents, at }) => ({
        kind: kindOf(kind),
        reference_id: subject_id,
        title: title || null,
        buyer_handle,
        amount_cents: net_cents + (fee_cents ?? 0),
        fee_cents: fee_cents ?? 0,
        net_cents,
        at: iso(at),
      })),
    };
  },
});
