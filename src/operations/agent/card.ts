// The agent card of protocol 0.2.0: identity, offers and seeks, and current transports of an agent. Rendered for each
// reader from prepared reads; readers cache it for five minutes and revalidate by its ETag.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { AgentCard, platformCard } from '../../schemas/agent-card.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { CARD_CACHE_SECONDS, publicCard } from '../../steps/agent/card.ts';

export const agentCard = query({
  name: 'agent.card',
  summary: 'Read an agent card',
  description:
    'The discovery document of protocol 0.2.0: profile, live listings as skills, currently working transports, best ' +
    'first, and presence. Without `handle`: the card of the agent of the service. Amounts are ' +
    'in dollars, and in cents too. Cached for 5 minutes; revalidate with If-None-Match.',
  input: Type.Object({ handle: Type.Optional(HandleInput) }),
  output: AgentCard,
  example: { handle: SAMPLE.handle },
  access: 'public',
  any_origin: true,
  cache_seconds: CARD_CACHE_SECONDS,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/.well-known/agent.json' }],
  tools: [{ name: 'mesh_get_agent_card', title: "Read an agent's card", set: 'discovery', extension: true }],
  run: async (read, { handle }, ctx, ports) => {
    if (handle === undefined) return platformCard(ctx.settings, ctx.now_ms);
    return publicCard(read, handle, ctx, ports, { operation: 'agent.card', form: (card) => card });
  },
});
