// A place in the notifications of an account: how far into each agent's inbox. It is a list's cursor and a stream's event
// id. Seqs have no gaps, so a place stays what it is while more is committed; ids and times of several inboxes, written by
// several nodes, have no such order.
import { inboxesOfAccount } from '../../../db/queries/notification.ts';
import type { Read } from '../../../db/store.ts';

/** By agent: a seq of its inbox. */
export type Places = ReadonlyMap<string, number>;

/** One inbox whose events are the caller's notifications. */
export interface Source {
  readonly agent_id: string;
  readonly head: number;
  /** The seqs that the person has read. */
  readonly noticed: string;
}

/** The inboxes of an account's agents, or only that of the one to which a key is bound. */
export async function sourcesOf(read: Read, account_id: string, bound: string | null): Promise<Source[]> {
  const rows = await read(inboxesOfAccount, { account_id });
  const own = bound === null ? rows : rows.filter(({ agent_id }) => agent_id === bound);
  return own.map(({ agent_id, last_seq, noticed }) => ({ agent_id, head: last_seq ?? 0, noticed: noticed ?? '' }));
}

/** An agent's part of a place is written `<tail of its id>.<seq>`; parts are joined by underscores. */
export const PLACES_PATTERN = '^[0-9a-f]{12}\\.[0-9]{1,15}(_[0-9a-f]{12}\\.[0-9]{1,15})*$';
/** Room for as many agents as an account may have. */
export const PLACES_MAX = 6_000;

const PLACES = new RegExp(PLACES_PATTERN);
/** The random end of an id of version 7. */
const TAIL_CHARS = 12;
const tailOf = (agent_id: string): string => agent_id.slice(-TAIL_CHARS);

/** The place of a reader who has seen nothing: it names no inbox. */
const NOTHING_SEEN = '000000000000.0';

/** A place as text; inboxes of which nothing was seen need no telling. */
export function writePlaces(places: Places): string {
  const told = [...places].filter(([, seq]) => seq > 0);
  return told.map(([agent_id, seq]) => `${tailOf(agent_id)}.${seq}`).join('_') || NOTHING_SEEN;
}

/** The place that a text tells, for those of the sources that it names; null for what is no place. */
export function readPlaces(text: string, sources: readonly Source[]): Places | null {
  if (text.length > PLACES_MAX || !PLACES.test(text)) return null;
  const parts = new Map(text.split('_').map((part) => [part.slice(0, TAIL_CHARS), Number(part.slice(TAIL_CHARS + 1))]));
  const known = sources.flatMap(({ agent_id }): [string, number][] => {
    const seq = parts.get(tailOf(agent_id));
    return seq === undefined ? [] : [[agent_id, seq]];
  });
  return new Map(known);
}
