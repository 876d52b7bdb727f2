// Adds a passkey to the account. A flow, because the response is checked between two turns: the first consumes the challenge, so that
// it allows one attempt. A letter tells the person, since a stolen session could gain permanent access this way.
import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { ALGORITHMS } from '../../domain/identity/passkey.ts';
import { passkeyAddedLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import { checkMade } from '../../outbound/passkey.ts';
import { MadeCredentialInput, Passkey, PasskeyName, passkeyView } from '../../schemas/passkey.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { sendLetter } from '../../steps/letter.ts';
import { countPasskeys, ownParty } from '../../steps/passkey.ts';
import { takeChallenge } from './register/challenge.ts';

export const passkeyRegister = flow({
  name: 'passkey.register',
  needed_by: 'a person who signs in with passkeys',
  summary: 'Add a passkey',
  description: 'At most 20 per account. The person is told of each by mail.',
  input: Type.Object({ name: PasskeyName, credential: MadeCredentialInput }),
  output: Passkey,
  example: {
    name: 'Phone',
    credential: {
      id: SAMPLE.credential_id,
      response: { clientDataJSON: SAMPLE.made_client_data, attestationObject: SAMPLE.attestation_object },
    },
  },
  effect: 'adds',
  access: 'session',
  status: 'created',
  faults: ['invalid_passkey', 'credential_in_use', 'plan_limit', 'provider_not_configured'],
  rest: [{ method: 'POST', path: '/api/auth/passkeys' }],
  run: async ({ name, credential }, ctx) => {
    const party = ownParty(ctx);
    if (isFault(party)) return party;
    const taken = await ctx.turn<string, 'invalid_passkey'>({
      attempt: async (read) => {
        const found = await takeChallenge(read, 'register', credential.response.clientDataJSON, ctx);
        return isFault(found) ? found : { reply: found.challenge, effects: found.effects };
      },
    });
    if (isFault(taken)) return taken;
    const made = await checkMade(credential, taken.reply, party, ALGORITHMS);
    if (made === null) return fault('invalid_passkey');
    const row = {
      id: ctx.id(),
      account_id: ctx.account_id,
      credential_id: made.credential_id,
      public_key: made.public_key,
      counter: made.counter,
      transports: credential.response.transports ?? [],
      backed_up: made.backed_up ? 1 : 0,
      name,
      created_at: ctx.now_ms,
      used_at: null,
      copied_at: null,
      version: 1,
    };
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const account = await read.peek(accountById, { id: ctx.account_id });
        const letter = {
          channel: 'mail' as const,
          to: account?.email ?? '',
          ...passkeyAddedLetter(name, ctx.settings.app_url, letterWordsFor(account)),
        };
        return {
          reply: passkeyView(row),
          effects: [
            insert('passkeys', row, fault('credential_in_use', 'That passkey is already registered.')),
            countPasskeys(ctx.account_id, 1),
            ...(account?.email ? [sendLetter(letter, ctx)] : []),
          ],
        };
      },
    });
  },
});
