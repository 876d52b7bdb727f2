// Faults in letters: how they are stopped, and where what answers them goes.
import type { Fault } from './fault.ts';

const MATCHES = ['test/operations/mail-match.test.ts'];
const DISPUTES = ['test/operations/dispute.test.ts'];
const PURCHASES = ['test/operations/purchase-letter.test.ts'];
const UNSUBSCRIBE = ['test/operations/unsubscribe.test.ts'];

/** Faults in the addresses that letters carry. */
export const LETTERS: readonly Fault[] = [
  {
    name: 'a letter about a proposal that another took the place of',
    file: 'src/operations/mail/notify.ts',
    find: 'settled[at] || isPast(event)',
    replace: 'settled[at]',
    tests: ['test/operations/mail-over.test.ts'],
  },
  {
    name: 'a letter that asks to pay for a deal that was cancelled',
    file: 'src/operations/mail/notify.ts',
    find: "deal === null || deal.status !== 'open' || deal.escrow_id !== null",
    replace: 'deal === null || deal.escrow_id !== null',
    tests: ['test/operations/mail-over.test.ts'],
  },
  {
    name: 'a letter that asks to pay for a deal that was paid for',
    file: 'src/operations/mail/notify.ts',
    find: "deal.status !== 'open' || deal.escrow_id !== null",
    replace: "deal.status !== 'open'",
    tests: ['test/operations/mail-over.test.ts'],
  },
  {
    name: 'a letter that calls the word of a policy a bound',
    file: 'src/domain/inbox/notification.ts',
    find: "s.text('bound') === 'policy' ? talks.by_policy(s.handle) : talks.outside",
    replace: 'talks.outside',
    tests: ['test/domain/inbox/notification.test.ts'],
  },
  {
    name: 'an escalation that does not say what silence does',
    file: 'src/steps/money/escalate.ts',
    find: "const silence = on_timeout === 'allow' &&",
    replace: "const silence = on_timeout === 'refuse' &&",
    tests: ['test/operations/policy.test.ts'],
  },
  {
    name: 'an answer by mail that gives away its secret address',
    file: 'src/outbound/reading/mail.ts',
    find: 'text: withoutAddresses(own, from)',
    replace: 'text: own',
    tests: ['test/operations/mail-secret.test.ts'],
  },
  {
    name: 'a secret address that stays good after it was told',
    file: 'src/operations/mail/receive.ts',
    find: '      ...ended,\n',
    replace: '',
    tests: ['test/operations/mail-secret.test.ts'],
  },
  {
    name: 'own words above an attribution taken for a part of it',
    file: 'src/outbound/reading/reply-text.ts',
    find: 'joined.length < WRAPPED_FROM || SENTENCE_END',
    replace: 'SENTENCE_END',
    tests: ['test/outbound/mail-letters.test.ts'],
  },
  {
    name: 'an answer by mail whose author nothing proves',
    file: 'src/operations/mail/receive.ts',
    find: "aligned === 'yes' || aligned === 'unknown'",
    replace: "aligned !== 'unanswered'",
    tests: ['test/operations/mail-receive.test.ts'],
  },
  {
    name: 'a letter that repeats what a webhook took',
    file: 'src/operations/mail/notify.ts',
    find: 'accepted.has(id) || answered',
    replace: 'answered',
    tests: ['test/operations/mail-many.test.ts'],
  },
  {
    name: 'a message in a letter that cannot be answered',
    file: 'src/domain/mail/letter-plan.ts',
    find: "kind === 'conversation.updated'",
    replace: "kind === 'test.ping'",
    tests: ['test/operations/mail-many.test.ts'],
  },
  {
    name: 'a letter with a score that is old',
    file: 'src/domain/mail/letter-plan.ts',
    find: 'last.get(restated(event)) === event',
    replace: 'last.has(restated(event))',
    tests: ['test/domain/mail/letter-plan.test.ts'],
  },
  {
    name: 'an address that stops letters of whoever is named in it',
    file: 'src/steps/mail/unsubscribe.ts',
    find: 'hmac(secrets.code_key, `unsubscribe:${kind}:${account_id}`)',
    replace: 'hmac(secrets.code_key, `unsubscribe:${kind}`)',
    tests: UNSUBSCRIBE,
  },
  {
    name: 'an address that stops every kind of letter',
    file: 'src/steps/mail/unsubscribe.ts',
    find: 'hmac(secrets.code_key, `unsubscribe:${kind}:${account_id}`)',
    replace: 'hmac(secrets.code_key, `unsubscribe:${account_id}`)',
    tests: UNSUBSCRIBE,
  },
  {
    name: 'letters that whoever opens the page has stopped',
    file: 'src/transports/pages/unsubscribe.ts',
    find: "const posted = request.method === 'POST';",
    replace: "const posted = request.method !== 'PUT';",
    tests: UNSUBSCRIBE,
  },
  {
    name: 'an answer to a match that opens a second conversation',
    file: 'src/steps/mail/write.ts',
    find: 'conversation_id ?? match?.conversation_id ?? null',
    replace: 'conversation_id ?? null',
    tests: MATCHES,
  },
  {
    name: 'an answer to a match that counts to nobody',
    file: 'src/steps/mail/write.ts',
    find: '...ctx, agent, account_id: account.id,',
    replace: '...ctx, agent, account_id: ctx.account_id,',
    tests: MATCHES,
  },
  {
    name: 'a dispute that is told of by letter at each look',
    file: 'src/operations/dispute/expire.ts',
    find: 'dispute_id: id, warned: true }',
    replace: 'dispute_id: id }',
    tests: DISPUTES,
  },
  {
    name: 'a letter about a dispute to whoever opened it',
    file: 'src/operations/dispute/expire.ts',
    find: 'read.peek(agentById, { id: dispute.respondent })',
    replace: 'read.peek(agentById, { id: dispute.opened_by })',
    tests: DISPUTES,
  },
  {
    name: 'a letter about a dispute when it is too late',
    file: 'src/steps/dispute/expire.ts',
    find: 'WARN_BEFORE_MS = 86_400_000',
    replace: 'WARN_BEFORE_MS = 0',
    tests: DISPUTES,
  },
  {
    name: 'a letter that names a receipt which nobody can read',
    file: 'src/steps/market/purchase-letter.ts',
    find: 'journal_id: fundingJournal(id)',
    replace: 'journal_id: fundingJournal(ctx.id())',
    tests: PURCHASES,
  },
  {
    name: 'receipts by letter to anybody as often as one buys',
    file: 'src/steps/market/purchase-letter.ts',
    find: 'terms.buyer_email === null || sent >= LETTERS_MAX',
    replace: 'terms.buyer_email === null',
    tests: PURCHASES,
  },
  {
    name: 'a payment that does not name its signed receipt',
    file: 'src/operations/wallet/send.ts',
    find: 'journal_id: sendJournal(id)',
    replace: 'journal_id: id',
    tests: ['test/operations/wallet-send.test.ts'],
  },
  {
    name: 'a program that is let in without a word to its person',
    file: 'src/operations/oauth/decide.ts',
    find: 'account?.email ? [sendLetter(',
    replace: 'account?.email && !agent ? [sendLetter(',
    tests: ['test/operations/program.test.ts'],
  },
];
