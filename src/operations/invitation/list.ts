// Lists invitations: the caller's own, for administrators all. They are deleted 14 days after their creation.
import { Type } from 'typebox';
import { allInvitations, invitationsOf } from '../../../db/queries/invitation.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { Invitation, invitationView } from '../../schemas/invitation.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const invitationList = query({
  name: 'invitation.list',
  summary: 'List invitations',
  description: 'Newest first: your own; for administrators those of everyone. They are kept for 14 days.',
  input: Type.Object(PAGE),
  output: Type.Array(Invitation),
  access: 'session',
  paged: true,
  rest: [{ method: 'GET', path: '/api/invitations' }],
  tools: [
    {
      name: 'mesh_list_invitations',
      title: 'List invitations',
      set: 'account',
      access: 'key',
      scope: 'agents:read',
      extension: true,
    },
  ],
  run: async (read, { limit = PAGE_DEFAULT, cursor: before = HIGHEST_ID }, { account_id, principal }) => {
    const page = { before, limit: limit + 1 };
    const rows = await (principal.admin ? read(allInvitations, page) : read(invitationsOf, { account_id, ...page }));
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    return { items: shown.map(invitationView), next_cursor };
  },
});
