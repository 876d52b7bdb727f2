// Opens an escrow with another agent: it holds the buyer's money until delivery. Each milestone is released separately; without a
// decision of the sides only the buyer's terms decide.
import { type Static, Type } from 'typebox';
import { count } from '../../../db/effects.ts';
import { threadById } from '../../../db/queries/conversation.ts';
import { agreedDealIn, dealById } from '../../../db/queries/deal.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { listingById } from '../../../db/queries/listing.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { blockGate } from '../../domain/conversation/conversation.ts';
import { cancelFault, dealStatus, partsFault } from '../../domain/deal/deal.ts';
import { type FixedTerms, termsOfDeal } from '../../domain/escrow/escrow.ts';
import { codeWord, type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import type { PlanName } from '../../domain/identity/plan.ts';
import { TRANSFER_MAX_CENTS } from '../../domain/money/ledger.ts';
import { MILESTONES_MAX } from '../../domain/negotiation/issue.ts';
import type { Proposed } from '../../domain/negotiation/proposal.ts';
import { describe, step } from '../../domain/next-step.ts';
import { ESCROW_TERMS, EscrowShape, escrowView } from '../../schemas/escrow.ts';
import { Amount, DryRunInput } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, Id, Time, visibleText } from '../../schemas/wire.ts';
import { agentByHandle, counterparty } from '../../steps/agent/find.ts';
import { canBePaid } from '../../steps/agent/payable.ts';
import { proposalBehind } from '../../steps/deal/find.ts';
import { openEscrow, type Part, untieredTerms } from '../../steps/escrow/open.ts';
import { readBlocking } from '../../steps/message/thread.ts';
import { readSpending } from '../../steps/money/budget.ts';
import { isSpendFault, spend } from '../../steps/money/spend.ts';

const TITLE_MAX = 140;

const EscrowInput = namedObject('EscrowInput', 'an escrow to open', {
  seller_handle: HandleInput,
  milestones: Type.Array(
    namedObject('MilestoneInput', 'a milestone, delivered and released separately', {
      title: visibleText(TITLE_MAX),
      amount_cents: Amount,
      due_at: Type.Optional(Time),
    }),
    { minItems: 1, maxItems: MILESTONES_MAX, description: `at most ${MILESTONES_MAX}` },
  ),
  title: Type.Optional(visibleText(TITLE_MAX, "default: the first milestone's")),
  currency: Type.Optional(Type.String({ maxLength: 8, description: 'only USD' })),
  conversation_id: Type.Optional(Id),
  listing_id: Type.Optional(Id),
  deal_id: Type.Optional({
    ...Id,
    description: 'the agreed deal that this pays for, with its milestones; refused if the deal is paid or cancelled',
  }),
  ...ESCROW_TERMS,
  dry_run: DryRunInput,
});

type Given = Static<typeof EscrowInput>;

interface Loaded {
  readonly seller: Row<'agents'> | null;
  readonly seller_plan: PlanName;
  readonly own: boolean;
  /** Whether the seller is visible to the caller. */
  readonly met: boolean;
  readonly blocked: boolean;
  readonly listing: Row<'listings'> | null;
  /** Whether the conversation is between the two agents. */
  readonly between: boolean;
  /** The agreed deal of the conversation at this price; or the named deal in any state. */
  readonly agreed: Row<'deals'> | null;
  /** The milestones of the deal; empty where it has none. */
  readonly parts: readonly Proposed[];
  /** The agreed escrow terms of the deal. */
  readonly agreed_terms: FixedTerms | null;
}

function isBetween(thread: { opener_id: string; other_id: string } | null, a: string, b: string): boolean {
  if (!thread) return false;
  return (thread.opener_id === a && thread.other_id === b) || (thread.opener_id === b && thread.other_id === a);
}

/** The search for an agreed deal in its conversation. */
interface Sought {
  readonly [column: string]: unknown;
  readonly conversation_id: string;
  readonly buyer_id: string;
  readonly seller_id: string;
  readonly amount_cents: number;
}

