// Reads of proposals between two agents, and of the reasons of turns.
import { aliasedTable, and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { arg, byId, type Db, many, one, type Query } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

type ProposalSide = 'buyer' | 'seller';

export const proposalById = byId('proposals');
export const turnById = byId('turns', null);
export const modelCallById = byId('model_calls', null);

/** The undecided proposals of a conversation, newest first. */
export const liveProposals = many<{ conversation_id: string }>()('proposals', (db, t) =>
  db
    .select()
    .from(t.proposals)
    .where(
      and(eq(t.proposals.conversation_id, arg('conversation_id')), inArray(t.proposals.status, ['open', 'withheld'])),
    )
    .orderBy(desc(t.proposals.number))
    // One that is open, and one that each side's person has yet to see.
    .limit(4),
);

/** A proposal of a conversation that an agent may see and that is neither rejected nor expired. */
export const begunIn = one<{ conversation_id: string; agent_id: string; now_ms: number }>()(null, (db, { proposals }) =>
  db
    .select({ id: proposals.id })
    .from(proposals)
    .where(
      and(
        eq(proposals.conversation_id, arg('conversation_id')),
        // What a side withholds has a number below, and the other side does not know of it.
        or(gt(proposals.number, 0), eq(proposals.by_id, arg('agent_id'))),
        or(
          inArray(proposals.status, ['approved', 'replaced']),
          and(inArray(proposals.status, ['open', 'withheld']), gt(proposals.expires_at, arg('now_ms'))),
        ),
      ),
    )
    .limit(1),
);

/** A proposal that an agent compares, with the counterparty's record. */
export interface ComparedProposal {
  readonly proposal: Row<'proposals'>;
  readonly handle: string;
  readonly plan: Row<'accounts'>['plan'];
  readonly trust_score: number;
  readonly samples: readonly number[] | null;
}

type ComparedFor = { listing_id: string; agent_id: string; now_ms: number; limit: number };

/** What is compared for one of an agent's listings and may still be agreed to. */
function isCompared({ proposals, agents, conversations }: Tables, side: ProposalSide): SQL | undefined {
  return and(
    eq(proposals.compared_for, arg('listing_id')),
    eq(proposals[`${side}_id`], arg('agent_id')),
    sql`${proposals.status} = 'open'`,
    gt(proposals.expires_at, arg('now_ms')),
    isNull(agents.deactivated_at),
    eq(conversations.opener_blocks, 0),
    eq(conversations.other_blocks, 0),
  );
}

const otherOf = ({ proposals }: Tables, side: ProposalSide) => proposals[side === 'buyer' ? 'seller_id' : 'buyer_id'];

/** The best price for a side first. */
function byPrice({ proposals }: Tables, side: ProposalSide): SQL[] {
  const order = side === 'buyer' ? asc : desc;
  return [order(proposals.amount_cents), order(proposals.id)];
}

/** The compared proposals as they are shown. */
function comparedOf(side: ProposalSide): Query<ComparedFor, ComparedProposal[]> {
  return many<ComparedFor>()(null, (db, t) => {
    const { proposals, agents, accounts, conversations, presence } = t;
    return db
      .select({
        proposal: proposals,
        handle: agents.handle,
        plan: accounts.plan,
        trust_score: agents.trust_score,
        samples: presence.samples,
      })
      .from(proposals)
      .innerJoin(agents, eq(agents.id, otherOf(t, side)))
      .innerJoin(accounts, eq(accounts.id, agents.account_id))
      .innerJoin(conversations, eq(conversations.id, proposals.conversation_id))
      .leftJoin(presence, eq(presence.id, agents.id))
      .where(isCompared(t, side))
      .orderBy(...byPrice(t, side))
      .limit(arg('limit'));
  });
}
export const comparedAsBuyer = comparedOf('buyer');
export const comparedAsSeller = comparedOf('seller');

/** What a turn needs of a compared proposal. */
export interface RankedProposal
  extends Pick<Row<'proposals'>, 'id' | 'conversation_id' | 'amount_cents' | 'issues' | 'created_at' | 'decides_at'> {
  /** When the comparing side agreed to it. */
  readonly chosen_at: number | null;
  readonly trust_score: number;
  readonly samples: readonly number[] | null;
}

/** The same as each turn reads them. */
function rankedOf(side: ProposalSide): Query<ComparedFor, RankedProposal[]> {
  return many<ComparedFor>()(null, (db, t) => {
    const { proposals, agents, conversations, presence } = t;
    const { id, conversation_id, amount_cents, issues, created_at, decides_at } = proposals;
    return db
      .select({
        ...{ id, conversation_id, amount_cents, issues, created_at, decides_at },
        chosen_at: proposals[`${side}_at`],
        trust_score: agents.trust_score,
        samples: presence.samples,
      })
      .from(proposals)
      .innerJoin(agents, eq(agents.id, otherOf(t, side)))
      .innerJoin(conversations, eq(conversations.id, proposals.conversation_id))
      .leftJoin(presence, eq(presence.id, agents.id))
      .where(isCompared(t, side))
      .orderBy(...byPrice(t, side))
      .limit(arg('limit'));
  });
}
export const rankedAsBuyer = rankedOf('buyer');
export const rankedAsSeller = rankedOf('seller');

/** The number of the newest proposal of a conversation. */
export const newestNumber = one<{ conversation_id: string }>()(null, (db, t) =>
  db
    .select({ number: t.proposals.number })
    .from(t.proposals)
    .where(eq(t.proposals.conversation_id, arg('conversation_id')))
    .orderBy(desc(t.proposals.number))
    .limit(1),
);

/** The lowest number of a conversation's proposals between two: that of what a side withheld last. */
export const newestWithheld = one<{ conversation_id: string; above: number; below: number }>()(null, (db, t) =>
  db
    .select({ number: t.proposals.number })
    .from(t.proposals)
    .where(
      and(
        eq(t.proposals.conversation_id, arg('conversation_id')),
        gt(t.proposals.number, arg('above')),
        lt(t.proposals.number, arg('below')),
      ),
    )
    .orderBy(asc(t.proposals.number))
    .limit(1),
);

export const proposalOfDeal = one<{ conversation_id: string; deal_id: string }>()(null, (db, { proposals }) =>
  db
    .select()
    .from(proposals)
    .where(and(eq(proposals.conversation_id, arg('conversation_id')), eq(proposals.deal_id, arg('deal_id'))))
    .orderBy(desc(proposals.number))
    .limit(1),
);

/** A proposal with what its sides are called now. */
export interface NamedProposal {
  readonly proposal: Row<'proposals'>;
  readonly buyer_handle: string;
  readonly seller_handle: string;
  readonly seller_plan: Row<'accounts'>['plan'];
}
/** Of an agent's, before a time, and of those at that time before an id. */
export type ProposalPage = { agent_id: string; before_at: number; before: string; limit: number };

/** The same of those that wait for the agent: undecided, not answered by its side, put after `since` and valid past `now_ms`. */
export type WaitingPage = ProposalPage & { since: number; now_ms: number };

function proposalsOf<A extends ProposalPage>(
  side: ProposalSide,
  more: (t: Tables) => SQL | undefined = () => undefined,
): Query<A, NamedProposal[]> {
  return many<A>()(null, (db: Db, t: Tables) => {
    const { proposals, agents, accounts } = t;
    const [buyer, seller] = [aliasedTable(agents, 'buyer'), aliasedTable(agents, 'seller')];
    return db
      .select({
        proposal: proposals,
        buyer_handle: buyer.handle,
        seller_handle: seller.handle,
        seller_plan: accounts.plan,
      })
      .from(proposals)
      .innerJoin(buyer, eq(buyer.id, proposals.buyer_id))
      .innerJoin(seller, eq(seller.id, proposals.seller_id))
      .innerJoin(accounts, eq(accounts.id, seller.account_id))
      .where(
        and(
          eq(proposals[`${side}_id`], arg('agent_id')),
          lte(proposals.created_at, arg('before_at')),
          or(lt(proposals.created_at, arg('before_at')), lt(proposals.id, arg('before'))),
          more(t),
        ),
      )
      .orderBy(desc(proposals.created_at), desc(proposals.id))
      .limit(arg('limit'));
  });
}

function waitingOf(side: ProposalSide): Query<WaitingPage, NamedProposal[]> {
  return proposalsOf(side, ({ proposals, listings }) =>
    and(
      isNull(proposals[`${side}_at`]),
      // What the agent compares does not wait for its person until it decides.
      or(
        isNull(proposals.decides_at),
        lte(proposals.decides_at, arg('now_ms')),
        sql`NOT EXISTS (SELECT 1 FROM ${listings} WHERE ${listings.id} = ${proposals.compared_for} AND ${listings.agent_id} = ${arg('agent_id')})`,
      ),
      // Literals, so that the planner may use the partial index.
      sql`${proposals.status} IN ('open', 'withheld')`,
      // Proposals that the other side withholds are hidden.
      or(sql`${proposals.status} = 'open'`, eq(proposals.by_id, arg('agent_id'))),
      gt(proposals.created_at, arg('since')),
      gt(proposals.expires_at, arg('now_ms')),
    ),
  );
}

/** The proposals in which an agent buys, and in which it sells, newest first. Two queries, because each side has its own index. */
export const proposalsAsBuyer: Query<ProposalPage, NamedProposal[]> = proposalsOf('buyer');
export const proposalsAsSeller: Query<ProposalPage, NamedProposal[]> = proposalsOf('seller');
export const waitingAsBuyer: Query<WaitingPage, NamedProposal[]> = waitingOf('buyer');
export const waitingAsSeller: Query<WaitingPage, NamedProposal[]> = waitingOf('seller');

/** The turns that were taken for an agent in a conversation, newest first. */
export const turnsOf = many<{ conversation_id: string; agent_id: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.turns)
    .where(and(eq(t.turns.conversation_id, arg('conversation_id')), eq(t.turns.agent_id, arg('agent_id'))))
    .orderBy(desc(t.turns.id))
    .limit(arg('limit')),
);

