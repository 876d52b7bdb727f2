// Revokes a program's grant: all of its tokens are invalid from then on.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { grantById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { grantStands } from '../../domain/identity/grant.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { endPairs } from '../../steps/key.ts';
import { pairedBy } from '../../steps/session/find.ts';

export const programRevoke = command({
  name: 'program.revoke',
  needed_by: 'a person who no longer wants a program to act for the account',
  summary: 'Disconnect a program',
  description: 'Its tokens, and those of a key pair that it registered, end at once.',
  input: Type.Object({ id: PathId }),
  output: Type.Object({ id: Id, revoked: Type.Literal(true) }),
  example: { id: SAMPLE.grant_id },
  effect: 'destroys',
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'DELETE', path: '/api/account/programs/{id}' }],
  load: async (read, { id }, { account_id }) => ({
    grant: await read(grantById, { id }),
    paired: await pairedBy(read, account_id, [id]),
  }),
  decide: ({ grant, paired }, _input, ctx) => {
    if (!grant || grant.account_id !== ctx.account_id || !grantStands(grant, ctx.now_ms)) return fault('not_found');
    return {
      reply: { id: grant.id, revoked: true as const },
      effects: [patch('oauth_grants', grant, { ended_at: ctx.now_ms }), ...endPairs(paired, ctx)],
    };
  },
});
