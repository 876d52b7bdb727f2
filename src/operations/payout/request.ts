// Withdraws money from a wallet to its person's bank or to a wallet on a chain. This commit only debits the wallet; payout.follow submits the payout.
import { type Static, Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { payoutByRequest } from '../../../db/queries/payout.ts';
import { payeeById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { type Fault, fault, invalid } from '../../domain/fault.ts';
import { post } from '../../domain/money/ledger.ts';
import { hasStrongerProof, PAYOUT_MIN_CENTS } from '../../domain/money/payout.ts';
import { describe } from '../../domain/next-step.ts';
import { Amount } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Payout, payoutView } from '../../schemas/wallet.ts';
import { markAccount } from '../../steps/agent/partners.ts';
import { followAt } from '../../steps/money/follow.ts';
import { openObligations, paymentRequired } from '../../steps/money/obligation.ts';
import { unrestricted } from '../../steps/money/spend.ts';
import { readWithdrawable, type Withdrawable } from '../../steps/money/withdrawable.ts';
import { countWithdrawal, noPayoutInDoubt } from '../../steps/payout/limits.ts';

const Input = namedObject('WithdrawalInput', 'a payout to request', {
  amount_cents: Type.Optional(Amount),
  amount: Type.Optional(Amount),
  chain: Type.Optional(Type.String({ maxLength: 64, description: 'of the chain rail: solana' })),
  to_address: Type.Optional(
    Type.String({ maxLength: 128, description: 'of the chain rail: the key of a wallet, not of a token account' }),
  ),
  idempotency_key: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'identifies one withdrawal of the agent permanently' }),
  ),
});

type Asked = Static<typeof Input>;

/** The rail of a withdrawal and its address. */
type Way =
  | { readonly rail: 'bank'; readonly to_address: null }
  | { readonly rail: 'chain'; readonly payee: string; readonly to_address: string };

function amountOf({ amount_cents, amount }: Asked): number | Fault<'invalid_request'> {
  const cents = amount_cents ?? amount;
  if (cents === undefined) return invalid({ path: 'amount_cents', message: 'Give the amount, in cents.' });
  if (amount !== undefined && amount !== cents) {
    return invalid({ path: 'amount', message: 'Give amount_cents or amount, or the same value in both.' });
  }
  if (cents >= PAYOUT_MIN_CENTS) return cents;
  return invalid({ path: 'amount_cents', message: `The minimum payout is ${PAYOUT_MIN_CENTS} cents.` });
}

/** The rail of the withdrawal, or why there is none. */
function wayOf({ chain, to_address, idempotency_key }: Asked, ports: Pick<LoadPorts, 'processor' | 'chain'>) {
  if (chain === undefined && to_address === undefined) {
    return ports.processor ? ({ rail: 'bank', to_address: null } as const) : fault('processor_not_configured');
  }
  if (!ports.chain) return fault('chain_rail_unavailable');
  if (chain === undefined) return invalid({ path: 'chain', message: 'Give the chain of the address.' });
  if (to_address === undefined) return invalid({ path: 'to_address', message: 'Give the destination address.' });
  if (!ports.chain.chains.includes(chain)) {
    return invalid({ path: 'chain', message: `Supported chains: ${ports.chain.chains.join(', ')}.` });
  }
  const problem = ports.chain.addressProblem(chain, to_address);
  if (problem) return invalid({ path: 'to_address', message: problem });
  if (idempotency_key === undefined) {
    return invalid({ path: 'idempotency_key', message: 'A withdrawal to a chain requires one.' });
  }
  return { rail: 'chain', payee: chain, to_address } as const;
}

function shortOf(amount_cents: number, { balance_cents, withdrawable_cents }: Withdrawable): Fault<'payment_required'> {
  const short = paymentRequired(amount_cents);
  const shortfall_cents = amount_cents - withdrawable_cents;
  return { ...short, data: { ...short.data, balance_cents, withdrawable_cents, shortfall_cents } };
}

function debit(ctx: Ctx, row: Omit<Row<'payouts'>, 'version'>) {
  const { id, agent_id, amount_cents } = row;
  const journal = { id: `payout:${id}`, kind: 'payout', subject_id: id, created_at: ctx.now_ms };
  const leg = { debit: `wallet:${agent_id}`, credit: 'payouts', amount_cents } as const;
  return post(journal, [leg], paymentRequired(amount_cents), fault('conflict'));
}

