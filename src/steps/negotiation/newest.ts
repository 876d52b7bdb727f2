// The proposals of an agent on either side.
import {
  type NamedProposal,
  proposalById,
  proposalsAsBuyer,
  proposalsAsSeller,
  waitingAsBuyer,
  waitingAsSeller,
} from '../../../db/queries/negotiation.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import { PROPOSAL_TTL_MS } from '../../domain/negotiation/proposal.ts';

/** Before all of them. */
const FIRST = { created_at: Number.MAX_SAFE_INTEGER, id: HIGHEST_ID };

/** A page of them, newest first, after the one with the id `after`; null begins. An unknown id has nothing after it. With `waiting_at`,
 * in epoch milliseconds, only those that wait for the agent at that time. */
export async function newestProposals(
  read: Read['peek'],
  {
    agent_id,
    after,
    limit,
    waiting_at,
  }: {
    readonly agent_id: string;
    readonly after: string | null;
    readonly limit: number;
    readonly waiting_at: number | null;
  },
): Promise<NamedProposal[]> {
  const last = after === null ? FIRST : await read(proposalById, { id: after });
  if (!last) return [];
  const page = { agent_id, before_at: last.created_at, before: last.id, limit };
  const waiting = waiting_at === null ? null : { ...page, now_ms: waiting_at, since: waiting_at - PROPOSAL_TTL_MS };
  const sides = await Promise.all(
    waiting === null
      ? [read(proposalsAsBuyer, page), read(proposalsAsSeller, page)]
      : [read(waitingAsBuyer, waiting), read(waitingAsSeller, waiting)],
  );
  return sides
    .flat()
    .sort(({ proposal: a }, { proposal: b }) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}
