// The options for creating a passkey in a browser: user, relying party, and the challenge to sign.
import { Type } from 'typebox';
import { accountById, passkeysOfAccount } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { ALGORITHMS, CHALLENGE_LIFE_MS } from '../../domain/identity/passkey.ts';
import { CreationOptions } from '../../schemas/passkey.ts';
import { mintChallenge, ownParty, userHandle } from '../../steps/passkey.ts';

export const passkeyOptions = command({
  name: 'passkey.options',
  needed_by: 'the web app, before a browser can make a passkey',
  noun: 'Passkeys, for signing in without a code.',
  summary: 'Start adding a passkey',
  description:
    'For `navigator.credentials.create`. The result is accepted once, within five minutes, from the same session.',
  input: Type.Object({}),
  output: CreationOptions,
  effect: 'adds',
  access: 'session',
  secret: true,
  faults: ['rate_limited', 'provider_not_configured'],
  rest: [{ method: 'POST', path: '/api/auth/passkeys/options' }],
  load: async (read, _input, { account_id }) => ({
    account: await read.peek(accountById, { id: account_id }),
    passkeys: await read.peek(passkeysOfAccount, { account_id }),
  }),
  decide: ({ account, passkeys }, _input, ctx) => {
    const party = ownParty(ctx);
    if (isFault(party)) return party;
    const { challenge, effects } = mintChallenge('register', ctx);
    const name = account?.email ?? '';
    return {
      reply: {
        challenge,
        rp: { id: party.id, name: ctx.settings.instance.name },
        user: { id: userHandle(ctx.account_id), name, displayName: name },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
        timeout: CHALLENGE_LIFE_MS,
        attestation: 'none' as const,
        authenticatorSelection: {
          residentKey: 'required' as const,
          requireResidentKey: true as const,
          userVerification: 'required' as const,
        },
        excludeCredentials: passkeys.map(({ credential_id, transports }) => ({
          type: 'public-key' as const,
          id: credential_id,
          transports: [...transports],
        })),
      },
      effects,
    };
  },
});
