// Makes the platform's agent exist, under the handle that is set: asked at each start, so on a fresh database and on one
// of a version that had none. Nodes that start together ask at once; the keys of its rows let one of them make it.
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { agentById, handleById } from '../../../db/queries/agent.ts';
import type { Decision, Read } from '../../../db/store.ts';
import {
  PLATFORM_ACCOUNT_ID,
  PLATFORM_AGENT_ID,
  PLATFORM_DESCRIPTION,
  PLATFORM_NAME,
} from '../../domain/agent/platform.ts';
import { fault } from '../../domain/fault.ts';
import { ALIAS_MS } from '../../domain/identity/handle.ts';
import { isHeld } from '../handle/claim.ts';
import { blankAgent } from './blank.ts';

type Refusal = 'handle_taken' | 'conflict';

/** What makes the agent itself; another node that did so a moment ago makes the turn be asked anew. */
function bornEffects(handle: string, now_ms: number): Effect<Refusal>[] {
  const named = { account_id: PLATFORM_ACCOUNT_ID, handle, display_name: PLATFORM_NAME };
  const blank = blankAgent({ id: () => PLATFORM_AGENT_ID, now_ms }, named);
  // Hidden, so that it is in no list, no count and no match; that it takes messages all the same is its kind's.
  const row = { ...blank, kind: 'platform' as const, visibility: 'hidden' as const, description: PLATFORM_DESCRIPTION };
  const account = { id: PLATFORM_ACCOUNT_ID, email: null, plan: 'free' as const, created_at: now_ms };
  return [insert('accounts', account, 'ignore'), insert('agents', row, fault('conflict'))];
}

/**
 * One turn that leaves the platform's agent with `handle`. A handle that it gives up redirects to it, as after any rename.
 * `handle_taken` when another agent bears the handle or gave it up within 90 days: nobody loses a name to a setting. A
 * reservation gives way. `conflict` when another node was faster: ask again.
 */
export async function platformAgent(read: Read, handle: string, now_ms: number): Promise<Decision<null, Refusal>> {
  const [agent, taken] = await Promise.all([
    read(agentById, { id: PLATFORM_AGENT_ID }),
    read(handleById, { id: handle }),
  ]);
  if (agent?.handle === handle) return { reply: null };
  if (taken && taken.agent_id !== null && taken.agent_id !== PLATFORM_AGENT_ID && isHeld(taken, now_ms)) {
    return fault('handle_taken');
  }
  const claimed = { kind: 'current' as const, agent_id: PLATFORM_AGENT_ID, email: null, expires_at: null };
  const claim = taken
    ? patch('handles', taken, claimed)
    : insert('handles', { id: handle, ...claimed }, fault('conflict'));
  if (!agent) return { reply: null, effects: [claim, ...bornEffects(handle, now_ms)] };
  const old = await read(handleById, { id: agent.handle });
  return {
    reply: null,
    effects: [
      claim,
      patch('agents', agent, { handle, updated_at: now_ms }),
      ...(old ? [patch('handles', old, { kind: 'alias', expires_at: now_ms + ALIAS_MS })] : []),
    ],
  };
}
