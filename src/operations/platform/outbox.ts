// The newest letters and text messages to an address, while the outbox replaces real senders: for development and for tests
// that need a code.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, Time } from '../../schemas/wire.ts';

export const platformOutbox = query({
  name: 'platform.outbox',
  summary: 'Read the mails and text messages sent to an address',
  description:
    'Newest first. Only while mail or text messages are written to the outbox; with SMTP_URL and SMS_URL set this is 404.',
  input: Type.Object({
    to: Type.String({ minLength: 1, maxLength: 320, description: 'an email address or phone number' }),
  }),
  output: Type.Array(
    namedObject('OutboxMessage', 'a mail or text message as sent', {
      id: Id,
      kind: Type.Union([Type.Literal('mail'), Type.Literal('sms')]),
      to: Type.String(),
      subject: Type.Optional(Type.String()),
      text: Type.String(),
      created_at: Time,
    }),
  ),
  example: { to: SAMPLE.email },
  access: 'platform',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/internal/outbox' }],
  run: async (_read, { to }, { settings }, { outbox }) => {
    if (!settings.outbox && !settings.text_outbox) return fault('not_found');
    return outbox.list(to);
  },
});
