// Renames a passkey, so that its person recognises its device.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { passkeyById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { Passkey, PasskeyName, passkeyView } from '../../schemas/passkey.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';

export const passkeyRename = command({
  name: 'passkey.rename',
  needed_by: 'a person with several passkeys',
  summary: 'Rename a passkey',
  input: Type.Object({ id: PathId, name: PasskeyName }),
  output: Passkey,
  example: { id: SAMPLE.passkey_id, name: 'Old phone' },
  effect: 'changes',
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'PATCH', path: '/api/auth/passkeys/{id}' }],
  load: (read, { id }) => read(passkeyById, { id }),
  decide: (passkey, { name }, ctx) => {
    if (passkey?.account_id !== ctx.account_id) return fault('not_found');
    return { reply: passkeyView({ ...passkey, name }), effects: [patch('passkeys', passkey, { name })] };
  },
});
