// The stages in which a deleted account is taken away: what each is, and those that follow from the owners of tables (db/schema/owners.ts).
// A slice of removed rows is found no more, and those that stay are walked by their ids. What other inboxes were told of an agent keeps
// its place and loses its name.
import { apply, type Effect, remove } from '../../../../db/effects.ts';
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

type AccountStage = (read: Read, account_id: string, after: string) => Promise<(ctx: Ctx) => Slice>;

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

/** Goes on with it, in the same run. */
export function eraseOn(next: Erasing, now_ms: number): Effect<never> {
  return remindNow(ERASE, { ...next }, { key: next.account_id, now_ms });
}

/** Puts what its columns declare in place of a row's words; nothing of a row that says nothing. */
export function blankRow<T extends TableName>(
  table: T,
  row: Row<T> & { readonly id: string },
  owner_id: string,
): Effect<never>[] {
  if (Object.keys(blanked(table, row, owner_id)).length === 0) return [];
  // None that is blanked by its owner alone has a key of more than its id.
  return [apply(table as 'claims', row.id, (now) => blanked(table as 'claims', now, owner_id))];
}

/** Every removed table has a version; `owners.ts` names none that has not. */
const gone = (table: TableName, row: OwnedRow): Effect<never> => remove(table as 'claims', row as Row<'claims'>);

const stage =
  ({ table, rows, name }: OwnedRows) =>
  async (read: Read, owner_id: string, after: string): Promise<() => Slice> => {
    const query = OWNED[name];
    const found = query ? await read(query, { owner_id, after, limit: SLICE }) : [];
    const order = found.length === SLICE ? found.at(-1)?.[orderOf(table)] : undefined;
    const next = typeof order === 'string' ? order : null;
    const effects = found.flatMap((row) =>
      rows === 'removed' ? [gone(table, row)] : blankRow(table, row as Row<TableName>, owner_id),
    );
    return () => ({ effects, after: rows === 'removed' && next !== null ? '' : next });
  };

/** The stages of the tables that are of agents, or of accounts. */
export function ownedStages(of: OwnedRows['of']): Named<ReturnType<typeof stage>> {
  return OWNED_ROWS.filter((owned) => owned.of === of).map((owned) => [owned.name, stage(owned)] as const);
}

/** Ids of one turn are made within microseconds; a busy process may be kept from it for longer. */
const NEAR_MS = 50;

/** Events of one inbox within that time. */
const NEAR_MAX = 100;

type Data = Readonly<Record<string, unknown>>;

interface Near {
  readonly inbox_id: string;
  readonly near_id: string;
  readonly to: string;
  /** Fields that go with the name. */
  readonly without?: readonly string[];
}

/** Of an event that is about the agent: its data under another name. */
function renamed(data: Data, to: string, without: readonly string[]): Data {
  const names = ['counterparty_handle', 'sender'].filter((field) => typeof data[field] === 'string');
  const kept = Object.entries(data).filter(([field]) => !without.includes(field));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(names.map((field) => [field, to])) };
}

/** Puts `to` in place of the agent's name in what an inbox was told near an id, where `isAbout` says that it was of the agent. */
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

/** An agent that a call made which was under way when the account was left. Whoever finds one begins anew with it. */
export const born: AccountStage = async (read, account_id) => {
  const rows = await read(agentsOfAccount, { account_id });
  return ({ now_ms }) => ({ effects: rows.flatMap((agent) => withoutName(agent, now_ms)), after: rows[0]?.id ?? null });
};

/** There are few of them; one slice takes all. */
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
