// The proposals of an agent, newest first: those that wait for its decision, or all.
import { Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { listingById } from '../../../db/queries/listing.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { isKept } from '../../domain/negotiation/proposal.ts';
import { ProposalShape, proposalView } from '../../schemas/proposal.ts';
import { Id, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { readHeld, sideOf } from '../../steps/negotiation/compared.ts';
import { newestProposals } from '../../steps/negotiation/newest.ts';
import { manner } from '../../steps/negotiation/scale.ts';
import { siftedPage } from '../../steps/page.ts';

export const proposalList = query({
  name: 'proposal.list',
  needed_by: 'an agent that has proposals in more than one conversation',
  summary: 'List proposals',
  description:
    'Of the acting agent, newest first. `waiting=true`: those that it, or its person, has not decided yet. ' +
    '`listing_id`: those that it compares for a listing of its own, best first.',
  input: Type.Object({ ...PAGE, waiting: Type.Optional(Type.Boolean()), listing_id: Type.Optional(Id) }),
  output: Type.Array(ProposalShape),
  access: 'key',
  scope: 'conversations:read',
  agent: 'required',
  paged: true,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/proposals' }],
  tools: [{ name: 'mesh_list_proposals', title: 'List proposals', set: 'conversations', extension: true }],
  run: async (read, { limit = PAGE_DEFAULT, cursor = '', waiting = false, listing_id }, ctx) => {
    const me = actor(ctx);
    if (listing_id !== undefined) {
      const listing = await read(listingById, { id: listing_id });
      if (listing?.agent_id !== me.id) return fault('not_found');
      const { scale } = manner(ctx, me, listing, sideOf(listing));
      const held = await readHeld(read, listing, scale, ctx.now_ms);
      const own = await read(accountById, { id: me.account_id });
      const items = held.slice(0, limit).map(({ row, handle, plan }) => {
        const handleOf = (id: string): string => (id === me.id ? me.handle : handle);
        const planOf = (id: string) => (id === me.id ? (own?.plan ?? 'free') : plan);
        return proposalView(row, me, { handleOf, planOf }, ctx.now_ms);
      });
      return { items, next_cursor: null };
    }
    const page = await siftedPage({
      from: cursor,
      limit,
      read: (after, n) =>
        newestProposals(read.peek, {
          agent_id: me.id,
          after: after || null,
          limit: n,
          waiting_at: waiting ? ctx.now_ms : null,
        }),
      cursorOf: ({ proposal }) => proposal.id,
      textOf: ({ proposal }) => proposal.terms,
      // What a side withholds, the other does not know of.
      fits: ({ proposal }) => !isKept(proposal, me.id),
    });
    const items = page.items.map(({ proposal, buyer_handle, seller_handle, seller_plan }) => {
      const handleOf = (id: string): string => (id === proposal.buyer_id ? buyer_handle : seller_handle);
      return proposalView(proposal, me, { handleOf, planOf: () => seller_plan }, ctx.now_ms);
    });
    return { items, next_cursor: page.next_cursor };
  },
});
