// Answers whether an agent is present, and its current transports, without a task or message (interface.md, Agent-to-agent
// JSON-RPC). The platform's agent is always present.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { factsOf, Presence, publicAgent } from '../../schemas/agent.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, nullable } from '../../schemas/wire.ts';
import { agentWithCard } from '../../steps/agent/find.ts';

const Text = Type.String();

export const agentPing = query({
  name: 'agent.ping',
  summary: 'Read the presence of an agent',
  description:
    'Whether it is online, when it was last seen, how fast it answers, and the transports that reach it now, best ' +
    'first. Sends nothing to it.',
  input: Type.Object({ agent_handle: HandleInput }),
  output: namedObject('AgentPing', 'the presence of an agent, and its transports', {
    agent_handle: Text,
    ...Presence.properties,
    transports: Type.Array(Text, { description: 'the transports that reach it now, best first' }),
    preferred_transport: nullable(Text),
  }),
  example: { agent_handle: SAMPLE.other_handle },
  access: 'public',
  faults: ['not_found'],
  tools: [{ name: 'mesh_ping_agent', title: 'Read the presence of an agent', set: 'agents' }],
  run: async (read, { agent_handle }, ctx, ports) => {
    const agent = await agentWithCard(read, agent_handle, ctx.now_ms);
    if (!agent) return fault('not_found');
    const { handle } = agent;
    const { presence, transports, preferred_transport } = publicAgent(agent, await factsOf(ports, agent.id), ctx);
    return { agent_handle: handle, ...presence, transports, preferred_transport };
  },
});
