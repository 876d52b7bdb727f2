// Faults in letters: how they are stopped, and where what answers them goes.
import type { Fault } from './fault.ts';

const MATCHES = ['test/operations/mail-match.test.ts'];
const UNSUBSCRIBE = ['test/operations/unsubscribe.test.ts'];

/** Faults in the addresses that letters carry. */
export const LETTERS: readonly Fault[] = [
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
    name: 'a program that is let in without a word to its person',
    file: 'src/operations/oauth/decide.ts',
    find: 'account?.email ? [sendLetter(',
    replace: 'account?.email && !agent ? [sendLetter(',
    tests: ['test/operations/program.test.ts'],
  },
];
