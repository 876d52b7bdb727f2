// Lists the browsers with a push subscription.
import { Type } from 'typebox';
import { pushSubscriptionsOfAccount } from '../../../db/queries/notification.ts';
import { query } from '../../contract/operation.ts';
import { browserView, PushedBrowser } from '../../schemas/notification.ts';

export const browserList = query({
  name: 'browser.list',
  needed_by: 'a person who checks which browsers are notified',
  summary: 'List the browsers that get notifications',
  description: 'Oldest first.',
  input: Type.Object({}),
  output: Type.Array(PushedBrowser),
  access: 'session',
  rest: [{ method: 'GET', path: '/api/notifications/browsers' }],
  run: async (read, _input, { account_id }) =>
    (await read(pushSubscriptionsOfAccount, { account_id })).map(browserView),
});
