// Invites a person by a link, which is passed on or mailed. Administrators always may, members where the settings allow it.
import { accountById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { mayInvite } from '../../domain/identity/join.ts';
import { InvitationInput, MadeInvitation } from '../../schemas/invitation.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { makeInvitation } from '../../steps/invitation.ts';

export const invitationCreate = command({
  name: 'invitation.create',
  noun: 'Invitation links, where joining needs an invitation.',
  summary: 'Invite a person',
  description:
    'With the link one person can create an account within 14 days; with `email` only that address. Members may invite if the ' +
    'service allows it, ten a day; administrators always may.',
  input: InvitationInput,
  output: MadeInvitation,
  example: { email: SAMPLE.free_email, mail: true },
  effect: 'adds',
  open_world: true,
  access: 'session',
  as_admin: true,
  status: 'created',
  secret: true,
  faults: ['invalid_request', 'wrong_role', 'rate_limited'],
  rest: [{ method: 'POST', path: '/api/invitations' }],
  tools: [
    {
      name: 'mesh_invite',
      title: 'Invite a person',
      set: 'account',
      access: 'key',
      scope: 'agents:write',
      extension: true,
    },
  ],
  load: (read, _input, ctx) => read(accountById, { id: ctx.account_id }),
  decide: (account, input, ctx) => {
    const { admin } = ctx.principal;
    if (!mayInvite(ctx.settings.joining, admin)) {
      return fault('wrong_role', 'Only administrators can invite people here.');
    }
    const by = admin ? 'admin' : 'member';
    return makeInvitation(input, { by, account_id: ctx.account_id, email: account?.email ?? null }, ctx);
  },
});
