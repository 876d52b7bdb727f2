// The proposals of an agent, whichever side it is on.
import {
  type NamedProposal,
  type ProposalPage,
  proposalsAsBuyer,
  proposalsAsSeller,
} from '../../../db/queries/negotiation.ts';
import type { Read } from '../../../db/store.ts';

/** A page of them, newest first. */
export async function newestProposals(read: Read['peek'], page: ProposalPage): Promise<NamedProposal[]> {
  const sides = await Promise.all([read(proposalsAsBuyer, page), read(proposalsAsSeller, page)]);
  return sides
    .flat()
    .sort((a, b) => (a.proposal.id < b.proposal.id ? 1 : -1))
    .slice(0, page.limit);
}
