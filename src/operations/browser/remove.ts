// Removes a browser's push subscription.
import { Type } from 'typebox';
import { pushSubscriptionById } from '../../../db/queries/notification.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { removeBrowsers } from '../../steps/browser.ts';

export const browserRemove = command({
  name: 'browser.remove',
  needed_by: 'a person who no longer wants notifications in a browser',
  summary: 'Stop push notifications to a browser',
  input: Type.Object({ id: PathId }),
  output: Type.Object({ id: Id, removed: Type.Literal(true) }),
  example: { id: SAMPLE.browser_id },
  effect: 'destroys',
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'DELETE', path: '/api/notifications/browsers/{id}' }],
  load: (read, { id }) => read(pushSubscriptionById, { id }),
  decide: (browser, _input, ctx) => {
    if (browser?.account_id !== ctx.account_id) return fault('not_found');
    return { reply: { id: browser.id, removed: true as const }, effects: removeBrowsers(ctx.account_id, [browser]) };
  },
});
