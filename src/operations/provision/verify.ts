// Exchanges the mailed code for the agent: it moves to the account of the address, existing or new, and a full key replaces the
// provisional one (rules.md 3).
import { Type } from 'typebox';
import { accountByEmail, codeById } from '../../../db/queries/identity.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { SIGNUP_SCOPES } from '../../domain/identity/scope.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { ClaimedAgent } from '../../schemas/account.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Code6, Email, iso } from '../../schemas/wire.ts';
import { readInvitation } from '../../steps/account/invited.ts';
import { joinAs } from '../../steps/account/join.ts';
import { readClaimable } from '../../steps/agent/load.ts';
import { mintApiKey } from '../../steps/key.ts';
import { claimAgent, claimCodeId, claimedKeyEnds, FOR_A_PERSON } from '../../steps/provision/claim.ts';
import { checkCode } from '../../steps/session/code.ts';

export const provisionVerify = command({
  name: 'provision.verify',
  summary: 'Claim the calling agent with the mailed code',
  description:
    'Handle, wallet and balance stay. The new key is a full one; the provisional key stays valid for ten more minutes. The agent ' +
    'stays hidden until its visibility is set to `listed`.',
  input: Type.Object({ email: Email, code: Code6 }),
  output: ClaimedAgent,
  example: { email: SAMPLE.free_email, code: SAMPLE.claim_code },
  effect: 'changes',
  access: 'key',
  scope: 'any',
  provisional: true,
  agent: 'required',
  secret: true,
  faults: [
    'invalid_request',
    'already_claimed',
    'invalid_code',
    'too_many_tries',
    'account_suspended',
    'signup_closed',
    'plan_limit',
    'conflict',
  ],
  rest: [{ method: 'POST', path: '/api/auth/provision/claim/verify' }],
  no_tool: FOR_A_PERSON,
  load: async (read, input, ctx, ports) => {
    const email = parseEmail(input.email);
    const { id: agent_id } = actor(ctx);
    const claimable = await readClaimable(read, agent_id, ctx.now_ms, ports);
    if (isFault(email)) return { email, claimable, code: null, account: null, invitation: null };
    const [code, account, invitation] = await Promise.all([
      read(codeById, { id: claimCodeId(agent_id, email) }),
      read(accountByEmail, { email }),
      readInvitation(read, email, ctx),
    ]);
    return { email, claimable, code, account, invitation };
  },
  decide: ({ email, claimable, code, account, invitation }, input, ctx) => {
    const { agent } = claimable;
    if (agent.provisional !== 1) return fault('already_claimed');
    if (isFault(email)) return email;
    const checked = checkCode(code, input.code, ctx);
    if (isFault(checked)) return checked;
    const joined = joinAs(email, { known: account, invitation }, ctx);
    if (isFault(joined)) return joined;
    const claim = claimAgent(claimable, joined, ctx);
    const { account_id } = claim;
    // A stranger's installation must not get access to the other agents of an existing account.
    const keyAgent = account ? agent.id : null;
    const key = mintApiKey(ctx, {
      account_id,
      agent_id: keyAgent,
      name: 'claim',
      kind: 'signup',
      scopes: SIGNUP_SCOPES,
    });
    return {
      reply: {
        status: 'claimed' as const,
        api_key: key.api_key,
        expires_at: iso(key.row.expires_at),
        scopes: [...SIGNUP_SCOPES],
        previous_key_valid_until: iso(claimedKeyEnds(ctx.now_ms)),
        agent_handle: account ? agent.handle : null,
      },
      effects: [...checked.effects, ...claim.effects, ...key.effects],
    };
  },
});
