// Erases the next slice of a deleted account's data, and schedules the one after it.
import { Type } from 'typebox';
import { agentFrom } from '../../../db/queries/leaving.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { ERASE } from '../../steps/account/leave.ts';
import { DEMAND, MEETINGS_SET, REACH, TURNS_TAKEN, WORDS } from './erase/agent.ts';
import {
  type AgentStage,
  born,
  type Erasing,
  eraseOn,
  type Named,
  OF_ACCOUNTS,
  ownedStages,
  type Slice,
  type Stages,
  standing,
} from './erase/stages.ts';

const STAGED: Required<Stages> = { ...REACH, ...WORDS, ...MEETINGS_SET, ...TURNS_TAKEN, ...DEMAND };
const OF_AGENTS: Named<AgentStage> = [
  ...Object.entries(STAGED).flatMap(([table, stages]) => stages.map((stage, at) => [`${table}/${at}`, stage] as const)),
  ...ownedStages('agents').map(([name, stage]): readonly [string, AgentStage] => [
    name,
    (read, { id }, after) => stage(read, id, after),
  ]),
];

/** A slice, and the position after it; null where nothing is left. */
type Step = (ctx: Ctx) => { readonly effects: Slice['effects']; readonly next: Erasing | null };

/** The next position after an id: no other id sorts between. */
const behind = (id: string): string => `${id}~`;

/** The next slice of an agent, or of the account after all its agents. */
async function ofAgent(read: Read, at: Erasing & { readonly agent_id: string }): Promise<Step> {
  const { account_id } = at;
  const agent = await read.peek(agentFrom, { account_id, from: at.agent_id });
  if (!agent) return ofAccount(read, { account_id, agent_id: null, stage: '', after: '' });
  const start = { account_id, agent_id: agent.id, stage: '', after: '' };
  const here = standing(OF_AGENTS, agent.id === at.agent_id ? at : start);
  const slice = await here.run?.(read, agent, here.after);
  const done = { account_id, agent_id: behind(agent.id), stage: '', after: '' };
  return (ctx) => {
    if (!slice) return { effects: [], next: done };
    const { effects, after } = slice(ctx);
    const stage = after === null ? here.next : here.name;
    return { effects, next: stage === null ? done : { ...start, stage, after: after ?? '' } };
  };
}

async function ofAccount(read: Read, at: Erasing): Promise<Step> {
  const { account_id } = at;
  const late = await born(read, account_id, '');
  const here = standing(OF_ACCOUNTS, at);
  const slice = await here.run?.(read, account_id, here.after);
  return (ctx) => {
    const found = late(ctx);
    if (found.after !== null) {
      return { effects: found.effects, next: { account_id, agent_id: found.after, stage: '', after: '' } };
    }
    if (!slice) return { effects: [], next: null };
    const { effects, after } = slice(ctx);
    const stage = after === null ? here.next : here.name;
    return { effects, next: stage === null ? null : { ...at, stage, after: after ?? '' } };
  };
}

export const accountErase = command({
  ...ERASE,
  summary: 'Erase the remaining data of a deleted account',
  output: Type.Object({ changed: Type.Integer() }),
  effect: 'destroys',
  access: 'internal',
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
