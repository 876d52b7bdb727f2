// Faults in how Stripe is spoken to, what it takes back, and the comparison of its books.
import type { Fault } from './fault.ts';

const CALL = 'src/outbound/processor/stripe/call.ts';
const TAKEN = 'src/steps/money/taken-back.ts';
const DEBTS = 'src/steps/money/receivable.ts';
const HINT = 'src/operations/processor/hint.ts';
const BOOKS = 'src/steps/processor/reconcile.ts';
const RECONCILE = 'src/operations/processor/reconcile.ts';
const ADAPTER = ['test/outbound/stripe.test.ts'];
const SERVICE = ['test/operations/stripe.test.ts'];

/** Faults in Stripe's adapter, chargebacks and the daily comparison. */
export const STRIPE: readonly Fault[] = [
  {
    name: 'a processor that is turned away with what it signed',
    file: 'src/operations/processor/hint.ts',
    find: '  signed: true,\n',
    replace: '',
    tests: ['test/operations/stripe-rate.test.ts'],
  },
  {
    name: 'a forgotten idempotency key that makes a second transfer',
    file: CALL,
    find: 'if (n > 1 || !fresh) {',
    replace: 'if (n > 1) {',
    tests: ADAPTER,
  },
  {
    name: 'a saved error that is met for ever',
    file: CALL,
    find: 'n === 1 ? key : `${key}:${n}`',
    replace: 'n >= 1 ? key : `${key}:${n}`',
    tests: ADAPTER,
  },
  {
    name: 'an error on the way that counts as a refusal',
    file: CALL,
    find: "return { outcome: 'unknown', reason };",
    replace: "return { outcome: 'refused', reason };",
    tests: ADAPTER,
  },
  {
    name: 'a webhook of anybody is believed',
    file: 'src/outbound/processor/stripe/hints.ts',
    find: '    return null;\n  }\n}',
    replace: '    return hintOf(JSON.parse(Buffer.from(body).toString()));\n  }\n}',
    tests: ADAPTER,
  },
  {
    name: 'a signature that holds for ever',
    file: 'src/outbound/processor/stripe/hints.ts',
    find: 'const TOLERANCE_S = 300;',
    replace: 'const TOLERANCE_S = 300_000_000;',
    tests: ADAPTER,
  },
  {
    name: 'a hint that asks for nothing',
    file: HINT,
    find: 'const effects = [remembered, ...follows,',
    replace: 'const effects = [remembered, ...follows.slice(follows.length),',
    tests: SERVICE,
  },
  {
    name: 'a chargeback that was won is given back to nobody',
    file: TAKEN,
    find: 'if (was_taken) return was_given ? [] : giveBack(',
    replace: 'if (was_taken) return was_given || was_taken ? [] : giveBack(',
    tests: SERVICE,
  },
  {
    name: 'an account that owes may pay on',
    file: DEBTS,
    find: '    restricted(owing.account_id, 1),\n',
    replace: '',
    tests: SERVICE,
  },
  {
    name: 'an account that has repaid stays barred',
    file: DEBTS,
    find: '    restricted(row.account_id, -1),\n',
    replace: '',
    tests: SERVICE,
  },
  {
    name: 'what the books alone tell of is taken for known',
    file: BOOKS,
    find: 'if (is_booked) return compareFee',
    replace: 'if (is_booked || id) return compareFee',
    tests: SERVICE,
  },
  {
    name: 'a difference that never ends',
    file: RECONCILE,
    find: 'now.has(object_id) !== (resolved_at === null)',
    replace: 'now.has(object_id) && resolved_at !== null',
    tests: SERVICE,
  },
];
