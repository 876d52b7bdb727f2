// Names the address of an invitation, which may then join in any way that the service offers. The account is created, and the
// invitation consumed, when the address is proven; until then another address can be named.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { invitationByHash } from '../../../db/queries/invitation.ts';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { admits } from '../../domain/identity/join.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Email, iso, Time } from '../../schemas/wire.ts';
import { isVouchedFor } from '../../steps/account/invited.ts';
import { invitationHash } from '../../steps/invitation.ts';

export const invitationAccept = command({
  name: 'invitation.accept',
  summary: 'Accept an invitation',
  description: 'The token is the last part of the link. Sign up or sign in with the address afterwards.',
  input: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }), email: Email }),
  output: Type.Object({ accepted: Type.Literal(true), expires_at: Time }),
  example: { token: SAMPLE.invitation_token, email: SAMPLE.free_email },
  effect: 'changes',
  access: 'public',
  faults: ['invalid_request', 'gone'],
  rest: [{ method: 'POST', path: '/api/auth/invitation' }],
  no_tool: BEFORE_A_KEY,
  load: async (read, { token }) => {
    const found = await read(invitationByHash, { hash: invitationHash(token) });
    return found && (await isVouchedFor(read, found)) ? found : null;
  },
  decide: (invitation, input, ctx) => {
    const email = parseEmail(input.email);
    if (isFault(email)) return email;
    const stands = invitation !== null && invitation.used_at === null && invitation.expires_at > ctx.now_ms;
    if (!stands || !admits(ctx.settings.joining, invitation.by)) return fault('gone');
    if (invitation.bound === 1 && invitation.email !== email) {
      return invalid({ path: 'email', message: 'This invitation is for another address.' });
    }
    return {
      reply: { accepted: true as const, expires_at: iso(invitation.expires_at) },
      effects: invitation.email === email ? [] : [patch('invitations', invitation, { email })],
    };
  },
});
