// Makes the set-up link of the first administrator, which `meshwork serve` prints while there is none.
import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import { someAdmin } from '../../../db/queries/admin.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, Time } from '../../schemas/wire.ts';
import { SET_UP_LIFE_MS } from '../../steps/admin/set-up.ts';
import { linkId, mintLink } from '../../steps/link.ts';

export const platformAdminSetUp = command({
  name: 'platform.admin_set_up',
  needed_by: 'the command `meshwork admin set-up`',
  summary: 'Make the set-up link for the first administrator',
  description: 'Works once, for 30 minutes, and only while no administrator is stored.',
  input: Type.Object({}),
  output: namedObject('SetUpLink', 'the set-up link of the first administrator', {
    url: Type.String(),
    expires_at: Time,
  }),
  effect: 'adds',
  access: 'platform',
  status: 'created',
  secret: true,
  faults: ['conflict'],
  rest: [{ method: 'POST', path: '/internal/admin/set-up' }],
  load: (read) => read.peek(someAdmin, {}),
  decide: (admin, _input, ctx) => {
    if (admin) return fault('conflict', 'There is an administrator already.');
    const token = mintLink(ctx);
    const expires_at = ctx.now_ms + SET_UP_LIFE_MS;
    const row = { id: linkId('set_up', token), hash: '', data: {}, sent_at: ctx.now_ms, expires_at };
    return {
      reply: { url: `${ctx.settings.app_url}/setup/${token}`, expires_at: iso(expires_at) },
      effects: [insert('codes', row)],
    };
  },
});
