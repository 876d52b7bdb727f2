// What a deleted agent offered through the router, taken away with its address and secret. Calls stay as what both sides' money tells of,
// without payload or answer: of those nothing is kept beyond a day.
import { remove } from '../../../db/effects.ts';
import { providersOfAgent } from '../../../db/queries/router.ts';
import { type AgentStage, consuming } from './erase.ts';

const providers: AgentStage = async (read, { id: agent_id }) =>
  consuming(await read(providersOfAgent, { agent_id }), (row) => [remove('providers', row)]);

export const ROUTER: readonly AgentStage[] = [providers];
