// Approves or rejects a proposal. When both sides have approved, the same commit makes the deal, and its escrow where the buyer's wallet covers it.
import { Type } from 'typebox';
import { dealById } from '../../../db/queries/deal.ts';
import { proposalById } from '../../../db/queries/negotiation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command, query } from '../../contract/operation.ts';
import { isPlatform, platformFault } from '../../domain/agent/platform.ts';
import { codeWord, fault, isFault } from '../../domain/fault.ts';
import { isKept, PROPOSAL_REASONS } from '../../domain/negotiation/proposal.ts';
import { describe, step } from '../../domain/next-step.ts';
import { named, namedObject } from '../../schemas/named.ts';
import { ProposalShape, proposalView } from '../../schemas/proposal.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Cents, Id, NullableId, nullable, PathId } from '../../schemas/wire.ts';
import { type Purse, UNPAID, type Unpaid, unpaidFor } from '../../steps/negotiation/agree.ts';
import { ANSWER_REFUSALS, approve, proposalMeant, reject } from '../../steps/negotiation/answer.ts';
import { openProposal, type ProposalTalk, readProposalTalk } from '../../steps/negotiation/find.ts';
import { readAlone, readPurse, readWord } from '../../steps/negotiation/word.ts';

/** Told to the seller in place of the state of the buyer's wallet. */
const THEIRS = 'waits_for_buyer';

const ApprovalOutcome = namedObject('ApprovalOutcome', 'the result of an answer to a proposal', {
  proposal: ProposalShape,
  deal_id: NullableId,
  escrow_id: NullableId,
  unpaid: named(
    'Unpaid',
    nullable(
      Type.Enum([...UNPAID, THEIRS]),
      'why an agreed deal was not paid at once; its buyer opens the escrow once that is solved. The buyer’s ' +
        `reason is private: the seller reads \`${THEIRS}\``,
    ),
  ),
  payment_required: nullable(
    Type.Object({
      price_cents: Cents,
      currency: Type.Literal('USD'),
      balance_cents: Cents,
      shortfall_cents: Cents,
    }),
  ),
});

/** Why the deal is unpaid, as a side may know it. */
function unpaidTo(unpaid: Unpaid | null, buys: boolean): Unpaid | typeof THEIRS | null {
  return buys || unpaid === null || unpaid === 'seller_cannot_be_paid' ? unpaid : THEIRS;
}

/** The missing amount, told to the owner of the wallet only. */
function lacking(unpaid: Unpaid | null, price_cents: number, balance_cents: number | null, buys: boolean) {
  if (unpaid !== 'payment_required' || !buys) return null;
  const held = balance_cents ?? 0;
  return { price_cents, currency: 'USD' as const, balance_cents: held, shortfall_cents: price_cents - held };
}

interface Paid {
  readonly escrow_id: string | null;
  readonly unpaid: Unpaid | null;
  readonly purse: Purse | null;
}

function outcome(ctx: Ctx, talk: ProposalTalk, row: Row<'proposals'>, { escrow_id, unpaid, purse }: Paid) {
  const buys = row.buyer_id === talk.me.id;
  return {
    proposal: proposalView(row, talk.me, talk, ctx.now_ms),
    deal_id: row.deal_id,
    escrow_id,
    unpaid: unpaidTo(unpaid, buys),
    payment_required: lacking(unpaid, row.amount_cents, purse?.payer.balance_cents ?? null, buys),
  };
}

