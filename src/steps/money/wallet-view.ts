// A wallet as its owner reads it, put together of the ledger, escrows, fundings and limits (rules.md 8), and the plan that an account bought.
import type { Static } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { guardedBalance } from '../../../db/queries/ledger.ts';
import { payeeById, planTermsById } from '../../../db/queries/processor.ts';
import { escrowedBy, walletById } from '../../../db/queries/wallet.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { keyLimitOf } from '../../domain/money/key-limit.ts';
import { LOW_BALANCE_CENTS } from '../../domain/money/low-balance.ts';
import type { Wallet } from '../../schemas/wallet.ts';
import type { Bought } from './follow.ts';
import { readWithdrawable } from './withdrawable.ts';

/** The ways by which an account's money can be withdrawn now. */
async function payoutRails(
  read: Read['peek'],
  account_id: string,
  { processor, chain }: Pick<LoadPorts, 'processor' | 'chain'>,
): Promise<('bank' | 'chain')[]> {
  const payee = processor && (await read(payeeById, { id: account_id }));
  const bank = payee?.payouts_enabled === 1 && payee.processor === processor?.name;
  return [...(bank ? ['bank' as const] : []), ...(chain ? ['chain' as const] : [])];
}

/** The parts of a wallet that its settings say. */
export function settingsView(
  wallet: Pick<Row<'wallets'>, 'per_transaction_cents' | 'per_day_cents' | 'limit_set_at' | 'low_balance_cents'> | null,
): Pick<Static<typeof Wallet>, 'spending_limit' | 'default_key_limit' | 'low_balance_cents'> {
  const { per_transaction_cents = null, per_day_cents = null, low_balance_cents = null } = wallet ?? {};
  return {
    spending_limit: { per_transaction_cents, per_day_cents },
    default_key_limit: keyLimitOf(wallet),
    low_balance_cents: low_balance_cents ?? LOW_BALANCE_CENTS,
  };
}

export async function walletView(
  read: Read,
  { id, handle, account_id }: Pick<Row<'agents'>, 'id' | 'handle' | 'account_id'>,
  ports: Pick<LoadPorts, 'processor' | 'chain'>,
  now_ms: number,
): Promise<Static<typeof Wallet>> {
  const { peek } = read;
  const [money, held, escrowed, wallet] = await Promise.all([
    readWithdrawable(read, id, now_ms),
    peek(guardedBalance, { id: `held:${id}` }),
    peek(escrowedBy, { buyer_id: id }),
    peek(walletById, { id }),
  ]);
  return {
    handle,
    balance_cents: money.balance_cents,
    held_cents: (held?.balance_cents ?? 0) + (escrowed?.cents ?? 0),
    withdrawable_cents: money.withdrawable_cents,
    currency: 'USD',
    payout_rails: await payoutRails(peek, account_id, ports),
    ...settingsView(wallet),
  };
}

export async function readTerm(read: Read, account_id: string): Promise<Bought> {
  const [account, term] = await Promise.all([
    read(accountById, { id: account_id }),
    read(planTermsById, { id: account_id }),
  ]);
  return { account, term };
}
