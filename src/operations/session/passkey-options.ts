// The options for a sign-in with a passkey: relying party, and the challenge to sign. They disclose no account, since the device
// itself knows its passkeys.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { isFault } from '../../domain/fault.ts';
import { CHALLENGE_LIFE_MS } from '../../domain/identity/passkey.ts';
import { RequestOptions } from '../../schemas/passkey.ts';
import { mintChallenge, ownParty } from '../../steps/passkey.ts';

export const sessionPasskeyOptions = command({
  name: 'session.passkey_options',
  needed_by: 'the page of signing in, before a browser can use a passkey',
  summary: 'Start signing in with a passkey',
  description: 'For `navigator.credentials.get`. The result is accepted once, within five minutes.',
  input: Type.Object({}),
  output: RequestOptions,
  effect: 'adds',
  access: 'public',
  signs_in: true,
  secret: true,
  faults: ['rate_limited', 'provider_not_configured'],
  rest: [{ method: 'POST', path: '/api/auth/session/passkey/options' }],
  no_tool: BEFORE_A_KEY,
  load: async () => null,
  decide: (_state, _input, ctx) => {
    const party = ownParty(ctx);
    if (isFault(party)) return party;
    const { challenge, effects } = mintChallenge('sign_in', ctx);
    return {
      reply: { challenge, rpId: party.id, timeout: CHALLENGE_LIFE_MS, userVerification: 'required' as const },
      effects,
    };
  },
});
