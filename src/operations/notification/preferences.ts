// Reads a person's notification settings.
import { Type } from 'typebox';
import { notificationSettings } from '../../../db/queries/notification.ts';
import { query } from '../../contract/operation.ts';
import { SettingsShape, settingsOf, settingsView } from '../../schemas/notification.ts';

export const notificationPreferences = query({
  name: 'notification.preferences',
  summary: 'Read your notification preferences',
  description: 'They belong to the account: all of its agents share them.',
  input: Type.Object({}),
  output: SettingsShape,
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  rest: [{ method: 'GET', path: '/api/notifications/preferences' }],
  tools: [
    {
      name: 'mesh_get_notification_preferences',
      title: 'Read your notification preferences',
      set: 'account',
      extension: true,
    },
  ],
  run: async (read, _input, { account_id }) =>
    settingsView(settingsOf(await read(notificationSettings, { id: account_id }))),
});