export const proposalApprove = command({
  name: 'proposal.approve',
  summary: 'Approve or reject a proposal',
  description: describe`For a signed-in person; a key may reject any proposal, and approve one of at most \`auto_approve_below_cents\` within the bounds, else ${codeWord('outside_bounds')}. Without \`proposal_id\`: the current one. When both sides have approved, a deal is made, and an escrow if the buyer's wallet covers it; otherwise \`unpaid\` gives the reason, and ${step('escrow.create')} in this conversation pays for it. A replaced proposal is ${codeWord('proposal_replaced')} with the current one, one older than 72 hours ${codeWord('proposal_expired')}.`,
  input: namedObject('ApprovalInput', 'an answer to a proposal', {
    conversation_id: PathId,
    proposal_id: Type.Optional(Id),
    version: Type.Optional(Type.Integer({ minimum: 1, description: 'the version you read; any other is refused' })),
    decision: Type.Optional(Type.Enum(['approve', 'reject'], { description: 'default: approve' })),
    reason: Type.Optional(
      Type.Enum([...PROPOSAL_REASONS], { description: 'the reason for rejecting; stored with the answer' }),
    ),
  }),
  output: ApprovalOutcome,
  example: { conversation_id: SAMPLE.proposed_conversation_id, decision: 'reject', reason: 'price' },
  effect: 'spends',
  access: 'key',
  scope: 'conversations:write',
  gate: 'verified',
  agent: 'required',
  faults: [...ANSWER_REFUSALS],
  rest: [{ method: 'POST', path: '/api/conversations/{conversation_id}/approve' }],
  tools: [
    { name: 'mesh_approve_proposal', title: 'Approve or reject a proposal', set: 'conversations', extension: true },
  ],
  load: async (read, { conversation_id, proposal_id }, ctx) => {
    const talk = await readProposalTalk(read, conversation_id, actor(ctx), ctx.now_ms);
    const stands = talk && openProposal(talk);
    const named = proposal_id === undefined ? null : await read(proposalById, { id: proposal_id });
    const word = talk && (await readWord(read, ctx, talk, stands));
    const purse = talk && stands && (await readPurse(read, ctx, talk, { buyer_id: stands.buyer_id, word }));
    const alone = talk && (await readAlone(read, { conversation_id, listing: talk.mine }));
    return { talk, named, word, purse, once: alone?.once ?? null };
  },
  decide: ({ talk, named, word, purse, once }, { proposal_id, version, decision = 'approve', reason = null }, ctx) => {
    if (!talk) return fault('not_found');
    if (isPlatform(talk.other.id)) return platformFault();
    const meant = proposalMeant(talk, { named, proposal_id, version }, ctx.now_ms);
    if (isFault(meant)) return meant;
    const given = { purse, word, once };
    const done = decision === 'reject' ? reject(ctx, talk, meant, reason) : approve(ctx, talk, meant, given);
    if (isFault(done)) return done;
    const { row, agreed, effects } = done;
    const paid = { escrow_id: agreed?.escrow_id ?? null, unpaid: agreed?.unpaid ?? null, purse };
    return { reply: outcome(ctx, talk, row, paid), effects };
  },
});

export const proposalRead = query({
  name: 'proposal.read',
  needed_by: 'clients of MCP that hold a proposal, or an answer to one, as a task',
  summary: 'Read the result of a proposal',
  input: Type.Object({ proposal_id: PathId }),
  output: ApprovalOutcome,
  example: { proposal_id: SAMPLE.proposal_id },
  access: 'key',
  scope: 'conversations:write',
  agent: 'required',
  faults: ['not_found'],
  run: async (read, { proposal_id }, ctx) => {
    const row = await read(proposalById, { id: proposal_id });
    const talk = row && (await readProposalTalk(read, row.conversation_id, actor(ctx), ctx.now_ms));
    if (!talk || isKept(row, talk.me.id)) return fault('not_found');
    const deal = row.deal_id === null ? null : await read(dealById, { id: row.deal_id });
    const escrow_id = deal?.escrow_id ?? null;
    const [buyer, seller] = row.buyer_id === talk.me.id ? [talk.me, talk.other] : [talk.other, talk.me];
    const purse = await readPurse(read, ctx, talk, { buyer_id: buyer.id, word: null });
    const due = deal?.status === 'open' && escrow_id === null;
    const unpaid = due ? unpaidFor({ buyer, seller, amount_cents: row.amount_cents }, purse) : null;
    return outcome(ctx, talk, row, { escrow_id, unpaid, purse });
  },
});
