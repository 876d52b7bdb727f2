// The proposals of an agent, whichever side it is on.
import {
  type NamedProposal,
  proposalById,
  proposalsAsBuyer,
  proposalsAsSeller,
} from '../../../db/queries/negotiation.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';

/** Before all of them. */
const FIRST = { created_at: Number.MAX_SAFE_INTEGER, id: HIGHEST_ID };

/** A page of them, newest first, behind the one of an id; null begins. An id of none has nothing behind it. */
export async function newestProposals(
  read: Read['peek'],
  { agent_id, behind, limit }: { readonly agent_id: string; readonly behind: string | null; readonly limit: number },
): Promise<NamedProposal[]> {
  const last = behind === null ? FIRST : await read(proposalById, { id: behind });
  if (!last) return [];
  const page = { agent_id, before_at: last.created_at, before: last.id, limit };
  const sides = await Promise.all([read(proposalsAsBuyer, page), read(proposalsAsSeller, page)]);
  return sides
    .flat()
    .sort(({ proposal: a }, { proposal: b }) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}