/** The destination, in the rail's own terms. */
type Destination = Pick<Row<'payouts'>, 'payee' | 'bank'>;

function destinationOf(way: Way, payee: Row<'payees'> | null): Destination | null {
  if (way.rail === 'chain') return { payee: way.payee, bank: null };
  const paid_to = payee?.payouts_enabled === 1 ? payee.external_id : null;
  return paid_to === null ? null : { payee: paid_to, bank: payee?.bank ?? null };
}

function newRow(
  ctx: Ctx,
  agent: Row<'agents'>,
  way: Way,
  destination: Destination,
  amount_cents: number,
  key: string | null,
) {
  return {
    id: ctx.id(),
    agent_id: agent.id,
    account_id: agent.account_id,
    rail: way.rail,
    amount_cents,
    status: 'pending',
    reason: null,
    needs_action: 0,
    ...destination,
    to_address: way.to_address,
    request_key: key,
    transfer_id: null,
    payout_id: null,
    submitted_at: null,
    ended_at: null,
    created_at: ctx.now_ms,
  } as const;
}

export const payoutRequest = command({
  name: 'payout.request',
  noun: 'Payouts: withdrawals from a wallet to a bank or a chain.',
  summary: 'Withdraw money',
  description: describe`Debits the wallet at once; the payout ends as \`finalized\`, or as \`reversed\`, which credits the wallet again. Without \`chain\` it goes to the bank account connected for payouts. A repeat with the same \`idempotency_key\` returns the first withdrawal, whatever its other fields. Money funded by card can be spent at once, but withdrawn only after a waiting period.`,
  input: Input,
  output: Payout,
  example: {
    amount_cents: 2_500,
    chain: 'solana',
    to_address: SAMPLE.wallet_key,
    idempotency_key: 'withdrawal-1',
  },
  effect: 'spends',
  access: 'session',
  gate: 'verified',
  agent: 'required',
  even_deactivated: true,
  status: 'created',
  faults: [
    'not_found',
    'invalid_request',
    'processor_not_configured',
    'chain_rail_unavailable',
    'not_connected',
    'payment_required',
    'account_restricted',
    'stronger_verification_required',
    'payout_in_doubt',
    'conflict',
  ],
  strict: true,
  rest: [{ method: 'POST', path: '/api/wallet/withdraw' }],
  load: async (read, input, ctx, ports) => {
    const { id, account_id } = actor(ctx);
    const { idempotency_key } = input;
    const [agent, payee, money, first] = await Promise.all([
      read(agentById, { id }),
      read(payeeById, { id: account_id }),
      readWithdrawable(read, id, ctx.now_ms),
      idempotency_key === undefined ? null : read(payoutByRequest, { agent_id: id, request_key: idempotency_key }),
    ]);
    // A connection at another processor does not count.
    const connected = payee?.processor === ports.processor?.name ? payee : null;
    return { agent, payee: connected, money, first, way: wayOf(input, ports) };
  },
  decide: ({ agent, payee, money, first, way }, input, ctx) => {
    if (!agent) return fault('not_found');
    if (first) return { reply: payoutView(first) };
    const amount_cents = amountOf(input);
    if (typeof amount_cents !== 'number') return amount_cents;
    if ('fault' in way) return way;
    const destination = destinationOf(way, payee);
    if (destination === null) return fault('not_connected');
    if (amount_cents > money.withdrawable_cents) return shortOf(amount_cents, money);
    const row = newRow(ctx, agent, way, destination, amount_cents, input.idempotency_key ?? null);
    const proven = hasStrongerProof(agent.credentials);
    return {
      reply: payoutView(row),
      effects: [
        insert('payouts', row, fault('conflict')),
        unrestricted(agent.account_id),
        noPayoutInDoubt(agent.account_id),
        ...countWithdrawal(agent.account_id, amount_cents, { proven, now_ms: ctx.now_ms }),
        debit(ctx, row),
        // On a chain, the address identifies the recipient.
        markAccount(agent.account_id, 'payee', way.to_address ?? destination.payee, ctx),
        ...openObligations(agent.id),
        followAt(ctx.now_ms, { payout_id: row.id }, ctx.now_ms),
      ],
    };
  },
});
