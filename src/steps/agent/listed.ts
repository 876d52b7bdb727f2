// Finds listed agents by what they have live, and by the words that they are known under.
import { agentById } from '../../../db/queries/agent.ts';
import { shownListings } from '../../../db/queries/registry.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import type { Page } from '../../contract/reply.ts';
import { MAX_LABELS } from '../../domain/listing/label.ts';
import { siftedPage } from '../page.ts';
import { isSeen, type Listed, newestListed } from './find.ts';

/** Agents asked of the index at once. */
const NAMED_AT_ONCE = 200;

/** Agents with a live listing that carries one of the labels, newest first. The index names them, the rows decide. */
export async function listedWithLabels(
  { agentsWith }: Pick<QueryPorts, 'agentsWith'>,
  read: Read,
  labels: readonly string[],
  before: string,
  limit: number,
): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let from: string | undefined = before; from !== undefined; ) {
    const ids = await agentsWith(labels, from, NAMED_AT_ONCE);
    for (const id of ids) {
      const [agent, listings] = await Promise.all([read(agentById, { id }), read(shownListings, { agent_id: id })]);
      if (!agent || !isSeen(agent, 'registry')) continue;
      if (!listings.some((listing) => listing.labels.some((label) => labels.includes(label)))) continue;
      found.push({ agent, listings });
      if (found.length === limit) return found;
    }
    from = ids[NAMED_AT_ONCE - 1];
  }
  return found;
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

/** A page of the listed agents, newest first: those with one of the labels, if any are given, and of them those that hold all
 * words in what they are known under or in the labels of what they have live. */
export function listedPage(
  ports: Pick<QueryPorts, 'agentsWith'>,
  read: Read,
  { words, labels }: { readonly words: readonly string[]; readonly labels: readonly string[] },
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<Page<Listed>> {
  const textOf = ({ agent, listings }: Listed): string =>
    `${knownAs(agent)} ${listings.flatMap((listing) => listing.labels).join(' ')}`;
  return siftedPage({
    from: before,
    limit,
    read: (from, n) =>
      labels.length > 0 ? listedWithLabels(ports, read, labels, from, n) : newestListed(read, from, n),
    cursorOf: ({ agent }) => agent.id,
    textOf,
    fits: words.length === 0 ? null : (each) => words.every((word) => textOf(each).includes(word)),
  });
}
