// Revokes an invitation: its link is invalid from then on, and an address that accepted it may not join by it.
import { Type } from 'typebox';
import { remove } from '../../../db/effects.ts';
import { invitationById } from '../../../db/queries/invitation.ts';
import { command } from '../../contract/operation.ts';
import { codeWord, fault } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';

export const invitationRevoke = command({
  name: 'invitation.revoke',
  summary: 'Revoke an invitation',
  description: describe`A used invitation is ${codeWord('gone')}.`,
  input: Type.Object({ id: PathId }),
  output: Type.Object({ id: Id, revoked: Type.Literal(true) }),
  example: { id: SAMPLE.invitation_id },
  effect: 'destroys',
  access: 'session',
  as_admin: true,
  faults: ['not_found', 'gone'],
  rest: [{ method: 'DELETE', path: '/api/invitations/{id}' }],
  tools: [
    {
      name: 'mesh_revoke_invitation',
      title: 'Revoke an invitation',
      set: 'account',
      access: 'key',
      scope: 'agents:write',
      extension: true,
    },
  ],
  load: (read, { id }) => read(invitationById, { id }),
  decide: (invitation, _input, { account_id, principal }) => {
    const own = invitation !== null && (principal.admin || invitation.account_id === account_id);
    if (!own) return fault('not_found');
    if (invitation.used_at !== null) return fault('gone', 'It was used already.');
    return { reply: { id: invitation.id, revoked: true as const }, effects: [remove('invitations', invitation)] };
  },
});
