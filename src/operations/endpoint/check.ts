// Checks the card of an agent's own A2A endpoint: its dialect, its address and its signature. Scheduled when the address is
// set, then every day. It runs as a background task, so that a slow host delays no reminder; the next check makes up for
// one lost in a crash.
import { Type } from 'typebox';
import { agentById } from '../../../db/queries/agent.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { isFault } from '../../domain/fault.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { CHECK_ENDPOINT, checkLater, keepCard } from '../../steps/agent/silence.ts';
import { lookAtEndpoint } from '../../steps/outside.ts';

/** For up to four addresses of a card and the keys of its signatures, with five seconds each. */
const LOOK_MS = 40_000;
/** When a host without an answer is checked again; the stored facts stay until then. */
const AGAIN_MS = HOUR_MS;

async function lookAndKeep(
  ctx: FlowCtx,
  { http, clock }: FlowPorts,
  agent_id: string,
  url: string,
  gone: AbortSignal,
): Promise<void> {
  const card = await lookAtEndpoint(http, url, clock.now(), gone);
  if (gone.aborted) return;
  const effects = card ? [keepCard(agent_id, url, card)] : [checkLater(agent_id, clock.now(), AGAIN_MS)];
  const outcome = await ctx.turn({ agent_id, attempt: async () => ({ reply: null, effects }) });
  if (isFault(outcome)) throw new Error(`the check of a card could not be stored: ${outcome.fault}`);
}

export const endpointCheck = flow({
  ...CHECK_ENDPOINT,
  summary: 'Check the card of an agent’s own A2A endpoint',
  output: Type.Object({ checked: Type.Boolean() }),
  effect: 'changes',
  open_world: true,
  access: 'internal',
  run: async ({ agent_id }, ctx, ports) => {
    const agent = await ctx.read(agentById, { id: agent_id });
    if (!agent || agent.a2a_url === null) return { reply: { checked: false } };
    const next = checkLater(agent_id, ctx.now_ms);
    await ctx.turn({ agent_id, attempt: async () => ({ reply: null, effects: [next] }) });
    const { a2a_url: url, deactivated_at } = agent;
    const host = URL.parse(url)?.host;
    if (deactivated_at !== null || host === undefined) return { reply: { checked: false } };
    const work = (gone: AbortSignal): Promise<void> => lookAndKeep(ctx, ports, agent_id, url, gone);
    ports.tasks.run(next.id, { hosts: [host], deadline_ms: LOOK_MS, looks: true, work });
    return { reply: { checked: true } };
  },
});
