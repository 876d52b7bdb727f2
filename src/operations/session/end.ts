// Signs out: ends the session of the access token, or else that of the refresh cookie, and clears the cookie. Repeating it
// is no error, since the wanted state holds.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { sessionById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault } from '../../domain/fault.ts';
import { refreshStanding } from '../../steps/session/find.ts';
import { sentRefresh } from '../../steps/session/open.ts';

export const sessionEnd = command({
  name: 'session.end',
  noun: 'Signed-in sessions of people.',
  summary: 'Sign out',
  description: 'Ends the session of the access token or the refresh cookie. Its tokens end at once.',
  input: Type.Object({}),
  output: Type.Object({ ended: Type.Boolean({ description: 'whether there was a session to end' }) }),
  effect: 'destroys',
  access: 'public',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/auth/session/end' }],
  no_tool: BEFORE_A_KEY,
  load: async (read, _input, ctx) => {
    const { principal } = ctx;
    if (principal.kind === 'session') return read(sessionById, { id: principal.credential_id ?? '' });
    const sent = sentRefresh(ctx);
    const session = sent ? await read(sessionById, { id: sent.session_id }) : null;
    return sent && session && (await refreshStanding(read, session, sent, ctx)) !== 'spent' ? session : null;
  },
  decide: (session, _input, ctx) => {
    if (session === null && ctx.settings.outside_issuer !== null) return fault('not_found');
    const open = session !== null && session.ended_at === null;
    return {
      reply: { ended: open },
      notes: { refresh: null },
      effects: open ? [patch('sessions', session, { ended_at: ctx.now_ms })] : [],
    };
  },
});