/** The messages of a conversation that turns wrote for an agent, among those from one id to another. */
export const turnsAmong = many<{
  conversation_id: string;
  agent_id: string;
  from: string;
  to: string;
  limit: number;
}>()(null, (db, { turns }) =>
  db
    .select({ id: turns.id })
    .from(turns)
    .where(
      and(
        eq(turns.conversation_id, arg('conversation_id')),
        eq(turns.agent_id, arg('agent_id')),
        gte(turns.id, arg('from')),
        lte(turns.id, arg('to')),
      ),
    )
    .limit(arg('limit')),
);

/** The turn that was taken for an agent in a conversation at an instant. */
export const turnAt = one<{ conversation_id: string; agent_id: string; at: number }>()(null, (db, { turns }) =>
  db
    .select({ id: turns.id })
    .from(turns)
    .where(
      and(
        eq(turns.conversation_id, arg('conversation_id')),
        eq(turns.agent_id, arg('agent_id')),
        eq(turns.created_at, arg('at')),
      ),
    )
    .limit(1),
);

/** The decisions before an instant, in the order of sealing, after one of them. */
export const approvalsAfter = many<{ at: number; id: string; to: number; limit: number }>()(null, (db, { approvals }) =>
  db
    .select()
    .from(approvals)
    .where(
      and(
        lt(approvals.created_at, arg('to')),
        or(gt(approvals.created_at, arg('at')), and(eq(approvals.created_at, arg('at')), gt(approvals.id, arg('id')))),
      ),
    )
    .orderBy(asc(approvals.created_at), asc(approvals.id))
    .limit(arg('limit')),
);

