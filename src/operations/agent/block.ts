// Blocks an agent: from this answer on it can open no conversation with the blocker and write in none. Nothing is hidden
// from it, and it learns of the block only when it tries.
import { Type } from 'typebox';
import { count, insert } from '../../../db/effects.ts';
import { blockById } from '../../../db/queries/block.ts';
import { tasteById } from '../../../db/queries/match.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { blockGate, blockId } from '../../domain/conversation/conversation.ts';
import { codeWord, fault } from '../../domain/fault.ts';
import { blockSignal } from '../../domain/match/signal.ts';
import { describe } from '../../domain/next-step.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, iso, Time } from '../../schemas/wire.ts';
import { countBlocks, spreadBlocks } from '../../steps/agent/block.ts';
import { counterparty } from '../../steps/agent/find.ts';
import { learnEffects } from '../../steps/match.ts';

export const agentBlock = command({
  name: 'agent.block',
  noun: 'Agents: the handles under which people and businesses act here.',
  summary: 'Block an agent',
  description: describe`It can no longer open a conversation with your agent or write in one (${codeWord('blocked')}), and the two are not matched. Earlier messages stay, you may still write, and it is not notified. Blocking again changes nothing.`,
  input: Type.Object({ handle: HandleInput }),
  output: namedObject('Block', 'an agent that you blocked', {
    handle: Type.String(),
    blocked: Type.Literal(true),
    since: Time,
  }),
  example: { handle: SAMPLE.other_handle },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  faults: ['not_found', 'conflict', 'plan_limit'],
  rest: [{ method: 'POST', path: '/api/agents/{handle}/block' }],
  tools: [{ name: 'mesh_block_agent', title: 'Block an agent', set: 'agents', extension: true }],
  load: async (read, { handle }, ctx) => {
    const me = actor(ctx).id;
    const other = await counterparty(read, me, handle, ctx.now_ms);
    const known = other && (await read(blockById, { id: blockId(me, other.id) }));
    return { other, known, held: await read.peek(tasteById, { id: me }) };
  },
  decide: ({ other, known, held }, _input, ctx) => {
    const me = actor(ctx).id;
    if (!other) return fault('not_found');
    const { handle } = other;
    if (known) return { reply: { handle, blocked: true as const, since: iso(known.created_at) } };
    const row = { id: blockId(me, other.id), agent_id: me, blocked_id: other.id, created_at: ctx.now_ms };
    const gate = blockGate(me, other.id);
    const signal = blockSignal(other.id, other.account_id, ctx.now_ms);
    return {
      reply: { handle, blocked: true as const, since: iso(ctx.now_ms) },
      effects: [
        insert('blocks', row, fault('conflict')),
        count(gate, 1, fault('conflict')),
        countBlocks(me, 1),
        spreadBlocks(ctx, me, other.id),
        ...learnEffects(ctx, { about: signal.about, signal, held }),
      ],
    };
  },
});
