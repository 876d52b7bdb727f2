// The stages that erase a deleted account: their types, and those derived from the owners of tables (db/schema/owners.ts). A removed
// slice is not found again; rows that stay are walked by their ids. Events about an agent in other inboxes keep their seq and lose its name.
import { apply, type Effect, remove, removeIfPresent } from '../../../../db/effects.ts';
import { agentsOfAccount } from '../../../../db/queries/agent.ts';
import { passkeysOfAccount } from '../../../../db/queries/identity.ts';
import { eventsBetween } from '../../../../db/queries/leaving.ts';
import { pushSubscriptionsOfAccount } from '../../../../db/queries/notification.ts';
import { OWNED, OWNED_ROWS, type OwnedRows, orderOf } from '../../../../db/queries/owned.ts';
import type { StagedAs } from '../../../../db/schema/owners.ts';
import type { OwnedRow } from '../../../../db/schema/personal.ts';
import { blanked } from '../../../../db/schema/personal-columns.ts';
import type { Row, TableName } from '../../../../db/schema/tables.ts';
import type { Read } from '../../../../db/store.ts';
import type { Ctx } from '../../../contract/context.ts';
import { idAt, timeOf } from '../../../domain/id-time.ts';
import { ERASE, withoutName } from '../../../steps/account/leave.ts';
import { removeBrowsers } from '../../../steps/browser.ts';
import { removePasskeys } from '../../../steps/passkey.ts';
import { remindNow } from '../../../steps/reminder.ts';

export interface Erasing {
  readonly account_id: string;
  readonly agent_id: string | null;
  /** The name of the stage; an empty or unknown one means the first. */
  readonly stage: string;
  /** Where the next slice of the stage begins; empty at its start. */
  readonly after: string;
}

/** The effects of a slice, and where the next one begins: null where the stage is done. */
export interface Slice {
  readonly effects: readonly Effect<never>[];
  readonly after: string | null;
}

/** A stage of an agent's erasure: reads a slice, and answers its effects. */
export type AgentStage = (read: Read, agent: Row<'agents'>, after: string) => Promise<(ctx: Ctx) => Slice>;

/** The tables of an agent that have stages of their own. */
export type Stages = Partial<Record<StagedAs<'agent'>, readonly AgentStage[]>>;

type AccountStage = (read: Read, account_id: string, after: string) => Promise<(ctx: Ctx) => Slice>;

/** Stages in order, under names that do not depend on the order. */
export type Named<S> = readonly (readonly [name: string, stage: S])[];

/** The current stage of an erasure; the first where its name is unknown. */
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

/** Rows a turn: some milliseconds of work, so that other turns do not wait. */
export const SLICE = 100;

/** A slice of rows that the query no longer finds after it. */
export function consuming<T>(
  rows: readonly T[],
  effect: (row: T, ctx: Ctx) => readonly Effect<never>[],
): (ctx: Ctx) => Slice {
  return (ctx) => ({
    effects: rows.flatMap((row) => effect(row, ctx)),
    after: rows.length === SLICE ? '' : null,
  });
}

/** A slice of rows that stay, walked by their ids. */
export function walking<T extends { readonly id: string }>(
  rows: readonly T[],
  effect: (row: T, ctx: Ctx) => readonly Effect<never>[],
): (ctx: Ctx) => Slice {
  return (ctx) => ({
    effects: rows.flatMap((row) => effect(row, ctx)),
    after: rows.length === SLICE ? (rows.at(-1)?.id ?? null) : null,
  });
}

/** Schedules the next slice in the same run. */
export function eraseOn(next: Erasing, now_ms: number): Effect<never> {
  return remindNow(ERASE, { ...next }, { key: next.account_id, now_ms });
}

/** Blanks a row as its columns declare; no effect for a row that is already blank. */
export function blankRow<T extends TableName>(
  table: T,
  row: Row<T> & { readonly id: string },
  owner_id: string,
): Effect<never>[] {
  if (Object.keys(blanked(table, row, owner_id)).length === 0) return [];
  // Every table that is blanked by owner has the key `id` alone.
  return [apply(table as 'claims', row.id, (now) => blanked(table as 'claims', now, owner_id))];
}

