// How what a deleted account leaves behind is taken away: stage after stage for each of its agents, then for the account, a slice a
// turn. Where it stands is in its reminder, so that a process that dies goes on from there. What is done twice is as done once.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import type { StagedAs } from '../../../db/schema/owners.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, remindNow } from '../reminder.ts';

/** The call that takes the next slice. Agents go in the order of their ids, from `agent_id` on; null is the account itself. */
export const ERASE = {
  name: 'account.erase',
  input: Type.Object({
    account_id: Id,
    agent_id: Type.Union([Type.String(), Type.Null()]),
    stage: Type.String(),
    after: Type.String(),
  }),
} as const;

export interface Erasing {
  readonly account_id: string;
  readonly agent_id: string | null;
  /** The name of the stage; empty, or one that is not known any more, is the first. */
  readonly stage: string;
  /** Where the next slice of the stage begins; empty at its start. */
  readonly after: string;
}

/** What a slice does, and where the next one begins: null where the stage is done. */
export interface Slice {
  readonly effects: readonly Effect<never>[];
  readonly after: string | null;
}

/** A stage of an agent's erasure: reads a slice, and answers what it does. */
export type AgentStage = (read: Read, agent: Row<'agents'>, after: string) => Promise<(ctx: Ctx) => Slice>;

/** The stages of an agent's tables that have some of their own. */
export type Stages = Partial<Record<StagedAs<'agent'>, readonly AgentStage[]>>;

export type AccountStage = (read: Read, account_id: string, after: string) => Promise<(ctx: Ctx) => Slice>;

/** Stages in their order, by names that stay when the order changes. */
export type Named<S> = readonly (readonly [name: string, stage: S])[];

/** Where an erasure stands among its stages: where it says, or at their beginning. */
export function standing<S>(
  stages: Named<S>,
  { stage, after }: Pick<Erasing, 'stage' | 'after'>,
): { readonly run: S | undefined; readonly after: string; readonly name: string; readonly next: string | null } {
  const found = stages.findIndex(([name]) => name === stage);
  const at = Math.max(found, 0);
  return {
    run: stages[at]?.[1],
    after: found === -1 ? '' : after,
    name: stages[at]?.[0] ?? '',
    next: stages[at + 1]?.[0] ?? null,
  };
}

/** Rows a turn: some milliseconds of work, so that nobody waits for it. */
export const SLICE = 100;

/** The slice of rows that are found no more once it is done. */
export function consuming<T>(
  rows: readonly T[],
  effect: (row: T, ctx: Ctx) => readonly Effect<never>[],
): (ctx: Ctx) => Slice {
  return (ctx) => ({
    effects: rows.flatMap((row) => effect(row, ctx)),
    after: rows.length === SLICE ? '' : null,
  });
}

/** The slice of rows that stay, and are walked by their ids. */
export function walking<T extends { readonly id: string }>(
  rows: readonly T[],
  effect: (row: T, ctx: Ctx) => readonly Effect<never>[],
): (ctx: Ctx) => Slice {
  return (ctx) => ({
    effects: rows.flatMap((row) => effect(row, ctx)),
    after: rows.length === SLICE ? (rows.at(-1)?.id ?? null) : null,
  });
}

/** Begins it, behind the answer. */
export function eraseLater(account_id: string, now_ms: number): Effect<never> {
  return remind(ERASE, { account_id, agent_id: '', stage: '', after: '' }, { at: now_ms, key: account_id, now_ms });
}

/** Goes on with it, in the same run. */
export function eraseOn(next: Erasing, now_ms: number): Effect<never> {
  return remindNow(ERASE, { ...next }, { key: next.account_id, now_ms });
}
