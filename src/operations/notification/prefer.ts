// Changes which events a person gets by mail and push, and when (rules.md 11). The same commit adds or removes the digest's reminder,
// which exists exactly while a digest is wanted.
import { notificationSettings } from '../../../db/queries/notification.ts';
import { command } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { settingsAfter } from '../../domain/inbox/notification-settings.ts';
import { namedObject } from '../../schemas/named.ts';
import { SETTINGS_INPUT, SettingsShape, settingsOf, settingsView } from '../../schemas/notification.ts';
import { keepSettings } from '../../steps/notification.ts';

export const notificationPrefer = command({
  name: 'notification.prefer',
  summary: 'Set your notification preferences',
  description:
    'Omitted fields are unchanged. They belong to the account: all of its agents share them, so a key that is bound to one ' +
    'agent cannot change them.',
  input: namedObject('NotificationSettingsInput', 'the settings to change', SETTINGS_INPUT),
  output: SettingsShape,
  example: { email: 'important', quiet_hours: { from: '22:00', to: '07:00', tz: 'UTC' } },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  faults: ['invalid_request', 'conflict', 'not_reachable_with_key'],
  rest: [{ method: 'PATCH', path: '/api/notifications/preferences' }],
  tools: [
    {
      name: 'mesh_set_notification_preferences',
      title: 'Set your notification preferences',
      set: 'account',
      extension: true,
    },
  ],
  load: (read, _input, { account_id }) => read(notificationSettings, { id: account_id }),
  decide: (row, { email, digest, push, quiet_hours: hours, mute }, ctx) => {
    if (ctx.principal.key_agent_id !== null) {
      return fault(
        'not_reachable_with_key',
        'A key that is bound to an agent cannot change the preferences of the account.',
      );
    }
    const quiet_hours = hours && { from: hours.from, to: hours.to, tz: hours.tz ?? 'UTC' };
    const after = settingsAfter(settingsOf(row), { email, digest, push, quiet_hours, mute });
    if (isFault(after)) return after;
    return { reply: settingsView(after), effects: keepSettings(ctx.account_id, row, after, ctx.now_ms) };
  },
});
