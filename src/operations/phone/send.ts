// Texts a code to the phone number to prove. The answer is the same for a number that backs another agent, so that known
// numbers are not disclosed; the refusal comes with the correct code (rules.md 3).

import { Type } from 'typebox';
import { codeById } from '../../../db/queries/identity.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { CODE_LIFE_MS, phoneSendLimits } from '../../domain/identity/code.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { phoneCodeText } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { parsePhone } from '../../outbound/phone.ts';
import { described, namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Phone } from '../../schemas/wire.ts';
import { sendLetter } from '../../steps/letter.ts';
import { codeId, freshCode, sendCounters } from '../../steps/session/code.ts';

export const phoneSend = command({
  name: 'phone.send',
  noun: 'Verification of a phone number by a code.',
  summary: 'Text a code to a phone',
  description: 'Sends six digits for the acting agent; a new code replaces the earlier one, even for another number.',
  input: Type.Object({
    phone: described('international, such as +14155550123, or national with `country`', Phone),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        description: 'ISO 3166-1 code of the country of a national number',
      }),
    ),
  }),
  output: namedObject('PhoneCodeSent', 'confirms that a code was sent to a phone', {
    sent: Type.Boolean(),
    expires_in: Type.Integer({ description: 'seconds' }),
    phone: Type.String({ description: 'the number in its international form' }),
  }),
  example: { phone: SAMPLE.phone },
  effect: 'adds',
  open_world: true,
  access: 'session',
  agent: 'required',
  faults: ['invalid_phone', 'rate_limited', 'conflict'],
  rest: [{ method: 'POST', path: '/api/trust/phone/send' }],
  load: (read, _input, ctx) => read(codeById, { id: codeId('phone', actor(ctx).id) }),
  decide: (previous, { phone, country }, ctx) => {
    const parsed = parsePhone(phone, country);
    if (isFault(parsed)) return parsed;
    const agent = actor(ctx);
    const to = parsed.e164;
    const { code, effects } = freshCode(codeId('phone', agent.id), previous, { phone: to }, ctx);
    const text = phoneCodeText(code, CODE_LIFE_MS / MINUTE_MS, letterWordsFor(ctx.principal));
    return {
      reply: { sent: true, expires_in: CODE_LIFE_MS / 1000, phone: to },
      effects: [
        ...sendCounters(phoneSendLimits(to, agent.id, ctx.ip), ctx),
        ...effects,
        sendLetter({ channel: 'sms', to, text }, ctx),
      ],
    };
  },
});
