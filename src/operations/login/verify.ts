// Exchanges a mailed code for a new API key of an existing account. Its other keys stay valid.
import { command } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { SIGNUP_SCOPES } from '../../domain/identity/scope.ts';
import { suspensionOf } from '../../domain/identity/suspension.ts';
import { CodeInput, IssuedKey } from '../../schemas/key.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { iso } from '../../schemas/wire.ts';
import { mintApiKey } from '../../steps/key.ts';
import { checkCode } from '../../steps/session/code.ts';
import { readProof } from '../../steps/session/find.ts';

export const loginVerify = command({
  name: 'login.verify',
  summary: 'Finish logging in',
  description:
    'Exchanges the mailed code for a new API key, which is shown only once. A correct code for an address without an ' +
    'account returns 404; sign up instead.',
  input: CodeInput,
  output: IssuedKey,
  example: { email: SAMPLE.email, code: SAMPLE.login_code },
  effect: 'adds',
  access: 'public',
  signs_in: true,
  secret: true,
  faults: ['invalid_request', 'invalid_code', 'too_many_tries', 'account_suspended', 'not_found'],
  rest: [{ method: 'POST', path: '/api/auth/login/verify' }],
  no_tool: BEFORE_A_KEY,
  load: (read, { email }) => readProof(read, 'login', email),
  decide: ({ address, code, account }, input, ctx) => {
    if (isFault(address)) return address;
    const checked = checkCode(code, input.code, ctx);
    if (isFault(checked)) return checked;
    if (!account) {
      // The code is consumed all the same: it has disclosed that there is no account.
      return { ...fault('not_found', 'No account has this address; sign up instead.'), effects: checked.effects };
    }
    const kept_out = suspensionOf(account);
    if (kept_out) return { ...kept_out, effects: checked.effects };
    const name = input.client_name?.trim() ? input.client_name : 'login';
    const key = mintApiKey(ctx, {
      account_id: account.id,
      agent_id: null,
      name,
      kind: 'signup',
      scopes: SIGNUP_SCOPES,
    });
    return {
      reply: { api_key: key.api_key, expires_at: iso(key.row.expires_at), scopes: [...SIGNUP_SCOPES] },
      effects: [...checked.effects, ...key.effects],
    };
  },
});
