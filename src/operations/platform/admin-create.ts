// Makes a person an administrator, with a new account where they have none, for `meshwork admin create`.
import { Type } from 'typebox';
import { insert, patch } from '../../../db/effects.ts';
import { accountByEmail } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { AccountView } from '../../schemas/account.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email, iso } from '../../schemas/wire.ts';
import { newAccount } from '../../steps/account/join.ts';

export const platformAdminCreate = command({
  name: 'platform.admin_create',
  needed_by: 'the command `meshwork admin create`',
  noun: 'For the operator of the server.',
  summary: 'Make a person an administrator',
  description: 'An existing account of the address is kept; if it is an administrator already, the error is conflict.',
  input: Type.Object({ email: Email }),
  output: AccountView,
  example: { email: SAMPLE.free_email },
  effect: 'adds',
  access: 'platform',
  status: 'created',
  faults: ['invalid_request', 'conflict'],
  rest: [{ method: 'POST', path: '/internal/admin/create' }],
  load: async (read, input) => {
    const email = parseEmail(input.email);
    return { email, account: isFault(email) ? null : await read(accountByEmail, { email }) };
  },
  decide: ({ email, account }, _input, ctx) => {
    if (isFault(email)) return email;
    if (account && account.admin_at !== null) return fault('conflict', 'That address is an administrator already.');
    const fresh = newAccount(email, ctx);
    const { id, plan, created_at } = account ?? fresh;
    const admin_at = ctx.now_ms;
    return {
      reply: { id, email, plan, created_at: iso(created_at) },
      effects: [
        account
          ? patch('accounts', account, { admin_at })
          : insert(
              'accounts',
              { ...fresh, admin_at },
              fault('conflict', 'That address was taken at the same time; try again.'),
            ),
      ],
    };
  },
});
