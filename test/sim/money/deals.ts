// What members of the world of money agree on in words: they put a price to each other, say yes or no to it, pay for what was agreed and
// not paid at once, and take back what nobody has paid for. Mostly whoever may, now and then somebody else.
import type { TestAnswer } from '../../support/testbed.ts';
import type { Action, Member, MoneyWorld } from './world.ts';

interface Between {
  readonly id: string;
  readonly opener_id: string;
  readonly other_id: string;
  readonly deal_id: string | null;
}
interface Put {
  readonly id: string;
  readonly conversation_id: string;
  readonly buyer_id: string;
  readonly seller_id: string;
  readonly buyer_at: number | null;
}
interface Agreed extends Omit<Put, 'buyer_at'> {
  readonly amount_cents: number;
}

const named = ({ members }: MoneyWorld, id: string): Member | undefined => members.find((each) => each.id === id);

/** So many conversations are opened in a world: a plan counts them, and a deal wants two that know each other. */
const THREADS = 6;

/** In a conversation of the member's, or one that it opens for this. */
export const putPrice: Action = async (world, member) => {
  const { choose, db } = world;
  const own = db.rows<Between>(
    `SELECT id, opener_id, other_id, deal_id FROM conversations WHERE '${member.id}' IN (opener_id, other_id) ORDER BY id`,
  );
  if (own.length === 0 && db.number('SELECT count(*) FROM conversations') < THREADS) {
    const { handle } = choose.pick(world.members.filter(({ id }) => id !== member.id));
    return world.call(member, 'key', 'POST', '/tools/mesh_start_conversation', {
      handle,
      content: 'What would a rope be?',
    });
  }
  const thread = choose.maybe(own);
  if (!thread) return null;
  const parts = Array.from({ length: choose.chance(0.3) ? 2 : 0 }, (_, n) => ({
    title: `Part ${n}`,
    amount_cents: 1 + choose.below(2_000),
  }));
  const sum = parts.reduce((cents, part) => cents + part.amount_cents, 0);
  // Now and then more than a wallet holds: what was agreed is then paid for later, or taken back.
  const amount_cents = sum > 0 ? sum : choose.chance(0.5) ? 30_000 + choose.below(60_000) : 1 + choose.below(9_000);
  // What a person puts it has agreed to; a program's waits for a word of both.
  const as = choose.chance(0.8) ? 'session' : 'key';
  const body = {
    amount_cents: choose.chance(0.05) ? amount_cents + 1 : amount_cents,
    // A deal that was made there says who sells.
    ...((thread.deal_id === null || choose.chance(0.05)) && { side: choose.pick(['buyer', 'seller']) }),
    ...(parts.length > 0 && { milestones: parts }),
  };
  return world.call(member, as, 'POST', `/api/conversations/${thread.id}/propose`, body);
};

/** The word of a side, or of somebody who is none. */
export const answerPrice: Action = async (world, drawn) => {
  const { choose, db } = world;
  const open = db.rows<Put>(
    `SELECT id, conversation_id, buyer_id, seller_id, buyer_at FROM proposals
      WHERE status IN ('open', 'withheld') AND expires_at > ${choose.chance(0.9) ? world.clock.now() : 0} ORDER BY id DESC LIMIT 12`,
  );
  const proposal = choose.maybe(open);
  if (!proposal) return null;
  const { buyer_id, seller_id, buyer_at } = proposal;
  // Mostly whoever has not said yes.
  const side = named(world, (buyer_at === null) === choose.chance(0.85) ? buyer_id : seller_id);
  const member = choose.chance(0.95) && side ? side : drawn;
  const body = {
    ...(choose.chance(0.7) && { proposal_id: proposal.id }),
    decision: choose.chance(0.85) ? 'approve' : 'reject',
  };
  const as = choose.chance(0.9) ? 'session' : 'key';
  return world.call(member, as, 'POST', `/api/conversations/${proposal.conversation_id}/approve`, body);
};

const UNPAID = "status = 'open' AND escrow_id IS NULL AND conversation_id IS NOT NULL";

function agreedDeal({ choose, db }: MoneyWorld): Agreed | null {
  const where = choose.chance(0.9) ? UNPAID : 'conversation_id IS NOT NULL';
  const deals = db.rows<Agreed>(
    `SELECT id, conversation_id, buyer_id, seller_id, amount_cents FROM deals WHERE ${where} ORDER BY id DESC LIMIT 12`,
  );
  return choose.maybe(deals);
}

interface Parted {
  readonly milestones: string;
}

/** The parts that were agreed to; now and then others. */
function partsOf({ db, choose }: MoneyWorld, { id, amount_cents }: Agreed): readonly object[] {
  const [found] = db.rows<Parted>(`SELECT milestones FROM proposals WHERE deal_id = '${id}'`);
  const parts: readonly object[] = found ? JSON.parse(found.milestones) : [];
  if (parts.length > 0 && choose.chance(0.9)) return parts;
  return [{ title: 'All of it', amount_cents: amount_cents + (choose.chance(0.05) ? 1 : 0) }];
}

/** By the deal's id, by its conversation, or by both; now and then at another price. */
export const payDeal: Action = async (world, drawn): Promise<TestAnswer | null> => {
  const { choose } = world;
  const deal = agreedDeal(world);
  const seller = deal && named(world, deal.seller_id);
  if (!deal || !seller) return null;
  const buyer = named(world, deal.buyer_id);
  const by = choose.pick([
    { deal_id: deal.id },
    { conversation_id: deal.conversation_id },
    { deal_id: deal.id, conversation_id: deal.conversation_id },
  ]);
  const body = { seller_handle: seller.handle, milestones: partsOf(world, deal), ...by };
  return world.call(choose.chance(0.95) && buyer ? buyer : drawn, 'session', 'POST', '/api/wallet/escrow', body);
};

/** By either side. */
export const cancelDeal: Action = async (world, drawn) => {
  const { choose } = world;
  const deal = agreedDeal(world);
  if (!deal) return null;
  const side = named(world, choose.pick([deal.buyer_id, deal.seller_id]));
  return world.call(choose.chance(0.95) && side ? side : drawn, 'key', 'POST', `/api/deals/${deal.id}/cancel`);
};
