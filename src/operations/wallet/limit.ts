// A person limits the spending from the agent's wallet, by payment and by day, for keys and sessions alike. Earlier payments of the day count.
import { Type } from 'typebox';
import { apply, insert, patch } from '../../../db/effects.ts';
import { walletById } from '../../../db/queries/wallet.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { TRANSFER_MAX_CENTS } from '../../domain/money/ledger.ts';
import { namedObject } from '../../schemas/named.ts';
import { Wallet } from '../../schemas/wallet.ts';
import { nullable } from '../../schemas/wire.ts';
import { settingsView, walletView } from '../../steps/money/wallet-view.ts';

const Limit = Type.Optional(
  nullable(
    Type.Integer({ minimum: 0, maximum: TRANSFER_MAX_CENTS }),
    'whole cents; null for none; unchanged if omitted',
  ),
);

type Settings = Pick<Row<'wallets'>, 'per_transaction_cents' | 'per_day_cents' | 'limit_set_at' | 'low_balance_cents'>;

/** The new value, else the earlier one. */
function pick(value: number | null | undefined, before: number | null | undefined): number | null {
  return value === undefined ? (before ?? null) : value;
}

export const walletLimit = command({
  name: 'wallet.limit',
  summary: 'Set the spending limits',
  description:
    'Payments above a limit are refused with `spending_limit`. A day is a UTC day and counts sends, purchases, escrows, ' +
    'subscription charges and holds for calls. Below `low_balance_cents` you get one mail, the next only after the ' +
    'balance was above it again; 0 is never. Once `spending_limit` is set, even to null, `default_key_limit` has no effect.',
  input: namedObject('WalletInput', 'the settings of a wallet to change', {
    spending_limit: Type.Optional(
      nullable(Type.Object({ per_transaction_cents: Limit, per_day_cents: Limit }), 'null removes both'),
    ),
    low_balance_cents: Limit,
  }),
  output: Wallet,
  example: { spending_limit: { per_transaction_cents: 5_000, per_day_cents: 20_000 } },
  effect: 'changes',
  access: 'session',
  agent: 'required',
  faults: ['conflict'],
  rest: [{ method: 'PATCH', path: '/api/wallet/' }],
  load: async (read, _input, ctx, ports) => ({
    wallet: await read(walletById, { id: actor(ctx).id }),
    view: await walletView(read, actor(ctx), ports, ctx.now_ms),
  }),
  decide: ({ wallet, view }, { spending_limit, low_balance_cents }, ctx) => {
    const lifted = { per_transaction_cents: null, per_day_cents: null };
    const wanted = spending_limit === null ? lifted : (spending_limit ?? {});
    const set: Settings = {
      per_transaction_cents: pick(wanted.per_transaction_cents, wallet?.per_transaction_cents),
      per_day_cents: pick(wanted.per_day_cents, wallet?.per_day_cents),
      limit_set_at: spending_limit === undefined ? (wallet?.limit_set_at ?? null) : ctx.now_ms,
      low_balance_cents: pick(low_balance_cents, wallet?.low_balance_cents),
    };
    const effect = wallet
      ? patch('wallets', wallet, set)
      : insert('wallets', { id: actor(ctx).id, ...set }, fault('conflict'));
    // Makes a simultaneous payment, which reads the limit with the agent, decide again.
    const moved = apply('agents', actor(ctx).id, () => ({}));
    return { reply: { ...view, ...settingsView(set) }, effects: [effect, moved] };
  },
});
