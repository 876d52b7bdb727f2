// Starts a change of the account's e-mail address: a code goes to the old and the new one. Only a holder of the new address learns
// whether it already has an account.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { accountById, codeById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { CODE_LIFE_MS } from '../../domain/identity/code.ts';
import { languageFor } from '../../domain/language.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { describe, step } from '../../domain/next-step.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { codeLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email } from '../../schemas/wire.ts';
import { addressCodeId } from '../../steps/account/address.ts';
import { sendLetter } from '../../steps/letter.ts';
import { freshCode, sentTo } from '../../steps/session/code.ts';
import { readAddressee } from '../../steps/session/find.ts';

export const accountChangeAddress = command({
  name: 'account.change_address',
  summary: 'Change the address',
  description: describe`Mails one code to the current address and one to the new address; ${step('account.confirm_address', 'code', 'new_code')} takes both within 10 minutes.`,
  input: Type.Object({ email: Email }),
  output: Type.Object({ sent: Type.Boolean(), email: Type.String() }),
  example: { email: SAMPLE.free_email },
  effect: 'changes',
  open_world: true,
  access: 'session',
  faults: ['invalid_request', 'not_found', 'rate_limited', 'conflict'],
  rest: [{ method: 'PATCH', path: '/api/account' }],
  load: async (read, { email }, ctx) => {
    const { account_id } = ctx;
    const address = parseEmail(email);
    const to = isFault(address) ? address : await readAddressee(read, address, ctx);
    const [account, left, taken] = await Promise.all([
      read(accountById, { id: account_id }),
      read(codeById, { id: addressCodeId('leave_address', account_id) }),
      read(codeById, { id: addressCodeId('take_address', account_id) }),
    ]);
    return { account, left, taken, to };
  },
  decide: ({ account, left, taken, to }, _input, ctx) => {
    if (isFault(to)) return to;
    if (!account?.email) return fault('not_found');
    const { email: address } = to;
    if (address === account.email) return invalid({ path: 'email', message: 'This is your address already.' });
    const { email: present, id } = account;
    const codes = [
      {
        purpose: 'leave_address',
        to: { email: present, language: languageFor(account), domain: null, silent: false },
        row: left,
      },
      { purpose: 'take_address', to, row: taken },
    ] as const;
    const effects = codes.flatMap(({ purpose, to: addressee, row }): Effect<'rate_limited' | 'conflict'>[] => {
      const made = freshCode(addressCodeId(purpose, id), row, { from: present, to: address }, ctx);
      const letter = codeLetter(purpose, made.code, CODE_LIFE_MS / MINUTE_MS, letterWordsFor(account));
      const mail = sendLetter({ channel: 'mail', to: addressee.email, ...letter }, ctx);
      return sentTo(addressee, { rows: made.effects, letter: mail }, ctx);
    });
    return { reply: { sent: true, email: address }, effects };
  },
});