async function dealToPay(read: Read, { deal_id, conversation_id }: Given, asked: Sought): Promise<Row<'deals'> | null> {
  if (deal_id !== undefined) return read(dealById, { id: deal_id });
  return conversation_id === undefined ? null : read(agreedDealIn, asked);
}

/** Why this escrow cannot pay for the named deal, or for the agreed one of the conversation. */
function dealFault(
  { agreed, parts, seller }: Loaded,
  given: Given,
  buyer_id: string,
): Fault<'not_found' | 'conflict' | 'invalid_request'> | null {
  const paid = partsOf(given);
  if (given.deal_id === undefined) return partsFault(parts, paid);
  if (!agreed || agreed.buyer_id !== buyer_id || agreed.seller_id !== seller?.id) return fault('not_found');
  if (agreed.amount_cents !== totalOf(given)) {
    return invalid({ path: 'milestones', message: `Their sum has to be the deal's ${agreed.amount_cents} cents.` });
  }
  if (cancelFault(agreed.status, agreed.escrow_id) === null) return partsFault(parts, paid);
  const { status, escrow_id } = agreed;
  return fault('conflict', 'The deal is already paid for or over.', {
    status: dealStatus(status, 'active'),
    escrow_id,
  });
}

async function loadSeller(read: Read, given: Given, ctx: Ctx): Promise<Loaded> {
  const me = actor(ctx);
  const seller = await agentByHandle(read, given.seller_handle, ctx.now_ms);
  const asked = {
    conversation_id: given.conversation_id ?? '',
    buyer_id: me.id,
    seller_id: seller?.id ?? '',
    amount_cents: totalOf(given),
  };
  const [account, blocks, met, listing, thread, agreed] = await Promise.all([
    seller && read.peek(accountById, { id: seller.account_id }),
    seller ? readBlocking(read, me.id, seller.id) : null,
    seller ? counterparty(read, me.id, given.seller_handle, ctx.now_ms) : null,
    given.listing_id === undefined ? null : read.peek(listingById, { id: given.listing_id }),
    given.conversation_id === undefined ? null : read.peek(threadById, { id: given.conversation_id }),
    dealToPay(read, given, asked),
  ]);
  const proposal = await proposalBehind(read, agreed);
  return {
    seller,
    seller_plan: account?.plan ?? 'free',
    own: seller?.account_id === me.account_id,
    met: met !== null,
    blocked: blocks?.other ?? false,
    listing: listing && listing.agent_id === seller?.id && listing.status === 'live' ? listing : null,
    between: isBetween(thread, me.id, seller?.id ?? ''),
    agreed,
    parts: proposal?.milestones ?? [],
    agreed_terms: proposal?.escrow_terms ?? null,
  };
}

/** The milestones to pay for; an absent time is null. */
function partsOf({ milestones }: Given): Part[] {
  return milestones.map(({ due_at, ...part }) => ({
    ...part,
    due_at: due_at === undefined ? null : Date.parse(due_at),
  }));
}

