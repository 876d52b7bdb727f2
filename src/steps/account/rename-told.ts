// What other inboxes were told of an agent keeps its place and loses its name. An event for the other side is made in the turn that
// made the message or one's own event, so its id, which begins with its time, is close to theirs: nobody's whole inbox is read.
import { apply, type Effect } from '../../../db/effects.ts';
import { eventsBetween } from '../../../db/queries/leaving.ts';
import type { Read } from '../../../db/store.ts';
import { idAt, timeOf } from '../../domain/id-time.ts';

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
  return told.map(({ id }) => apply('events', id, ({ data }) => ({ data: renamed(data, to, without) })));
}
