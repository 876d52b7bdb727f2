// The code by which a person claims an agent: of one agent and one address, so that a code for one claims no other.
import { codeId } from '../session/code.ts';

/** The row id of the one live code. */
export function claimCodeId(agent_id: string, email: string): string {
  return codeId(`claim:${agent_id}`, email);
}

/** Why claiming is no tool. */
export const FOR_A_PERSON = 'It trades one key for another; an answer to a tool stands before a model.';

/** The row that stands for a full key which an agent may fetch. */
export function successorId(agent_id: string): string {
  return `successor:${agent_id}`;
}
