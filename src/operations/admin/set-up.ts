// Redeems the link that the server printed: its holder names the address of the first administrator, who then signs in with a code
// as usual. A second administrator is refused, by this link or another.
import { Type } from 'typebox';
import { count, insert, patch, remove } from '../../../db/effects.ts';
import { someAdmin } from '../../../db/queries/admin.ts';
import { accountByEmail, codeById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { AccountView } from '../../schemas/account.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email, iso } from '../../schemas/wire.ts';
import { newAccount } from '../../steps/account/join.ts';
import { adminAct } from '../../steps/admin/act.ts';
import { SET_UP_LIFE_MS } from '../../steps/admin/set-up.ts';
import { isLink, linkId } from '../../steps/link.ts';

export const adminSetUp = command({
  name: 'admin.set_up',
  needed_by: 'a person who has just started the service, which has no administrator yet',
  summary: 'Name the first administrator',
  description:
    'With the link that the server prints at start while it has no administrator. Sign in with that address afterwards.',
  input: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }), email: Email }),
  output: AccountView,
  example: { token: SAMPLE.set_up_token, email: SAMPLE.free_email },
  effect: 'adds',
  access: 'public',
  status: 'created',
  faults: ['invalid_request', 'gone', 'conflict'],
  rest: [{ method: 'POST', path: '/api/auth/setup' }],
  no_tool: BEFORE_A_KEY,
  load: async (read, input) => {
    const email = parseEmail(input.email);
    const [link, admin, account] = await Promise.all([
      read(codeById, { id: linkId('set_up', input.token) }),
      read.peek(someAdmin, {}),
      isFault(email) ? null : read(accountByEmail, { email }),
    ]);
    return { email, link, admin, account };
  },
  decide: ({ email, link, admin, account }, { token }, ctx) => {
    if (isFault(email)) return email;
    if (!isLink(token, ctx)) return invalid({ path: 'token', message: 'is not the token of a set-up link' });
    if (!link || link.expires_at <= ctx.now_ms || admin) return fault('gone');
    const fresh = newAccount(email, ctx);
    const { id, plan, created_at } = account ?? fresh;
    return {
      reply: { id, email, plan, created_at: iso(created_at) },
      effects: [
        remove('codes', link),
        // Of two links redeemed at the same time, only one succeeds.
        count('first_admin', 1, fault('gone'), ctx.now_ms + SET_UP_LIFE_MS),
        account
          ? patch('accounts', account, { admin_at: ctx.now_ms })
          : insert('accounts', { ...fresh, admin_at: ctx.now_ms }, fault('conflict')),
        // The pipeline records the acts of administrators alone, and this makes the first.
        adminAct(ctx, { by_id: id, operation: 'admin.set_up', subject_id: id, reason: null }),
      ],
    };
  },
});
