// Invites a person in the name of the operator, for `meshwork invite`.
import { command } from '../../contract/operation.ts';
import { InvitationInput, MadeInvitation } from '../../schemas/invitation.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { makeInvitation } from '../../steps/invitation.ts';

export const platformAdminInvite = command({
  name: 'platform.admin_invite',
  needed_by: 'the command `meshwork invite`',
  summary: 'Invite a person',
  input: InvitationInput,
  output: MadeInvitation,
  example: { email: SAMPLE.free_email },
  effect: 'adds',
  open_world: true,
  access: 'platform',
  status: 'created',
  secret: true,
  faults: ['invalid_request', 'rate_limited'],
  rest: [{ method: 'POST', path: '/internal/admin/invite' }],
  load: async () => null,
  decide: (_state, input, ctx) => makeInvitation(input, { by: 'admin', account_id: null, email: null }, ctx),
});
