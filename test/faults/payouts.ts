// Faults in withdrawals: who may, what is counted, and where the money is when a processor, a bank or a chain fails.
import type { Fault } from './fault.ts';

const LOOK = 'src/steps/payout/look.ts';
const MOVE = 'src/steps/payout/move.ts';
const REQUEST = 'src/operations/payout/request.ts';
const LIMITS = 'src/steps/payout/limits.ts';
const RULES = 'src/domain/money/payout.ts';
const TROUBLED = ['test/operations/payout-faults.test.ts'];
const ASKED = ['test/operations/payout.test.ts'];
const DOMAIN = ['test/domain/money/payout.test.ts'];

/** Faults in payouts. */
export const PAYOUTS: readonly Fault[] = [
  {
    name: 'a wallet that is credited before the transfer is taken back',
    file: LOOK,
    find: "if (payout.status === 'failed') return fromPayee(processor, payout);",
    replace: "if (payout.status === 'failed') return Promise.resolve({ is: 'back', reason: '' });",
    tests: TROUBLED,
  },
  {
    name: 'a wallet that is credited though the reversal was refused',
    file: LOOK,
    find: "if (called.outcome === 'refused') return { is: 'stuck', reason: called.reason };",
    replace: "if (called.outcome === 'refused') return { is: 'back', reason: called.reason };",
    tests: TROUBLED,
  },
  {
    name: 'a wallet that is credited though nobody told what became of the reversal',
    file: LOOK,
    find: "const called = await processor.reverseTransfer({ id: payout.id, transfer_id });\n  if (called.outcome === 'unknown') return unknown(called.reason);",
    replace:
      "const called = await processor.reverseTransfer({ id: payout.id, transfer_id });\n  if (called.outcome === 'unknown') return { is: 'back', reason };",
    tests: TROUBLED,
  },
  {
    name: 'a short balance at the processor that ends a payout',
    file: LOOK,
    find: "return isShort ? { is: 'waits', reason: SHORT, taken: false } : { is: 'back', reason: called.reason };",
    replace: "return { is: 'back', reason: called.reason };",
    tests: TROUBLED,
  },
  {
    name: 'a payout that is refused after the transfer, and gives the money back at once',
    file: LOOK,
    find: "return isShort ? { is: 'waits', reason: NOT_THERE_YET, taken: true } : { is: 'lost', reason: called.reason };",
    replace:
      "return isShort ? { is: 'waits', reason: NOT_THERE_YET, taken: true } : { is: 'back', reason: called.reason };",
    tests: TROUBLED,
  },
  {
    name: 'what arrived and came back is credited out of what is on its way',
    file: MOVE,
    find: "wasSent ? outside(before) : 'payouts'",
    replace: "'payouts'",
    tests: TROUBLED,
  },
  {
    name: 'a doubt that nobody ends',
    file: MOVE,
    find: 'payout.needs_action === 1 && columns.needs_action === 0',
    replace: 'payout.needs_action === 2 && columns.needs_action === 0',
    tests: TROUBLED,
  },
  {
    name: 'a payout in doubt that stops nothing',
    file: REQUEST,
    find: '        noPayoutInDoubt(agent.account_id),\n',
    replace: '',
    tests: TROUBLED,
  },
  {
    name: 'an agent that leaves with a payout on its way',
    file: REQUEST,
    find: '        ...openObligations(agent.id),\n',
    replace: '',
    tests: TROUBLED,
  },
  {
    name: 'a withdrawal without an account to pay to',
    file: REQUEST,
    find: 'payee?.payouts_enabled === 1 ? payee.external_id : null',
    replace: "payee?.external_id ?? 'nobody'",
    tests: ASKED,
  },
  {
    name: 'a used key that withdraws again',
    file: REQUEST,
    find: 'if (first) return { reply: payoutView(first) };',
    replace: 'if (first && first.amount_cents === input.amount_cents) return { reply: payoutView(first) };',
    tests: ASKED,
  },
  {
    name: 'a large withdrawal in two halves',
    file: LIMITS,
    find: 'proven || ahead > 0 ? UNLIMITED : PROOF_FREE_CENTS',
    replace: 'proven || ahead > 0 || amount_cents <= 20_001 ? UNLIMITED : PROOF_FREE_CENTS',
    tests: ASKED,
  },
  {
    name: 'a week of seven days of the calendar',
    file: RULES,
    find: 'const WINDOW_DAYS = 8;',
    replace: 'const WINDOW_DAYS = 7;',
    tests: DOMAIN,
  },
  {
    name: 'a payout that is reversed twice',
    file: RULES,
    find: '  reversed: {},',
    replace: "  reversed: { credit: 'reversed' },",
    tests: DOMAIN,
  },
  {
    name: 'a token account that passes for a wallet',
    file: 'src/outbound/chain/wallet-key.ts',
    find: 'return x2 === 0n || power(x2, (P - 1n) / 2n) === 1n;',
    replace: 'return x2 >= 0n;',
    tests: ['test/outbound/chain.test.ts'],
  },
  {
    name: 'a payout account that is barred and opened again, and is news',
    file: 'src/steps/payee/follow.ts',
    find: 'row.payouts_enabled === 1 ? destinationOf(row) : row.told_of;',
    replace: 'row.payouts_enabled === 1 ? destinationOf(row) : row.told_of && null;',
    tests: ['test/operations/payee.test.ts'],
  },
  {
    name: 'another payout account of which nobody is told',
    file: 'src/steps/payee/follow.ts',
    find: 'destinationOf(now) !== toldOf(before)',
    replace: 'toldOf(before) === null',
    tests: ['test/operations/payee.test.ts'],
  },
  {
    name: 'another bank of the same payout account of which nobody is told',
    file: 'src/steps/payee/follow.ts',
    find: 'return bank_mark === null ? external_id',
    replace: "return bank_mark !== '' ? external_id",
    tests: ['test/operations/payee.test.ts'],
  },
  {
    name: 'a payout account that was disconnected and is found again',
    file: 'src/domain/money/payout.ts',
    find: 'return n === 0 ? id',
    replace: 'return n >= 0 ? id',
    tests: ['test/operations/payee.test.ts', 'test/operations/stripe-connect.test.ts'],
  },
  {
    name: 'a key whose payout account is put down to its person',
    file: 'src/steps/payee/connector.ts',
    find: " || (asks.by === 'sessions' && before !== null)",
    replace: '',
    tests: ['test/operations/payee.test.ts'],
  },
  {
    name: 'an agent that leaves and opens an escrow in the same moment',
    file: 'src/steps/money/spend.ts',
    find: 'if (agent === null || agent.deactivated_at !== null)',
    replace: 'if (agent === null)',
    tests: ['test/operations/leaving.test.ts'],
  },
];
