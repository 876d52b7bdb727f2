// Changes the account's e-mail address after the codes of both addresses were entered.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { accountByEmail, accountById, codeById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { addressChangedLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { AccountView } from '../../schemas/account.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Code6, iso } from '../../schemas/wire.ts';
import { addressCodeId } from '../../steps/account/address.ts';
import { sendLetter } from '../../steps/letter.ts';
import { checkCode } from '../../steps/session/code.ts';

export const accountConfirmAddress = command({
  name: 'account.confirm_address',
  needed_by: 'a person who changes the address of the account, with the code mailed to the new one',
  summary: 'Confirm the new address',
  description: 'Keys, sessions and agents are unchanged. An address that already has an account is refused.',
  input: Type.Object({
    code: Code6,
    new_code: Code6,
  }),
  output: AccountView,
  example: { code: SAMPLE.old_address_code, new_code: SAMPLE.new_address_code },
  effect: 'changes',
  access: 'session',
  faults: ['not_found', 'invalid_code', 'too_many_tries', 'conflict'],
  rest: [{ method: 'POST', path: '/api/account/email/verify' }],
  load: async (read, _input, { account_id }) => {
    const [account, left, taken] = await Promise.all([
      read(accountById, { id: account_id }),
      read(codeById, { id: addressCodeId('leave_address', account_id) }),
      read(codeById, { id: addressCodeId('take_address', account_id) }),
    ]);
    const to = taken?.data['to'] ?? null;
    return { account, left, taken, to, other: to === null ? null : await read(accountByEmail, { email: to }) };
  },
  decide: ({ account, left, taken, to, other }, { code, new_code }, ctx) => {
    if (!account?.email) return fault('not_found');
    const old = checkCode(left, code, ctx);
    if (isFault(old)) return old;
    const fresh = checkCode(taken, new_code, ctx);
    if (isFault(fresh)) return fresh;
    // No code was sent to an address that changed since.
    if (to === null || left?.data['to'] !== to || left.data['from'] !== account.email) return fault('invalid_code');
    if (other) return fault('conflict', 'That address already has an account.');
    const { id, plan, created_at } = account;
    const letter = addressChangedLetter(letterWordsFor(account));
    return {
      reply: { id, email: to, plan, created_at: iso(created_at) },
      effects: [
        ...old.effects,
        ...fresh.effects,
        patch('accounts', account, { email: to }),
        ...[account.email, to].map((address) => sendLetter({ channel: 'mail', to: address, ...letter }, ctx)),
      ],
    };
  },
});
