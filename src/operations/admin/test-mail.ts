// Sends a letter to the calling administrator at once, and answers what the mail server said. Other letters are queued and retried.
import { Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { flow } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { trialLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { namedObject } from '../../schemas/named.ts';
import { NullableText } from '../../schemas/wire.ts';
import { named } from '../../steps/letter.ts';

/** A healthy mail server answers sooner. */
const PATIENCE_MS = 20_000;

export const adminTestMail = flow({
  name: 'admin.test_mail',
  needed_by: 'an administrator who sets up mail',
  summary: 'Send a test mail',
  description:
    'To your own address, at once. If it fails, `reason` holds the error of the mail library and the reply code of the server.',
  input: Type.Object({}),
  output: namedObject('MailTried', 'the result of sending a mail', {
    to: Type.String(),
    sent: Type.Boolean({ description: 'whether the mail server, or the outbox, accepted it' }),
    outbox: Type.Boolean({ description: 'it was written to DATA_DIR/outbox, since SMTP_URL is not set' }),
    message_id: NullableText,
    reason: NullableText,
  }),
  effect: 'adds',
  open_world: true,
  access: 'admin',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/admin/test-mail' }],
  run: async (_input, ctx, { mailer }) => {
    const account = await ctx.read(accountById, { id: ctx.account_id });
    const to = account?.email;
    if (!to) return fault('not_found', 'Sign in first: the operator of the server has no address here.');
    const letter = { id: ctx.id(), ...named({ to, ...trialLetter(letterWordsFor(account)) }, ctx.settings) };
    const result = await mailer.send(letter, AbortSignal.timeout(PATIENCE_MS));
    return {
      reply: {
        to,
        sent: result.sent,
        outbox: result.sent && result.kept === true,
        message_id: result.sent ? result.message_id : null,
        reason: result.sent ? null : result.reason,
      },
    };
  },
});
