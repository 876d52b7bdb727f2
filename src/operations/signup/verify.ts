// Exchanges a mailed code for an account and its first API key. For an address with an account it is a login.
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { isFault } from '../../domain/fault.ts';
import { SIGNUP_SCOPES } from '../../domain/identity/scope.ts';
import { CodeInput, IssuedKey } from '../../schemas/key.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { iso } from '../../schemas/wire.ts';
import { readInvitation } from '../../steps/account/invited.ts';
import { joinAs } from '../../steps/account/join.ts';
import { mintApiKey } from '../../steps/key.ts';
import { checkCode } from '../../steps/session/code.ts';
import { readProof } from '../../steps/session/find.ts';

export const signupVerify = command({
  name: 'signup.verify',
  summary: 'Finish signing up',
  description: 'Exchanges the mailed code for an API key, which is shown only once.',
  input: CodeInput,
  output: IssuedKey,
  example: { email: SAMPLE.email, code: SAMPLE.signup_code },
  effect: 'adds',
  access: 'public',
  signs_in: true,
  secret: true,
  faults: ['invalid_request', 'invalid_code', 'too_many_tries', 'signup_closed', 'account_suspended', 'conflict'],
  rest: [{ method: 'POST', path: '/api/auth/signup/verify' }],
  no_tool: BEFORE_A_KEY,
  load: async (read, { email }, ctx) => {
    const proof = await readProof(read, 'signup', email);
    const invitation = isFault(proof.address) ? null : await readInvitation(read, proof.address, ctx);
    return { ...proof, invitation };
  },
  decide: ({ address, code, account: known, invitation }, input, ctx) => {
    if (isFault(address)) return address;
    const checked = checkCode(code, input.code, ctx);
    if (isFault(checked)) return checked;
    const joined = joinAs(address, { known, invitation }, ctx);
    if (isFault(joined)) return joined;
    const account_id = joined.account.id;
    const name = input.client_name?.trim() ? input.client_name : 'signup';
    const key = mintApiKey(ctx, { account_id, agent_id: null, name, kind: 'signup', scopes: SIGNUP_SCOPES });
    return {
      reply: { api_key: key.api_key, expires_at: iso(key.row.expires_at), scopes: [...SIGNUP_SCOPES] },
      effects: [...checked.effects, ...joined.effects, ...key.effects],
    };
  },
});
