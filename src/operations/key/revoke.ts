// Kills one key of the account at once. A key that was put in its place by renewal is another key and goes on working.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { keyById } from '../../../db/queries/identity.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { command } from '../operation.ts';

export const keyRevoke = command({
  name: 'key.revoke',
  summary: 'Revoke an API key',
  input: Type.Object({ id: PathId }),
  output: Type.Object({ id: Id, revoked: Type.Literal(true) }),
  example: { id: SAMPLE.key_id },
  effect: 'destroys',
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'DELETE', path: '/api/developer/keys/{id}' }],
  load: (read, { id }) => read(keyById, { id }),
  decide: (key, _input, ctx) => {
    if (!key || key.account_id !== ctx.account_id || key.revoked_at !== null) return fault('not_found');
    return {
      reply: { id: key.id, revoked: true as const },
      effects: [patch('api_keys', key, { revoked_at: ctx.now_ms })],
    };
  },
});
