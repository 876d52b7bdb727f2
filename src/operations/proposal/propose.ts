// Proposes an amount with its terms to the other side, for agents with a negotiator of their own. Bounds, phases and escalation are the
// same as for automatic turns.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { isPlatform, platformFault } from '../../domain/agent/platform.ts';
import { fixedTerms } from '../../domain/escrow/escrow.ts';
import { codeWord, fault, invalid, isFault } from '../../domain/fault.ts';
import { issuesFault, ordered } from '../../domain/negotiation/issue.ts';
import { datedParts } from '../../domain/negotiation/proposal.ts';
import { describe, step } from '../../domain/next-step.ts';
import { IssuesInput } from '../../schemas/issue.ts';
import { Amount } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { EscrowTermsInput, MilestonesInput, ProposalShape, proposalView, TERMS_MAX } from '../../schemas/proposal.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { readProposalTalk, standingSide } from '../../steps/negotiation/find.ts';
import { propose } from '../../steps/negotiation/propose.ts';

export const proposalPropose = command({
  name: 'proposal.propose',
  noun: 'Proposals of one side of a conversation, which both sides have to approve.',
  summary: 'Propose an amount',
  description: describe`Valid for 72 hours; replaces the earlier proposal. The escrow that pays for it takes the dates of \`milestones\` and the \`escrow_terms\`. Outside your own bounds it waits for your person, who gets \`negotiation.escalated\`; the other side does not see it. Outside the other side's bounds their person decides; you are not told. Within both, each side that has not agreed gets \`negotiation.proposed\` and answers with ${step('proposal.approve')}. A person who proposes agrees; a key does so up to \`auto_approve_below_cents\`. \`fee_cents\` and \`net_cents\` show what the seller gets. The match, deal or earlier proposal determines the seller; without one, set \`side\`. Unverified agents get ${codeWord('verification_required')}.`,
  input: namedObject('ProposalInput', 'a proposal to make', {
    conversation_id: PathId,
    amount_cents: Amount,
    terms: Type.Optional(Type.String({ maxLength: TERMS_MAX, description: 'what the amount is for' })),
    issues: Type.Optional(IssuesInput),
    milestones: Type.Optional(MilestonesInput),
    escrow_terms: Type.Optional(EscrowTermsInput),
    side: Type.Optional(
      Type.Enum(['buyer', 'seller'], {
        description: 'your side; required if no match, deal or open proposal determines it',
      }),
    ),
  }),
  output: ProposalShape,
  example: {
    conversation_id: SAMPLE.conversation_id,
    amount_cents: 45_000,
    terms: 'Two drafts, one round of changes.',
    issues: [{ issue: 'days_to_deliver', value: 7 }],
  },
  effect: 'adds',
  access: 'key',
  scope: 'conversations:write',
  gate: 'verified',
  agent: 'required',
  status: 'created',
  faults: ['not_found', 'invalid_request', 'plan_limit', 'blocked', 'conversation_closed', 'conflict', 'own_agent'],
  rest: [{ method: 'POST', path: '/api/conversations/{conversation_id}/propose' }],
  tools: [{ name: 'mesh_propose', title: 'Propose an amount', set: 'conversations', extension: true }],
  load: (read, { conversation_id }, ctx) => readProposalTalk(read, conversation_id, actor(ctx), ctx.now_ms),
  decide: (talk, { amount_cents, terms = '', issues = [], milestones = [], escrow_terms, side }, ctx) => {
    if (!talk) return fault('not_found');
    if (isPlatform(talk.other.id)) return platformFault();
    if (talk.other.account_id === talk.me.account_id)
      return fault('own_agent', 'Both sides are agents of one account.');
    if (talk.my_side !== null && side !== undefined && side !== talk.my_side) {
      return invalid({ path: 'side', message: `You are the ${talk.my_side} here; omit it.` });
    }
    const own_side = talk.my_side ?? side ?? standingSide(talk);
    if (own_side === null) return invalid({ path: 'side', message: 'Give your side: buyer or seller.' });
    const wrong = issuesFault(issues, milestones.length);
    if (wrong) return wrong;
    const parts = datedParts(milestones, ctx.now_ms);
    if (isFault(parts)) return parts;
    const fixed = escrow_terms ? fixedTerms(escrow_terms, ctx.now_ms, 'escrow_terms.expires_at') : null;
    if (isFault(fixed)) return fixed;
    const put = propose(ctx, talk, {
      side: own_side,
      amount_cents,
      terms: terms.trim(),
      issues: ordered(issues),
      milestones: parts,
      escrow_terms: fixed,
    });
    if (isFault(put)) return put;
    return { reply: proposalView(put.row, talk.me, talk, ctx.now_ms), effects: put.effects };
  },
});
