// What a deleted agent knew, taken away with its counts, what a model was asked for it, which holds the words of both sides, and what
// its programs asked its person for.
import { remove } from '../../../db/effects.ts';
import { actionsOf } from '../../../db/queries/action.ts';
import { knowledgeOfAgent } from '../../../db/queries/knowledge.ts';
import { modelCallsOf } from '../../../db/queries/negotiation.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { removeKnowledge } from '../knowledge/hold.ts';
import { type AgentStage, consuming, SLICE } from './erase.ts';

const entries: AgentStage = async (read, { id: agent_id }) => {
  const rows = await read(knowledgeOfAgent, { agent_id, before: HIGHEST_ID, limit: SLICE });
  return consuming(rows, removeKnowledge);
};

const asked: AgentStage = async (read, { id: agent_id }) => {
  const rows = await read(modelCallsOf, { agent_id, limit: SLICE });
  return consuming(rows, (row) => [remove('model_calls', row)]);
};

const actions: AgentStage = async (read, { id: agent_id }) => {
  const rows = await read(actionsOf, { agent_id, before: HIGHEST_ID, limit: SLICE });
  return consuming(rows, (row) => [remove('actions', row)]);
};

export const KNOWLEDGE: readonly AgentStage[] = [entries, asked, actions];
