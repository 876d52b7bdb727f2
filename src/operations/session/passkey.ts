// Opens a session for a passkey's response. The challenge is consumed before the response is checked, the signature counter is
// compared in the commit that opens the session, and all failures have the same message.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { accountById, passkeyByCredential } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { flow } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { looksCopied } from '../../domain/identity/passkey.ts';
import { suspensionOf } from '../../domain/identity/suspension.ts';
import { checkShown } from '../../outbound/passkey.ts';
import { ShownCredentialInput } from '../../schemas/passkey.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { ownParty, userHandle } from '../../steps/passkey.ts';
import { type SignedIn, sessionAnswer } from '../../steps/session/find.ts';
import { beginSession, refreshToken, SessionAnswer } from '../../steps/session/open.ts';
import { takeChallenge } from '../passkey/register/challenge.ts';

interface Asked {
  readonly challenge: string;
  readonly passkey: Row<'passkeys'>;
}

export const sessionPasskey = flow({
  name: 'session.passkey',
  needed_by: 'a person who signs in with a passkey',
  summary: 'Sign in with a passkey',
  description: 'Exchanges the result of `navigator.credentials.get` for a session, as session.verify does a code.',
  input: Type.Object({ credential: ShownCredentialInput }),
  output: SessionAnswer,
  example: {
    credential: {
      id: SAMPLE.credential_id,
      response: {
        clientDataJSON: SAMPLE.shown_client_data,
        authenticatorData: SAMPLE.authenticator_data,
        signature: SAMPLE.passkey_signature,
      },
    },
  },
  effect: 'adds',
  access: 'public',
  signs_in: true,
  secret: true,
  faults: ['invalid_passkey', 'account_suspended', 'provider_not_configured'],
  rest: [{ method: 'POST', path: '/api/auth/session/passkey' }],
  no_tool: BEFORE_A_KEY,
  run: async ({ credential }, ctx, ports) => {
    const party = ownParty(ctx);
    if (isFault(party)) return party;
    const asked = await ctx.turn<Asked | null, 'invalid_passkey'>({
      attempt: async (read) => {
        const taken = await takeChallenge(read, 'sign_in', credential.response.clientDataJSON, ctx);
        if (isFault(taken)) return taken;
        const passkey = await read.peek(passkeyByCredential, { credential_id: credential.id });
        return { reply: passkey && { challenge: taken.challenge, passkey }, effects: taken.effects };
      },
    });
    if (isFault(asked)) return asked;
    if (asked.reply === null) return fault('invalid_passkey');
    const { challenge, passkey } = asked.reply;
    // Some devices leave it out; then the key alone identifies the account.
    const { userHandle: said } = credential.response;
    if (said && said !== userHandle(passkey.account_id)) return fault('invalid_passkey');
    const shown = await checkShown(credential, challenge, party, passkey);
    if (shown === null) return fault('invalid_passkey');
    const session_id = ctx.id();
    const { token, refresh_hash } = refreshToken(session_id, ctx);
    const opened = await ctx.turn<SignedIn, 'invalid_passkey' | 'account_suspended'>({
      attempt: async (read) => {
        const row = await read(passkeyByCredential, { credential_id: credential.id });
        const account = row && (await read(accountById, { id: row.account_id }));
        if (!row || !account || account.email === null || row.copied_at !== null) return fault('invalid_passkey');
        if (looksCopied(row.counter, shown.counter)) {
          return { ...fault('invalid_passkey'), effects: [patch('passkeys', row, { copied_at: ctx.now_ms })] };
        }
        const kept_out = suspensionOf(account);
        if (kept_out) return kept_out;
        const used = { counter: shown.counter, backed_up: shown.backed_up ? 1 : 0, used_at: ctx.now_ms };
        return {
          reply: { id: account.id, email: account.email, plan: account.plan, language: account.language },
          effects: [patch('passkeys', row, used), ...beginSession(session_id, account, refresh_hash, ctx)],
        };
      },
    });
    return isFault(opened) ? opened : sessionAnswer(opened.reply, session_id, token, ctx, ports);
  },
});