/** The decisions of an agent's side, oldest first. */
export const approvalsOf = many<{ agent_id: string; after: string; limit: number }>()(null, (db, { approvals }) =>
  db
    .select()
    .from(approvals)
    .where(and(eq(approvals.agent_id, arg('agent_id')), gt(approvals.id, arg('after'))))
    .orderBy(asc(approvals.id))
    .limit(arg('limit')),
);

/** The time of the oldest recorded decision. */
export const firstApproval = one<Record<never, never>>()(null, (db, { approvals }) =>
  db.select({ created_at: approvals.created_at }).from(approvals).orderBy(asc(approvals.created_at)).limit(1),
);

/** An agent's last decision on a subject at an instant. Ids alone do not give the order when clocks differ. */
export const decisionOn = one<{ agent_id: string; subject_id: string; at: number }>()(null, (db, { approvals }) =>
  db
    .select()
    .from(approvals)
    .where(
      and(
        eq(approvals.created_at, arg('at')),
        eq(approvals.agent_id, arg('agent_id')),
        eq(approvals.subject_id, arg('subject_id')),
      ),
    )
    .orderBy(desc(approvals.id))
    .limit(1),
);

/** The model calls for an agent, oldest first, after one of them. */
export const modelCallsBehind = many<{ agent_id: string; after: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.model_calls)
    .where(and(eq(t.model_calls.agent_id, arg('agent_id')), gt(t.model_calls.id, arg('after'))))
    .orderBy(asc(t.model_calls.id))
    .limit(arg('limit')),
);
