// Faults in the ledger: what a journal is, what it nets, what it refuses, and what it keeps.
import type { Fault } from './fault.ts';

const BOOK = 'db/post-journal.ts';
const LEDGER = 'src/domain/money/ledger.ts';
const EMBEDDED = ['test/db/effects.test.ts'];
const RULES = ['test/domain/money/ledger.test.ts'];

/** Faults in what moves money. */
export const MONEY: readonly Fault[] = [
  {
    name: 'a wallet that cannot be emptied',
    file: BOOK,
    find: 'if (cents < 0 && balance + cents < 0)',
    replace: 'if (cents < 0 && balance + cents <= 0)',
    tests: EMBEDDED,
  },
  {
    name: 'a wallet that is overdrawn by a cent',
    file: BOOK,
    find: 'if (cents < 0 && balance + cents < 0)',
    replace: 'if (cents < 0 && balance + cents < -1)',
    tests: EMBEDDED,
  },
  {
    name: 'a whole balance that is there again for the next payment',
    file: BOOK,
    find: 'standing.balance_cents = centsOf(standing.balance_cents + cents);',
    replace: 'standing.balance_cents = centsOf(standing.balance_cents + Math.max(cents, 0));',
    tests: ['test/operations/wallet-send.test.ts'],
  },
  {
    // The keys of new rows (of a first credit, of an event) keep most payments from this too; what has none shows it.
    name: 'a payment of nodes that each see the whole balance',
    file: 'db/postgres/shapes.ts',
    find: 'lock: `${byIds} FOR UPDATE`,',
    replace: 'lock: byIds,',
    tests: ['test/db/nodes.test.ts'],
    on: 'postgres',
  },
  {
    name: 'a balance that nobody holds to what is paid, through three nodes',
    file: BOOK,
    find: 'if (cents < 0 && balance + cents < 0)',
    replace: 'if (cents < 0 && balance < 0)',
    tests: ['test/operations/wallet-nodes.test.ts'],
    on: 'postgres',
  },
  {
    name: 'a balance that nobody holds to what is paid',
    file: BOOK,
    find: 'if (cents < 0 && balance + cents < 0)',
    replace: 'if (cents < 0 && balance < 0)',
    tests: ['test/operations/wallet-send.test.ts'],
  },
  {
    name: 'figures of a shortfall that leave out the balance',
    file: BOOK,
    find: 'const shortfall_cents = -cents - balance;',
    replace: 'const shortfall_cents = -cents;',
    tests: EMBEDDED,
  },
  {
    name: 'held money that a payment frees',
    file: 'src/domain/money/held-money.ts',
    find: 'holderOf(credit)?.give(amount_cents, taken);',
    replace: 'holderOf(credit)?.give(amount_cents, comesHeld);',
    tests: ['test/operations/held-money.test.ts'],
  },
  {
    name: 'held money that leaves the house',
    file: 'src/domain/money/held-money.ts',
    find: "if (credit === 'payouts' && payer",
    replace: "if (credit === 'chain' && payer",
    tests: ['test/domain/money/held-money.test.ts'],
  },
  {
    name: 'another journal under a used id passes for the same',
    file: BOOK,
    find: 'known.digest === digest',
    replace: "known.digest !== ''",
    tests: EMBEDDED,
  },
  {
    name: 'a journal of other amounts passes for the same',
    file: BOOK,
    find: '[debit, credit, amount_cents]);',
    replace: '[debit, credit]);',
    tests: EMBEDDED,
  },
  {
    name: 'a balance after a transfer that forgets the one before it',
    file: BOOK,
    find: 'standing.balance_cents = centsOf(standing.balance_cents + cents);\n    standing.postings += 1;\n    return { ...standing };',
    replace:
      'standing.postings += 1;\n    return { ...standing, balance_cents: centsOf(standing.balance_cents + cents) };',
    tests: EMBEDDED,
  },
  {
    name: 'legs that are not netted',
    file: LEDGER,
    find: '  add(debit, -amount_cents);\n    add(credit, amount_cents);',
    replace: '  add(debit, -amount_cents);\n    if (!net.has(credit as GuardedAccount)) add(credit, amount_cents);',
    tests: [...RULES, ...EMBEDDED],
  },
  {
    name: 'an escrow that may be overdrawn',
    file: LEDGER,
    find: 'return !PLATFORM.has(account);',
    replace: "return !PLATFORM.has(account) && !account.startsWith('escrow:');",
    tests: [...RULES, ...EMBEDDED],
  },
  {
    name: 'a transfer of nothing',
    file: LEDGER,
    find: "assert(cents > 0, 'a transfer moves more than nothing",
    replace: "assert(cents >= 0, 'a transfer moves more than nothing",
    tests: RULES,
  },
  {
    name: 'a transfer of half a cent',
    file: LEDGER,
    find: 'assert(Number.isSafeInteger(amount),',
    replace: 'assert(Number.isFinite(amount),',
    tests: RULES,
  },
  {
    name: 'a transfer from an account to itself',
    file: LEDGER,
    find: 'assert(debit !== credit,',
    replace: "assert(debit !== '',",
    tests: RULES,
  },
];