function totalOf({ milestones }: Given): number {
  return milestones.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

type Refusal =
  | 'unsupported_currency'
  | 'invalid_request'
  | 'not_found'
  | 'own_agent'
  | 'seller_cannot_be_paid'
  | 'blocked';

/** Checks the input alone, without the seller. */
function askedFault(given: Given): Fault<'unsupported_currency' | 'invalid_request'> | null {
  const { currency } = given;
  if (currency !== undefined && currency.toUpperCase() !== 'USD') return fault('unsupported_currency');
  if (totalOf(given) > TRANSFER_MAX_CENTS) {
    return invalid({ path: 'milestones', message: `Their sum may be at most ${TRANSFER_MAX_CENTS} cents.` });
  }
  return null;
}

function sellerFault(loaded: Loaded, given: Given): Fault<Refusal> | null {
  const { seller, own, met, blocked, listing, between } = loaded;
  if (!seller) return fault('not_found');
  if (own) return fault('own_agent');
  if (!canBePaid(seller)) return fault('seller_cannot_be_paid');
  if (!met) return fault('not_found');
  if (blocked) return fault('blocked');
  if (given.listing_id !== undefined && !listing) {
    return invalid({ path: 'listing_id', message: 'The seller has no live listing with that id.' });
  }
  if (given.conversation_id === undefined || between) return null;
  return invalid({ path: 'conversation_id', message: 'There is no such conversation between the two of you.' });
}

function open(
  ctx: Ctx,
  {
    seller,
    seller_plan,
    listing,
    agreed,
    parts,
  }: Pick<Loaded, 'seller_plan' | 'listing' | 'agreed' | 'parts'> & {
    readonly seller: Row<'agents'>;
  },
  given: Given,
  fixed: FixedTerms,
) {
  const { milestones, conversation_id = agreed?.conversation_id ?? null } = given;
  return openEscrow(ctx, {
    buyer: actor(ctx),
    seller,
    seller_plan,
    milestones: partsOf(given).map((part, n) => ({ ...part, due_at: part.due_at ?? parts[n]?.due_at ?? null })),
    origin: 'escrow',
    title: given.title ?? listing?.headline ?? milestones[0]?.title ?? '',
    terms: untieredTerms(listing),
    conversation_id,
    listing_id: listing?.id ?? null,
    agreed,
    ...fixed,
  });
}

export const escrowCreate = command({
  name: 'escrow.create',
  noun: 'Escrows: money held until delivery.',
  summary: 'Open an escrow',
  description: describe`Holds the sum of the milestones from your wallet. ${step('escrow.release')} pays the seller a milestone, less the fee of the seller's plan; both get \`payment.succeeded\` now. Refused with ${codeWord('payment_required')} and the amounts if the balance is too low, and with ${codeWord('seller_cannot_be_paid')} if the seller is unverified or deactivated. In a conversation with an agreed deal of that sum it pays for that deal; with \`deal_id\` only for that deal. The agreed dates and terms are used. The terms cannot be changed later. With \`dry_run\` nothing moves, and the response shows what would.`,
  input: EscrowInput,
  output: EscrowShape,
  example: { seller_handle: SAMPLE.other_handle, milestones: [{ title: 'Draft', amount_cents: 2_000 }] },
  effect: 'spends',
  access: 'key',
  scope: 'payments:write',
  gate: 'verified',
  agent: 'required',
  dry_run: true,
  status: 'created',
  faults: [
    'invalid_request',
    'unsupported_currency',
    'not_found',
    'own_agent',
    'seller_cannot_be_paid',
    'blocked',
    'payment_required',
    'spending_limit',
    'outside_bounds',
    'account_restricted',
    'open_obligations',
    'conflict',
  ],
  strict: true,
  rest: [{ method: 'POST', path: '/api/wallet/escrow' }],
  tools: [{ name: 'mesh_create_escrow', title: 'Open an escrow', set: 'wallet' }],
  load: async (read, given, ctx) => ({
    ...(await loadSeller(read, given, ctx)),
    spending: await readSpending(read, actor(ctx).id, ctx.now_ms),
  }),
  decide: ({ spending, ...loaded }, given, ctx) => {
    const buyer = actor(ctx);
    const refusal = askedFault(given) ?? sellerFault(loaded, given) ?? dealFault(loaded, given, buyer.id);
    const { seller } = loaded;
    if (refusal) return refusal;
    if (!seller) return fault('not_found');
    const fixed = termsOfDeal(loaded.agreed_terms, given, ctx.now_ms);
    if (isFault(fixed)) return fixed;
    const { escrow, milestones, effects } = open(ctx, { ...loaded, seller }, given, fixed);
    const paid = {
      amount_cents: escrow.total_cents,
      to_id: seller.id,
      operation: 'escrow.create',
      input: given,
    } as const;
    const spent = spend(ctx, spending, paid);
    if (isSpendFault(spent)) return spent;
    const sides = { buyer_handle: buyer.handle, seller_handle: seller.handle, seller_plan: loaded.seller_plan };
    return {
      reply: escrowView(escrow, milestones, sides),
      effects: [
        count(blockGate(seller.id, buyer.id), 0, fault('blocked'), null, 0),
        spent.gate,
        ...spent.counts,
        ...effects,
      ],
    };
  },
});
