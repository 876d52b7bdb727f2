// The card by which A2A clients of protocol 1.0 and 0.3 discover an agent: at its own address, and at the root for the
// platform's agent. Signed, so that copies can be verified.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { ProtocolCard } from '../../schemas/agent-card.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { CARD_CACHE_SECONDS, publicCard, signedCard } from '../../steps/agent/card.ts';

const AT_AGENT = '/a2a/agents/{handle}/.well-known';

export const agentProtocolCard = query({
  name: 'agent.protocol_card',
  summary: 'Read the card of an agent for A2A clients',
  description:
    'One document for clients of protocols 1.0 and 0.3: the endpoints of the agent, its live ' +
    'listings as skills, and how callers authenticate. Without `handle`: the card of the agent of the ' +
    'service. Signed (EdDSA over RFC 8785) by a key of /.well-known/jwks.json; cached for 5 minutes.',
  input: Type.Object({ handle: Type.Optional(HandleInput) }),
  output: ProtocolCard,
  example: { handle: SAMPLE.handle },
  access: 'public',
  any_origin: true,
  cache_seconds: CARD_CACHE_SECONDS,
  vary: 'A2A-Version',
  faults: ['not_found'],
  rest: [
    { method: 'GET', path: `${AT_AGENT}/agent-card.json` },
    { method: 'GET', path: '/.well-known/agent-card.json' },
    { method: 'GET', path: `${AT_AGENT}/agent.json`, alias: true },
  ],
  no_tool: 'The tool mesh_get_agent_card returns the same in a shorter form.',
  run: (read, { handle }, ctx, ports) =>
    publicCard(read, handle ?? ctx.settings.platform_handle, ctx, ports, {
      operation: 'agent.protocol_card',
      form: (card) => signedCard(card, ctx, ports),
    }),
});
