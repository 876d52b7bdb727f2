// Subscribes a browser to pushes. A flow, since the address is checked as any outgoing one: public https, or allowed by the operator.
// The same address again is the same browser; from another account it moves there, since its new user must not read the pushes of the previous one.
import { Type } from 'typebox';
import { insert, patch } from '../../../db/effects.ts';
import { pushSubscriptionByHash } from '../../../db/queries/notification.ts';
import { flow } from '../../contract/operation.ts';
import { fault, invalid } from '../../domain/fault.ts';
import { sha256Hex } from '../../outbound/hash.ts';
import { isPushKeys } from '../../outbound/web-push.ts';
import { browserView, PushedBrowser, SubscriptionInput } from '../../schemas/notification.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { visibleText } from '../../schemas/wire.ts';
import { countBrowsers, removeBrowsers, sealAddress } from '../../steps/browser.ts';

const UNNAMED = 'A browser';

export const browserSubscribe = flow({
  name: 'browser.subscribe',
  needed_by: 'a person who wants notifications in a browser',
  summary: 'Send push notifications to a browser',
  description: 'At most 10 browsers per account. The notification preferences decide what is pushed.',
  input: Type.Object({ subscription: SubscriptionInput, name: Type.Optional(visibleText(100)) }),
  output: PushedBrowser,
  example: {
    subscription: {
      endpoint: SAMPLE.push_endpoint,
      keys: { p256dh: SAMPLE.push_p256dh, auth: SAMPLE.push_auth },
    },
    name: 'Phone',
  },
  effect: 'adds',
  open_world: true,
  access: 'session',
  status: 'created',
  faults: ['invalid_request', 'plan_limit', 'conflict'],
  rest: [{ method: 'POST', path: '/api/notifications/browsers' }],
  run: async ({ subscription, name }, ctx, { http }) => {
    const { endpoint, keys } = subscription;
    if (!isPushKeys(keys)) return invalid({ path: 'subscription.keys', message: 'are not those of a browser' });
    const problem = await http.check(endpoint);
    if (problem !== null) return invalid({ path: 'subscription.endpoint', message: problem });
    const address = { endpoint, ...keys };
    const hash = sha256Hex(endpoint);
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const known = await read(pushSubscriptionByHash, { hash });
        if (known?.account_id === ctx.account_id) {
          const set = { secret: sealAddress(ctx.secrets.seal_key, known.id, address), name: name ?? known.name };
          return { reply: browserView({ ...known, ...set }), effects: [patch('push_subscriptions', known, set)] };
        }
        const id = ctx.id();
        const row = {
          id,
          account_id: ctx.account_id,
          hash,
          secret: sealAddress(ctx.secrets.seal_key, id, address),
          name: name ?? UNNAMED,
          created_at: ctx.now_ms,
          taken_at: null,
          version: 1,
        };
        return {
          reply: browserView(row),
          effects: [
            ...(known ? removeBrowsers(known.account_id, [known]) : []),
            insert('push_subscriptions', row, fault('conflict')),
            countBrowsers(ctx.account_id, 1),
          ],
        };
      },
    });
  },
});
