// Faults in held money, in the check of the ledger, and in the seals of its days.
import type { Fault } from './fault.ts';

const HOLD = 'src/steps/money/hold.ts';
const HOLDS = ['test/operations/hold.test.ts'];
const POSTINGS = 'db/ledger-check/postings.ts';
const DAYS = 'db/ledger-check/days.ts';
const CHECK = ['test/operations/ledger-check.test.ts'];
const OUTSIDE = 'db/ledger-check/outside-rules.ts';
const OUTSIDE_CHECK = ['test/operations/ledger-outside.test.ts'];
const SEALS = ['test/operations/ledger-seal.test.ts'];

/** Faults in what proves the money. */
export const LEDGER: readonly Fault[] = [
  {
    name: 'a hold that expires a moment too early',
    file: 'src/domain/money/hold.ts',
    find: 'now_ms < expires_at',
    replace: 'now_ms < expires_at - 1',
    tests: ['test/domain/money/hold.test.ts'],
  },
  {
    name: 'a hold that ends twice',
    file: 'src/domain/money/hold.ts',
    find: "if (status !== 'pending') return null;",
    replace: "if (status === 'voided') return null;",
    tests: ['test/domain/money/hold.test.ts'],
  },
  {
    name: 'a voided hold that still counts as spent',
    file: HOLD,
    find: '    ...unspend(counted),\n',
    replace: '',
    tests: HOLDS,
  },
  {
    name: 'the rest of a hold that still counts as spent',
    file: HOLD,
    find: 'left_cents > 0 ? unspend',
    replace: 'left_cents < 0 ? unspend',
    tests: HOLDS,
  },
  {
    name: 'a balance that is not held to its transfers',
    file: POSTINGS,
    find: 'if (sum === cents && n === postings) return;',
    replace: 'if (n === postings) return;',
    tests: CHECK,
  },
  {
    name: 'a posting that may be missing',
    file: POSTINGS,
    find: 'if (waiting?.size)',
    replace: 'if (waiting === undefined)',
    tests: CHECK,
  },
  {
    name: 'held money that no hold stands for',
    file: 'db/ledger-check/rules.ts',
    find: 'HAVING sum(held) <> sum(pending)',
    replace: 'HAVING sum(held) < 0',
    tests: CHECK,
  },
  {
    name: 'a fee of any amount',
    file: 'db/ledger-check/business-rules.ts',
    find: 'fee <> CAST(cents - back AS BIGINT) * 500 / 10000 AND',
    replace: 'fee < 0 AND',
    tests: CHECK,
  },
  {
    name: 'a payout that is reversed and outside',
    file: OUTSIDE,
    find: 'HAVING sum(taken) <> 0 OR sum(back) <> 0 OR sum(waiting) <> 0 OR sum(outside) <> 0',
    replace: 'HAVING sum(taken) <> 0',
    tests: OUTSIDE_CHECK,
  },
  {
    name: 'a send that was never booked',
    file: OUTSIDE,
    find: "AND (SELECT count(*) FROM transfers t WHERE t.journal = 'send:' || s.id) <> 1",
    replace: "AND (SELECT count(*) FROM transfers t WHERE t.journal = 'send:' || s.id) > 1",
    tests: OUTSIDE_CHECK,
  },
  {
    name: 'debts that are not held to what was laid out',
    file: OUTSIDE,
    find: ') AS r WHERE held <> owed',
    replace: ') AS r WHERE held < 0',
    tests: OUTSIDE_CHECK,
  },
  {
    name: 'a journal that moves any account',
    file: OUTSIDE,
    find: "AS platform WHERE NOT (${allowed.join(' OR ')})",
    replace: "AS platform WHERE account = '' AND NOT (${allowed.join(' OR ')})",
    tests: OUTSIDE_CHECK,
  },
  {
    name: 'a rewritten day that passes',
    file: DAYS,
    find: 'if (found.journals_hash !== seal.journals_hash)',
    replace: "if (found.journals_hash === '')",
    tests: SEALS,
  },
  {
    name: 'a day that is sealed without its last bite',
    file: 'src/steps/money/ledger-seal.ts',
    find: '    book.add(bite);\n',
    replace: '    if (bite.length === BITE) book.add(bite);\n',
    tests: SEALS,
  },
  {
    name: 'a receipt for whoever asks',
    file: 'src/steps/money/receipt.ts',
    find: 'return isParty || escrow?.buyer_id',
    replace: 'return !isParty || escrow?.buyer_id',
    tests: SEALS,
  },
];
