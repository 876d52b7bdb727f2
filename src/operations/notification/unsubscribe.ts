// Stops one kind of letter by the address in a letter's header, which works without signing in. It changes the same settings as the
// app, where it can be undone.
import { Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { notificationSettings } from '../../../db/queries/notification.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { settingsOf } from '../../schemas/notification.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { LETTER_KINDS, readUnsubscribe, STOPPED, stops, UNSUBSCRIBE_TOKEN } from '../../steps/mail/unsubscribe.ts';
import { keepSettings } from '../../steps/notification.ts';

export const notificationUnsubscribe = command({
  name: 'notification.unsubscribe',
  needed_by: 'the page for unsubscribing without a sign-in, and mail programs by RFC 8058',
  summary: 'Stop a kind of letter',
  input: Type.Object({ token: UNSUBSCRIBE_TOKEN }),
  output: Type.Object({ kind: Type.Enum([...LETTER_KINDS]) }),
  example: { token: SAMPLE.unsubscribe_token },
  effect: 'changes',
  access: 'public',
  faults: ['not_found', 'conflict'],
  load: async (read, { token }, ctx) => {
    const asked = readUnsubscribe(token, ctx);
    const account = asked && (await read(accountById, { id: asked.account_id }));
    if (!asked || !account || account.deleted_at !== null) return null;
    return { ...asked, row: await read(notificationSettings, { id: asked.account_id }) };
  },
  decide: (state, _input, ctx) => {
    if (!state) return fault('not_found');
    const { account_id, kind, row } = state;
    if (stops(kind, row)) return { reply: { kind } };
    return {
      reply: { kind },
      effects: keepSettings(account_id, row, { ...settingsOf(row), ...STOPPED[kind] }, ctx.now_ms),
    };
  },
});
