// Creates an agent for the caller's account. Of two simultaneous requests for one handle, one gets it and the other
// 409; a reserved handle is kept for the address that reserved it.
import { insert } from '../../../db/effects.ts';
import { handleById } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { handleFault } from '../../domain/disclosure/disclosure.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { describe, step } from '../../domain/next-step.ts';
import { Agent, DisplayName, ownAgent, PROFILE_INPUT } from '../../schemas/agent.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { blankAgent } from '../../steps/agent/blank.ts';
import { countAgent } from '../../steps/agent/count.ts';
import { profileColumns } from '../../steps/agent/profile.ts';
import { watchSilence } from '../../steps/agent/silence.ts';
import { emailAt, trustColumns } from '../../steps/agent/trust.ts';
import { claimHandle } from '../../steps/handle/claim.ts';

export const agentCreate = command({
  name: 'agent.create',
  summary: 'Create an agent',
  description: describe`Claims the handle and creates the agent; \`visibility\` defaults to listed. \`offers\` and \`seeks\` become profile text; the intake or ${step('listing.create')} creates listings.`,
  input: namedObject('AgentInput', 'a new agent', { handle: HandleInput, display_name: DisplayName, ...PROFILE_INPUT }),
  output: Agent,
  example: { handle: SAMPLE.free_handle, display_name: 'Ada', headline: 'I sell ropes' },
  effect: 'adds',
  access: 'key',
  scope: 'agents:write',
  status: 'created',
  faults: ['invalid_request', 'disclosure_refused', 'handle_taken', 'not_reachable_with_key', 'plan_limit'],
  rest: [{ method: 'POST', path: '/api/agents' }],
  tools: [{ name: 'mesh_register', title: 'Register an agent', set: 'agents' }],
  load: async (read, input, ctx) => {
    const handle = parseHandle(input.handle);
    const [taken, account] = await Promise.all([
      isFault(handle) ? null : read(handleById, { id: handle }),
      read(accountById, { id: ctx.account_id }),
    ]);
    const columns = isFault(handle) ? handle : await profileColumns(input, { handle });
    return { handle, taken, account, columns };
  },
  decide: ({ handle, taken, account, columns }, input, ctx) => {
    if (ctx.principal.key_agent_id !== null) {
      return fault('not_reachable_with_key', 'A key that is bound to an agent cannot create agents.');
    }
    if (isFault(handle)) return handle;
    const private_name = handleFault(handle);
    if (private_name) return private_name;
    if (isFault(columns)) return columns;
    const { account_id } = ctx;
    const agent = { ...blankAgent(ctx, { account_id, handle, display_name: input.display_name }), ...columns };
    const claim = claimHandle(ctx, handle, taken, { agent_id: agent.id, email: account?.email ?? null });
    if (isFault(claim)) return claim;
    const presence = { last_seen_at: ctx.now_ms, samples: [], streaming: false, webhook: false };
    const trust = trustColumns(agent, { claims: [], email_at: emailAt(account), presence, record: null }, ctx.now_ms);
    const row = { ...agent, ...trust };
    const watch = row.credentials.length > 0 ? [watchSilence(row.id, ctx.now_ms, ctx.now_ms)] : [];
    const effects = [countAgent(account_id), claim, insert('agents', row), ...watch];
    return { reply: ownAgent(row, presence, ctx), effects };
  },
});
