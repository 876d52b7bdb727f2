// Ends one of the person's sessions.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { sessionById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';

export const accountEndSession = command({
  name: 'account.end_session',
  needed_by: 'a person who left a session open on another device',
  summary: 'End a session',
  description: 'Its tokens stop working at once.',
  input: Type.Object({ id: PathId }),
  output: Type.Object({ id: Id, ended: Type.Literal(true) }),
  example: { id: SAMPLE.session_id },
  effect: 'destroys',
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'DELETE', path: '/api/account/sessions/{id}' }],
  load: (read, { id }) => read(sessionById, { id }),
  decide: (session, _input, { account_id, now_ms }) => {
    const stands = session && session.ended_at === null && session.expires_at > now_ms;
    if (!stands || session.account_id !== account_id) return fault('not_found');
    return {
      reply: { id: session.id, ended: true as const },
      effects: [patch('sessions', session, { ended_at: now_ms })],
    };
  },
});
