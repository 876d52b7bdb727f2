// Removes a passkey, which is invalid from then on. Codes and links still work, so the person is not locked out.
import { Type } from 'typebox';
import { passkeyById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { removePasskeys } from '../../steps/passkey.ts';

export const passkeyRemove = command({
  name: 'passkey.remove',
  needed_by: 'a person who lost a device',
  summary: 'Remove a passkey',
  input: Type.Object({ id: PathId }),
  output: Type.Object({ id: Id, removed: Type.Literal(true) }),
  example: { id: SAMPLE.passkey_id },
  effect: 'destroys',
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'DELETE', path: '/api/auth/passkeys/{id}' }],
  load: (read, { id }) => read(passkeyById, { id }),
  decide: (passkey, _input, ctx) => {
    if (passkey?.account_id !== ctx.account_id) return fault('not_found');
    return { reply: { id: passkey.id, removed: true as const }, effects: removePasskeys(ctx.account_id, [passkey]) };
  },
});
