// Revokes one key of the account at once, or the key pair of one of its agents. What a key registered is revoked with it. Its
// successor by renewal is another key and stays valid.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { keyById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { endPairs } from '../../steps/key.ts';
import { pairedBy } from '../../steps/session/find.ts';

export const keyRevoke = command({
  name: 'key.revoke',
  summary: 'Revoke an API key or a key pair',
  description: 'A key pair registered with a key ends with it; the tokens of both end at once.',
  input: Type.Object({ id: PathId }),
  output: Type.Object({ id: Id, revoked: Type.Literal(true) }),
  example: { id: SAMPLE.key_id },
  effect: 'destroys',
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'DELETE', path: '/api/developer/keys/{id}' }],
  load: async (read, { id }, { account_id }) => {
    const key = await read(keyById, { id });
    if (key) return { key, paired: await pairedBy(read, account_id, [id]) };
    const agents = await read(agentsOfAccount, { account_id });
    return { key, paired: agents.filter(({ key_pair }) => key_pair?.id === id) };
  },
  decide: ({ key, paired }, { id }, ctx) => {
    const stands = key ? key.account_id === ctx.account_id && key.revoked_at === null : paired.length > 0;
    if (!stands) return fault('not_found');
    return {
      reply: { id, revoked: true as const },
      effects: [...(key ? [patch('api_keys', key, { revoked_at: ctx.now_ms })] : []), ...endPairs(paired, ctx)],
    };
  },
});
