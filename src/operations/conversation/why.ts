// Explains an agent's turn, for its owner only: the explanation names the agent's bounds.
import { Type } from 'typebox';
import { modelCallById, turnById } from '../../../db/queries/negotiation.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { authored, words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { nullable, PathId } from '../../schemas/wire.ts';

/** Costs of requests are counted in millionths of a cent. */
const MICROCENTS = 1_000_000;

export const conversationWhy = query({
  name: 'conversation.why',
  summary: 'Read why a turn was taken',
  description:
    'For a message that the service wrote for your agent: its input, the rule that decided, and how far the amount is within your ' +
    'bound (negative: outside; null: no amount or no bound). If a model was called: its prompt, answer and ' +
    'cost, for 30 days. Only for the agent’s own side.',
  input: Type.Object({ conversation_id: PathId, message_id: PathId }),
  // Both fields hold words of the other side.
  output: authored(
    () => undefined,
    namedObject('TurnReasons', 'the reasons of a turn', {
      inputs: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
      rule: Type.String(),
      action: Type.String(),
      phase: Type.String(),
      bound_distance_cents: nullable(Type.Integer()),
      model: nullable(Type.String(), 'null: the rules decided'),
      prompt: nullable(words(Type.String()), 'the prompt of the model; null: none was called, or it was deleted'),
      answer: nullable(words(Type.String()), 'as received, whether or not it was used'),
      cost_cents: nullable(Type.Integer({ minimum: 0 }), 'rounded up; null also if no price of tokens is set'),
    }),
  ),
  example: { conversation_id: SAMPLE.advanced_conversation_id, message_id: SAMPLE.turn_id },
  access: 'key',
  scope: 'conversations:read',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/conversations/{conversation_id}/why/{message_id}' }],
  tools: [{ name: 'mesh_explain_turn', title: 'Read why a turn was taken', set: 'conversations', extension: true }],
  run: async (read, { conversation_id, message_id }, ctx) => {
    const row = await read(turnById, { id: message_id });
    if (!row || row.conversation_id !== conversation_id || row.agent_id !== actor(ctx).id) return fault('not_found');
    const { inputs, rule, action, phase, bound_distance_cents, model, model_call_id = null } = row.reasons;
    const found = model_call_id === null ? null : await read(modelCallById, { id: model_call_id });
    const call = found && found.expires_at > ctx.now_ms ? found : null;
    const cost = call?.cost_microcents ?? null;
    return {
      inputs,
      rule,
      action,
      phase,
      bound_distance_cents,
      model,
      prompt: call?.prompt ?? null,
      answer: call?.answer ?? null,
      cost_cents: cost === null ? null : Math.ceil(cost / MICROCENTS),
    };
  },
});
