// Shows what the unsubscribe address of a letter would stop, for the confirmation page.
import { Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { notificationSettings } from '../../../db/queries/notification.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { LETTER_KINDS, readUnsubscribe, stops, UNSUBSCRIBE_TOKEN } from '../../steps/mail/unsubscribe.ts';

export const notificationLetters = query({
  name: 'notification.letters',
  needed_by: 'the page for unsubscribing without a sign-in',
  summary: 'Read which letters an unsubscribe link stops',
  input: Type.Object({ token: UNSUBSCRIBE_TOKEN }),
  output: Type.Object({ kind: Type.Enum([...LETTER_KINDS]), stopped: Type.Boolean() }),
  example: { token: SAMPLE.unsubscribe_token },
  access: 'public',
  faults: ['not_found'],
  run: async (read, { token }, ctx) => {
    const asked = readUnsubscribe(token, ctx);
    const account = asked && (await read(accountById, { id: asked.account_id }));
    if (!asked || !account || account.deleted_at !== null) return fault('not_found');
    const row = await read(notificationSettings, { id: asked.account_id });
    return { kind: asked.kind, stopped: stops(asked.kind, row) };
  },
});
