// Takes the next slice of what a deleted account leaves behind, and asks for the one after it.
import { Type } from 'typebox';
import { agentFrom } from '../../../db/queries/leaving.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { type AgentStage, ERASE, type Erasing, eraseOn, type Slice, type Stages } from '../../steps/account/erase.ts';
import { born, OF_ACCOUNTS } from '../../steps/account/erase-account.ts';
import { DEMAND } from '../../steps/account/erase-demand.ts';
import { MEETINGS_SET } from '../../steps/account/erase-meetings.ts';
import { ownedStages } from '../../steps/account/erase-owned.ts';
import { REACH } from '../../steps/account/erase-reach.ts';
import { TURNS_TAKEN } from '../../steps/account/erase-turns.ts';
import { WORDS } from '../../steps/account/erase-words.ts';

const STAGED: Required<Stages> = { ...REACH, ...WORDS, ...MEETINGS_SET, ...TURNS_TAKEN, ...DEMAND };
const OWNED: readonly AgentStage[] = ownedStages('agents').map(
  (stage) =>
    (read, { id }, after) =>
      stage(read, id, after),
);
const OF_AGENTS: readonly AgentStage[] = [...Object.values(STAGED).flat(), ...OWNED];

/** A slice with where the whole then stands; null where nothing is left. */
type Step = (ctx: Ctx) => { readonly effects: Slice['effects']; readonly next: Erasing | null };

/** Behind an id: no other sorts between it and itself with a letter more. */
const behind = (id: string): string => `${id}~`;

/** A slice of an agent, or of the account when all its agents are done. */
async function ofAgent(read: Read, at: Erasing & { readonly agent_id: string }): Promise<Step> {
  const { account_id } = at;
  const agent = await read.peek(agentFrom, { account_id, from: at.agent_id });
  if (!agent) return ofAccount(read, { account_id, agent_id: null, stage: 0, after: '' });
  const here = agent.id === at.agent_id ? at : { account_id, agent_id: agent.id, stage: 0, after: '' };
  const slice = await OF_AGENTS[here.stage]?.(read, agent, here.after);
  const done = { account_id, agent_id: behind(agent.id), stage: 0, after: '' };
  return (ctx) => {
    if (!slice) return { effects: [], next: done };
    const { effects, after } = slice(ctx);
    const stage = after === null ? here.stage + 1 : here.stage;
    return { effects, next: stage === OF_AGENTS.length ? done : { ...here, stage, after: after ?? '' } };
  };
}

async function ofAccount(read: Read, at: Erasing): Promise<Step> {
  const { account_id, stage, after: from } = at;
  const late = await born(read, account_id, '');
  const slice = await OF_ACCOUNTS[stage]?.(read, account_id, from);
  return (ctx) => {
    const found = late(ctx);
    if (found.after !== null) {
      return { effects: found.effects, next: { account_id, agent_id: found.after, stage: 0, after: '' } };
    }
    if (!slice) return { effects: [], next: null };
    const { effects, after } = slice(ctx);
    return { effects, next: { ...at, stage: after === null ? stage + 1 : stage, after: after ?? '' } };
  };
}

export const accountErase = command({
  ...ERASE,
  summary: 'Take away what a deleted account leaves behind',
  output: Type.Object({ changed: Type.Integer() }),
  effect: 'destroys',
  access: 'internal',
  faults: [],
  rest: [],
  load: (read, at) => {
    const { agent_id } = at;
    return agent_id === null ? ofAccount(read, at) : ofAgent(read, { ...at, agent_id });
  },
  decide: (step, _input, ctx) => {
    const { effects, next } = step(ctx);
    return {
      reply: { changed: effects.length },
      effects: [...effects, ...(next ? [eraseOn(next, ctx.now_ms)] : [])],
    };
  },
});
