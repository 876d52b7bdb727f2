// What lets somebody in to an account and what its agents let out of the house, as `account.revoke_all` ends it.
import { Type } from 'typebox';
import { namedObject } from './named.ts';
import { Id } from './wire.ts';

const Figure = Type.Integer({ minimum: 0 });

export const AccessToEnd = namedObject('AccountAccess', 'what revoking all ends', {
  keys: Figure,
  sessions: Figure,
  programs: Type.Integer({ minimum: 0, description: 'programs that were let in' }),
  passkeys: Figure,
  browsers: Type.Integer({ minimum: 0, description: 'browsers that are pushed to' }),
  push_configs: Type.Integer({ minimum: 0, description: 'push configs of tasks' }),
  webhooks: Type.Array(
    namedObject('WebhookToEnd', 'a webhook that is switched off', {
      id: Id,
      agent_handle: Type.String(),
      url: Type.String(),
    }),
    { description: 'switched off, not deleted: one call switches each on again' },
  ),
  key_pairs: Type.Array(
    namedObject('KeyPairToEnd', 'a key pair that ends', { agent_handle: Type.String(), fingerprint: Type.String() }),
  ),
  endpoints: Type.Array(
    namedObject('EndpointToEnd', 'an endpoint that is taken out', { agent_handle: Type.String(), url: Type.String() }),
    { description: 'the `a2a_url` of agents' },
  ),
  and_more: Type.Boolean({ description: 'whether there is more of something than is told here; all of it ends' }),
});
