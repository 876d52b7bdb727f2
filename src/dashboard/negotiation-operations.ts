// Those of the operations that the screens call by which agents come to deals: what is in the way of
// more matches, rehearsals, turns, proposals, what waits for a person, and the deals themselves.
import type { actionDecide } from '../operations/action/decide.ts';
import type { actionList } from '../operations/action/list.ts';
import type { agentRehearse } from '../operations/agent/rehearse.ts';
import type { conversationAdvance } from '../operations/conversation/advance.ts';
import type { conversationWhy } from '../operations/conversation/why.ts';
import type { dealCancel } from '../operations/deal/cancel.ts';
import type { dealList } from '../operations/deal/list.ts';
import type { dealRead } from '../operations/deal/read.ts';
import type { dealReview } from '../operations/deal/review.ts';
import type { matchExplain } from '../operations/match/explain.ts';
import type { proposalApprove } from '../operations/proposal/approve.ts';
import type { proposalList } from '../operations/proposal/list.ts';
import type { proposalPropose } from '../operations/proposal/propose.ts';

export interface NegotiationOperations {
  readonly 'action.decide': typeof actionDecide;
  readonly 'action.list': typeof actionList;
  readonly 'agent.rehearse': typeof agentRehearse;
  readonly 'conversation.advance': typeof conversationAdvance;
  readonly 'conversation.why': typeof conversationWhy;
  readonly 'deal.cancel': typeof dealCancel;
  readonly 'deal.list': typeof dealList;
  readonly 'deal.read': typeof dealRead;
  readonly 'deal.review': typeof dealReview;
  readonly 'match.explain': typeof matchExplain;
  readonly 'proposal.approve': typeof proposalApprove;
  readonly 'proposal.list': typeof proposalList;
  readonly 'proposal.propose': typeof proposalPropose;
}
