// Finds listed agents by what they have live, and by the words that they are known under.
import { agentById } from '../../../db/queries/agent.ts';
import { shownListings } from '../../../db/queries/registry.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import type { Page } from '../../contract/reply.ts';
import { MAX_LABELS } from '../../domain/listing/label.ts';
import { siftedPage } from '../page.ts';
import { isSeen, type Listed, newestListed } from './find.ts';

/** An agent that the index names; without listings when it is not in the registry, or none carries the label any more. */
interface Named {
  readonly id: string;
  readonly listed: Listed | null;
}

/** The next agents with a live listing that carries one of the labels, newest first. The index names them, the rows decide. */
async function namedByLabels(
  { agentsWith }: Pick<QueryPorts, 'agentsWith'>,
  read: Read,
  labels: readonly string[],
  before: string,
  limit: number,
): Promise<Named[]> {
  const decide = async (id: string): Promise<Named> => {
    const [agent, listings] = await Promise.all([read(agentById, { id }), read(shownListings, { agent_id: id })]);
    const carries = listings.some((listing) => listing.labels.some((label) => labels.includes(label)));
    return { id, listed: agent && isSeen(agent, 'registry') && carries ? { agent, listings } : null };
  };
  return Promise.all((await agentsWith(labels, before, limit)).map(decide));
}

/** Names and headlines are searched in this many of the newest agents; older ones are found by their labels only. */
const NEWEST = 200;

/** The text of an agent that a word search looks in. */
function knownAs({ handle, display_name, headline }: Row<'agents'>): string {
  return `${handle} ${display_name} ${headline}`.toLowerCase();
}

/** The newest agents whose handle, name or headline holds all words, newest first. */
export async function listedWithWords(
  read: Read,
  words: readonly string[],
  limit: number,
  before: string,
): Promise<Listed[]> {
  const newest = await newestListed(read, before, NEWEST);
  return newest.filter(({ agent }) => words.every((word) => knownAs(agent).includes(word))).slice(0, limit);
}

/** The words of a query, all of which must match. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, MAX_LABELS - 1);
}

function textOf({ agent, listings }: Listed): string {
  return `${knownAs(agent)} ${listings.flatMap((listing) => listing.labels).join(' ')}`;
}

/** A page of the listed agents, newest first: those with one of the labels, if any are given, and of them those that hold all
 * words in what they are known under or in the labels of what they have live. */
export async function listedPage(
  ports: Pick<QueryPorts, 'agentsWith'>,
  read: Read,
  { words, labels }: { readonly words: readonly string[]; readonly labels: readonly string[] },
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<Page<Listed>> {
  const fits = (each: Listed): boolean => words.every((word) => textOf(each).includes(word));
  if (labels.length === 0) {
    const newest = (from: string, n: number): Promise<Listed[]> => newestListed(read, from, n);
    const cursorOf = ({ agent }: Listed): string => agent.id;
    return siftedPage({ from: before, limit, read: newest, cursorOf, textOf, fits: words.length === 0 ? null : fits });
  }
  const page = await siftedPage<Named>({
    from: before,
    limit,
    read: (from, n) => namedByLabels(ports, read, labels, from, n),
    cursorOf: ({ id }) => id,
    textOf: ({ listed }) => (listed ? textOf(listed) : ''),
    fits: ({ listed }) => listed !== null && fits(listed),
  });
  return { ...page, items: page.items.flatMap(({ listed }) => listed ?? []) };
}

/** The newest agents with a live listing that carries one of the labels, among as many as one page looks at. */
export async function listedWithLabels(
  ports: Pick<QueryPorts, 'agentsWith'>,
  read: Read,
  labels: readonly string[],
  limit: number,
): Promise<readonly Listed[]> {
  if (labels.length === 0) return [];
  return (await listedPage(ports, read, { words: [], labels }, { before: HIGHEST_ID, limit })).items;
}
