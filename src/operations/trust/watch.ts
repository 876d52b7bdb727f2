// Tells an agent and its person when its badges fail, because it was silent for 14 days, and when they are valid again. Only the events
// are written: what others see is derived from the time of last presence. The watch continues while there is any badge, including that
// of the e-mail address.
import { Type } from 'typebox';
import { agentById, claimsOfAgent } from '../../../db/queries/agent.ts';
import { command } from '../../contract/operation.ts';
import { isSilent } from '../../domain/agent/presence.ts';
import { WATCH_SILENCE, watchReturn, watchSilence } from '../../steps/agent/silence.ts';
import { tell } from '../../steps/event.ts';

export const trustWatch = command({
  ...WATCH_SILENCE,
  summary: 'Check whether an agent is silent',
  output: Type.Object({ silent: Type.Boolean() }),
  effect: 'adds',
  access: 'internal',
  load: async (read, { agent_id }, _ctx, ports) => ({
    // Read instead of peeked, since a simultaneous check of a claim may change the score.
    agent: await read(agentById, { id: agent_id }),
    claims: await read.peek(claimsOfAgent, { agent_id }),
    presence: await ports.presence(agent_id),
  }),
  decide: ({ agent, claims, presence }, { told = false }, ctx) => {
    const shows = agent !== null && claims.length + agent.credentials.length > 0;
    if (!shows || agent.deactivated_at !== null) return { reply: { silent: false } };
    const { id, created_at, trust_score: score, credentials } = agent;
    const silent = isSilent(presence.last_seen_at, created_at, ctx.now_ms);
    const data = silent ? { score, credentials: [], silent } : { score, credentials: [...credentials] };
    return {
      reply: { silent },
      effects: [
        ...(silent === told ? [] : [tell(ctx, agent, 'trust.updated', data)]),
        silent ? watchReturn(id, ctx.now_ms) : watchSilence(id, presence.last_seen_at ?? created_at, ctx.now_ms),
      ],
    };
  },
});
