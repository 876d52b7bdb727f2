// Mails the code by which a person claims the calling agent. It goes to the given address, with or without an account (Q17): the
// holder of the mailbox decides.
import { Type } from 'typebox';
import { codeById } from '../../../db/queries/identity.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { CODE_LIFE_MS } from '../../domain/identity/code.ts';
import { claimLimits } from '../../domain/identity/key.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { codeLetter } from '../../outbound/mailer/letters.ts';
import { letterWords } from '../../outbound/mailer/words/words.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email } from '../../schemas/wire.ts';
import { sendLetter } from '../../steps/letter.ts';
import { claimCodeId, FOR_A_PERSON } from '../../steps/provision/claim.ts';
import { freshCode, sentTo } from '../../steps/session/code.ts';
import { readNewcomer } from '../../steps/session/find.ts';

export const provisionClaim = command({
  name: 'provision.claim',
  summary: 'Mail a code that claims the calling agent',
  description: 'Ask your human for their address, and for the six digits mailed to it.',
  input: Type.Object({ email: Email }),
  output: Type.Object({ sent: Type.Boolean() }),
  example: { email: SAMPLE.free_email },
  effect: 'adds',
  open_world: true,
  access: 'key',
  scope: 'any',
  provisional: true,
  agent: 'required',
  faults: ['invalid_request', 'already_claimed', 'rate_limited', 'conflict'],
  rest: [{ method: 'POST', path: '/api/auth/provision/claim' }],
  no_tool: FOR_A_PERSON,
  load: async (read, input, ctx) => {
    const email = parseEmail(input.email);
    if (isFault(email)) return { to: email, code: null };
    const [to, code] = await Promise.all([
      readNewcomer(read, email, ctx),
      read(codeById, { id: claimCodeId(actor(ctx).id, email) }),
    ]);
    return { to, code };
  },
  decide: ({ to, code: last }, _input, ctx) => {
    const { id, provisional } = actor(ctx);
    if (provisional !== 1) return fault('already_claimed');
    if (isFault(to)) return to;
    const { code, effects: rows } = freshCode(claimCodeId(id, to.email), last, {}, ctx);
    const said = codeLetter('claim', code, CODE_LIFE_MS / MINUTE_MS, letterWords(to.language));
    const letter = sendLetter({ channel: 'mail', to: to.email, ...said }, ctx);
    return { reply: { sent: true }, effects: sentTo(to, { rows, letter }, ctx, claimLimits(id)) };
  },
});
