// The public key (VAPID) that a browser needs to subscribe to pushes.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';

export const browserKey = query({
  name: 'browser.key',
  needed_by: 'the web app, before a browser can ask for notifications',
  noun: 'Browsers that get push notifications.',
  summary: 'Read the push key',
  description: 'For `pushManager.subscribe`, as `applicationServerKey`.',
  input: Type.Object({}),
  output: namedObject('PushKey', 'the key by which browsers identify the sender (VAPID)', {
    public_key: Type.String({ description: 'an uncompressed P-256 point, base64url' }),
  }),
  access: 'session',
  rest: [{ method: 'GET', path: '/api/notifications/browsers/key' }],
  run: async (_read, _input, _ctx, { pushes }) => ({ public_key: pushes.public_key }),
});
