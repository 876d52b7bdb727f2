// Faults in wallets: what may be spent, what a dry run does, who is paid, what a statement shows, and what is attested.
import type { Fault } from './fault.ts';

const SEND = ['test/operations/wallet-send.test.ts'];
const LIMITS = ['test/operations/wallet-limits.test.ts'];
const STATEMENT = ['test/operations/wallet-statement.test.ts'];
const ATTEST = ['test/operations/attestation.test.ts'];
const SPEND = 'src/steps/money/spend.ts';
const DRY = 'src/pipeline/dry-run.ts';

/** Faults in who may spend what, and in what is told of it. */
export const WALLET: readonly Fault[] = [
  {
    name: 'a sign-up key that spends without a limit in routed calls',
    file: 'src/domain/money/key-limit.ts',
    find: "return kind === 'key' && !scopes.has('payments:write');",
    replace: "return kind === 'key' && scopes.has('payments:write');",
    tests: ['test/operations/default-key-limit.test.ts'],
  },
  {
    name: 'what keys pay in a day that is counted of nobody',
    file: 'src/steps/money/spend.ts',
    find: 'return most === null ? [] : [count(paidByKeys(',
    replace: 'return most !== null ? [] : [count(paidByKeys(',
    tests: ['test/operations/bounds-by-key.test.ts'],
  },
  {
    name: 'a dry run that is asked for in the query string of a call that has none, and is made',
    file: 'src/transports/rest.ts',
    find: '[...(reads || raw ? convert : []), ...DRY_RUN]',
    replace: '[...(reads || raw ? convert : [])]',
    tests: SEND,
  },
  {
    name: 'a dry run that a body overrules',
    file: 'src/transports/rest.ts',
    find: "return dry_run === undefined || body['dry_run'] === true ? body : { ...body, dry_run };",
    replace: 'return { dry_run, ...body };',
    tests: SEND,
  },
  {
    name: 'a tool that drops what asks for a dry run',
    file: 'src/transports/tools.ts',
    find: "if ((given['dry_run'] ?? null) !== null) sent['dry_run'] = given['dry_run'];",
    replace: '',
    tests: SEND,
  },
  {
    name: 'a mutation without a dry run that is made when one is asked for',
    file: DRY,
    find: "if (!mutates || input['dry_run'] === undefined) return null;",
    replace: "if (!mutates || input['dry_run'] !== false) return null;",
    tests: SEND,
  },
  {
    name: 'a dry run that forgets the gate',
    file: DRY,
    find: 'refusal: refusalOf(gated ?? refusal),',
    replace: 'refusal: refusalOf(refusal),',
    tests: SEND,
  },
  {
    name: 'a dry run that does not ask the store',
    file: DRY,
    find: 'isFault(decision) ? decision : await rehearse(read.peek, effects)',
    replace: 'isFault(decision) ? decision : await rehearse(read.peek, [])',
    tests: SEND,
  },
  {
    name: 'money for an agent that has left',
    file: 'src/operations/wallet/send.ts',
    find: 'agent.deactivated_at === null && ',
    replace: '',
    tests: SEND,
  },
  {
    name: 'money for oneself',
    file: 'src/operations/wallet/send.ts',
    find: 'if (payee.account_id === payer.account_id)',
    replace: 'if (payee.id === payer.id)',
    tests: SEND,
  },
  {
    name: 'a spending counter that counts payments and not cents',
    file: SPEND,
    find: 'refusal, expires_at, by);',
    replace: 'refusal, expires_at, 1);',
    tests: LIMITS,
  },
  {
    name: 'a budget that counts for the day alone',
    file: SPEND,
    find: '    { key: budgetKey(id), limit',
    replace: '    { key: of_day, limit',
    tests: LIMITS,
  },
  {
    name: 'a renewed key without its budget',
    file: 'src/operations/key/renew.ts',
    find: 'name, kind, scopes, expires_at, budget });',
    replace: 'name, kind, scopes, expires_at, budget: budget && null });',
    tests: LIMITS,
  },
  {
    name: 'a person who is told of one refused payment at each try',
    file: 'src/steps/money/escalate.ts',
    find: "const rests = known.bound === 'policy' || known.status !== 'pending' || days === 0;",
    replace: "[insert('counters', { id: same, n: 1, expires_at }, 'ignore')]",
    tests: LIMITS,
  },
  {
    name: 'bounds that hold the person too',
    file: SPEND,
    find: "agent === null || ctx.principal.kind !== 'key'",
    replace: "agent === null || ctx.principal.kind === 'none'",
    tests: LIMITS,
  },
  {
    name: 'a letter about a low balance at each payment',
    file: 'src/domain/money/low-balance.ts',
    find: 'return !told || before_cents >= low;',
    replace: 'return told || before_cents < Number.POSITIVE_INFINITY;',
    tests: LIMITS,
  },
  {
    name: 'a statement that shows what left as what came',
    file: 'src/steps/money/statement.ts',
    find: 'cents: out ? -amount_cents : amount_cents,',
    replace: 'cents: amount_cents,',
    tests: STATEMENT,
  },
  {
    name: 'what a settlement gives back as if a fee had been taken of it',
    file: 'src/steps/money/statement.ts',
    find: "payer === payee || (debit.startsWith('escrow:') && !earned)",
    replace: 'payer === payee',
    tests: ['test/operations/dispute.test.ts'],
  },
  {
    name: 'a fee that is told of the line of the fee',
    file: 'src/steps/money/statement.ts',
    find: 'fee_cents === null || payee === undefined || back',
    replace: 'fee_cents === null || back',
    tests: ['test/operations/subscription.test.ts'],
  },
  {
    name: 'a balance at a time without what was booked at that instant',
    file: 'src/steps/money/statement.ts',
    find: 'firstFrom(peek, account, Date.parse(at) + 1)',
    replace: 'firstFrom(peek, account, Date.parse(at))',
    tests: STATEMENT,
  },
  {
    name: 'a table whose cells compute',
    file: 'src/domain/text/csv.ts',
    find: "? `'${value}` : value;",
    replace: '? `${value}` : value;',
    tests: STATEMENT,
  },
  {
    name: 'an attestation of one wallet for every reader',
    file: 'src/operations/attestation/verify.ts',
    find: 'if (!reader || reader.id !== meant?.id)',
    replace: 'if (!reader || !meant)',
    tests: ATTEST,
  },
  {
    name: 'an attestation without end',
    file: 'src/operations/attestation/verify.ts',
    find: 'if (claims.exp * 1000 <= now_ms)',
    replace: 'if (claims.exp <= now_ms / 1_000_000)',
    tests: ATTEST,
  },
  {
    name: 'a receipt that passes for an attestation',
    file: 'src/outbound/document-signature.ts',
    find: "header?.['alg'] !== 'EdDSA' || header['typ'] !== typ",
    replace: "header?.['alg'] !== 'EdDSA'",
    tests: ATTEST,
  },
  {
    name: 'refused askings for an attestation that do not count',
    file: 'src/operations/attestation/issue.ts',
    find: "return { ...fault('insufficient_funds', 'The balance does not cover that amount.'), effects };",
    replace: "return fault('insufficient_funds', 'The balance does not cover that amount.');",
    tests: ATTEST,
  },
];