/** `owners.ts` removes only rows of tables with a version. */
function gone({ table, companions }: OwnedRows, row: OwnedRow): Effect<never>[] {
  const { id } = row as Row<'claims'>;
  // A timer may write a companion until this turn commits, so none is read before.
  return [
    remove(table as 'claims', row as Row<'claims'>),
    ...companions.map((companion) => removeIfPresent(companion, id)),
  ];
}

const stage =
  (owned: OwnedRows) =>
  async (read: Read, owner_id: string, after: string): Promise<() => Slice> => {
    const { table, rows, name } = owned;
    const query = OWNED[name];
    const found = query ? await read(query, { owner_id, after, limit: SLICE }) : [];
    const order = found.length === SLICE ? found.at(-1)?.[orderOf(table)] : undefined;
    const next = typeof order === 'string' ? order : null;
    const effects = found.flatMap((row) =>
      rows === 'removed' ? gone(owned, row) : blankRow(table, row as Row<TableName>, owner_id),
    );
    return () => ({ effects, after: rows === 'removed' && next !== null ? '' : next });
  };

/** The stages of tables that agents own, or that accounts own. */
export function ownedStages(of: OwnedRows['of']): Named<ReturnType<typeof stage>> {
  return OWNED_ROWS.filter((owned) => owned.of === of).map((owned) => [owned.name, stage(owned)] as const);
}

/** Ids of one turn are made within microseconds, in a busy process within more. */
const NEAR_MS = 50;

const NEAR_MAX = 100;

type Data = Readonly<Record<string, unknown>>;

interface Near {
  readonly inbox_id: string;
  readonly near_id: string;
  readonly to: string;
  /** Fields that are removed with the name. */
  readonly without?: readonly string[];
}

/** The data of an event about the agent, with `to` as its name. */
function renamed(data: Data, to: string, without: readonly string[]): Data {
  const names = ['counterparty_handle', 'sender'].filter((field) => typeof data[field] === 'string');
  const kept = Object.entries(data).filter(([field]) => !without.includes(field));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(names.map((field) => [field, to])) };
}

/** Replaces the agent's name by `to` in the events of an inbox that were written near an id and for which `isAbout` holds. */
export async function renameTold(
  read: Read,
  { inbox_id, near_id, to, without = [] }: Near,
  isAbout: (data: Data) => boolean,
): Promise<Effect<never>[]> {
  const at = timeOf(near_id);
  const between = { from: idAt(at - NEAR_MS), to: idAt(at + NEAR_MS) };
  const events = await read(eventsBetween, { agent_id: inbox_id, ...between, limit: NEAR_MAX });
  const told = events.filter(({ data }) => isAbout(data));
  return told.map(({ id }) =>
    apply('events', { agent_id: inbox_id, id }, ({ data }) => ({ data: renamed(data, to, without) })),
  );
}

/** Agents created by a call that was in progress when the account was deleted. The erasure starts again with them. */
export const born: AccountStage = async (read, account_id) => {
  const rows = await read(agentsOfAccount, { account_id });
  return ({ now_ms }) => ({ effects: rows.flatMap((agent) => withoutName(agent, now_ms)), after: rows[0]?.id ?? null });
};

/** One slice removes all: there are few. */
const STAGED: Readonly<Record<StagedAs<'account'>, AccountStage>> = {
  passkeys: async (read, account_id) => {
    const effects = removePasskeys(account_id, await read(passkeysOfAccount, { account_id }));
    return () => ({ effects, after: null });
  },
  push_subscriptions: async (read, account_id) => {
    const effects = removeBrowsers(account_id, await read(pushSubscriptionsOfAccount, { account_id }));
    return () => ({ effects, after: null });
  },
};

/** After its agents. */
export const OF_ACCOUNTS: Named<AccountStage> = [...ownedStages('accounts'), ...Object.entries(STAGED)];
