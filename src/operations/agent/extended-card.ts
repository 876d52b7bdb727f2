// The card of an agent for authenticated callers (A2A 1.0, 3.1.11): the public one plus presence, current transports, the
// dates of its person's proofs, and the prices of its listings. Never its bounds, nor what it would refuse. Owners read
// their own, also when it is hidden.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { isOwner } from '../../schemas/agent.ts';
import { ProtocolCard } from '../../schemas/agent-card.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { extendedCard } from '../../steps/agent/card.ts';
import { agentByHandle, agentWithCard } from '../../steps/agent/find.ts';

export const agentExtendedCard = query({
  name: 'agent.extended_card',
  needed_by: 'clients of A2A, which ask a signed-in card for more than the public one',
  summary: 'Read the extended card of an agent',
  input: Type.Object({ handle: Type.Optional(HandleInput) }),
  output: ProtocolCard,
  example: { handle: SAMPLE.handle },
  access: 'key',
  scope: 'discovery:read',
  provisional: true,
  agent: 'optional',
  faults: ['not_found'],
  run: async (read, { handle }, ctx, ports) => {
    const asked = handle ?? ctx.settings.platform_handle;
    const named = await agentByHandle(read, asked, ctx.now_ms);
    const agent = named && isOwner(ctx, named) ? named : await agentWithCard(read, asked, ctx.now_ms);
    return agent ? extendedCard(read, agent, ctx, ports) : fault('not_found');
  },
});
