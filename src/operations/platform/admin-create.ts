// Makes an account for somebody who has none, for `meshwork admin create`.
import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import { accountByEmail } from '../../../db/queries/identity.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { AccountView } from '../../schemas/account.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email, iso } from '../../schemas/wire.ts';
import { command } from '../operation.ts';

export const platformAdminCreate = command({
  name: 'platform.admin_create',
  noun: 'For whoever runs the server.',
  summary: 'Make an account',
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
    const taken = fault('conflict', 'That address already has an account.');
    if (account) return taken;
    const row = { id: ctx.id(), email, plan: 'free' as const, created_at: ctx.now_ms };
    return { reply: { ...row, created_at: iso(row.created_at) }, effects: [insert('accounts', row, taken)] };
  },
});
