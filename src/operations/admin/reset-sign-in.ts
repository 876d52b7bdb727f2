// Ends all sign-in credentials of a person whose device or mailbox was taken, and mails a new sign-in link. Keys of programs stay.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { markRevoked } from '../../steps/account/revoked.ts';
import { ActReason, personOf } from '../../steps/admin/allowed.ts';
import { readSubject } from '../../steps/admin/subject.ts';
import { remind } from '../../steps/reminder.ts';
import { readRevoked } from '../../steps/session/find.ts';
import { revokeSlice } from '../account/revoke-all/slice.ts';
import { linkSend } from '../link/send.ts';

export const adminResetSignIn = command({
  name: 'admin.reset_sign_in',
  needed_by: 'an administrator who helps a person whose device was stolen',
  summary: 'Reset how a person signs in',
  description:
    'Ends their sessions, removes their passkeys, and invalidates earlier approvals and mailed links. Mails a sign-in link to ' +
    'their address, unless people sign in through an identity provider. API keys stay valid.',
  input: Type.Object({ id: PathId, reason: ActReason }),
  output: namedObject('SignInReset', 'the sign-in methods that ended', {
    sessions: Type.Integer({ minimum: 0 }),
    passkeys: Type.Integer({ minimum: 0 }),
    link_sent: Type.Boolean(),
  }),
  example: { id: SAMPLE.account_id, reason: 'phone was stolen' },
  effect: 'changes',
  open_world: true,
  access: 'admin',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/admin/accounts/{id}/reset-sign-in' }],
  load: async (read, { id: account_id }, ctx) => {
    const [subject, revoked, mark] = await Promise.all([
      readSubject(read, account_id),
      revokeSlice(read, { account_id, until: ctx.now_ms, only: 'sign_in' }, ctx),
      readRevoked(read, account_id),
    ]);
    return { subject, revoked, mark };
  },
  decide: ({ subject, revoked, mark }, { id }, ctx) => {
    const account = personOf(subject);
    if (isFault(account)) return account;
    const { now_ms, settings } = ctx;
    const { email, suspended_at } = account;
    const to = settings.outside_issuer === null && suspended_at === null ? email : null;
    const { sessions, passkeys } = revoked.ended;
    return {
      reply: { sessions, passkeys, link_sent: to !== null },
      effects: [
        ...revoked.effects,
        markRevoked(mark, id, now_ms),
        // One millisecond after the revocation mark, which ends links mailed up to its own time.
        ...(to === null ? [] : [remind(linkSend, { email: to }, { at: now_ms + 1, key: ctx.id(), now_ms })]),
      ],
    };
  },
});
