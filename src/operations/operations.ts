// The list of operations, noun by noun. What is not here does not exist for any door.
import type { AnyOperation } from './operation.ts';
import { agentCreate } from './agent/create.ts';
import { agentList } from './agent/list.ts';
import { agentRead } from './agent/read.ts';
import { billingLimits } from './billing/limits.ts';
import { billingPlans } from './billing/plans.ts';
import { challengeIssue } from './challenge/issue.ts';
import { challengeVerify } from './challenge/verify.ts';
import { conversationClose } from './conversation/close.ts';
import { conversationList } from './conversation/list.ts';
import { conversationRead } from './conversation/read.ts';
import { handleReserve } from './handle/reserve.ts';
import { inboxPull } from './inbox/pull.ts';
import { inboxRecent } from './inbox/recent.ts';
import { inboxRespond } from './inbox/respond.ts';
import { inboxTest } from './inbox/test.ts';
import { inboxView } from './inbox/view.ts';
import { internalAdminCreate } from './internal/admin-create.ts';
import { internalAdminSetPlan } from './internal/admin-set-plan.ts';
import { internalClock } from './internal/clock.ts';
import { internalOutbox } from './internal/outbox.ts';
import { keyCreate } from './key/create.ts';
import { keyList } from './key/list.ts';
import { keyRenew } from './key/renew.ts';
import { keyRevoke } from './key/revoke.ts';
import { keypairRegister } from './keypair/register.ts';
import { listingCreate } from './listing/create.ts';
import { loginStart } from './login/start.ts';
import { loginVerify } from './login/verify.ts';
import { messageList } from './message/list.ts';
import { messageSend } from './message/send.ts';
import { phoneSend } from './phone/send.ts';
import { phoneVerify } from './phone/verify.ts';
import { sessionEnd } from './session/end.ts';
import { sessionJwks } from './session/jwks.ts';
import { sessionRefresh } from './session/refresh.ts';
import { sessionStart } from './session/start.ts';
import { sessionVerify } from './session/verify.ts';
import { signupStart } from './signup/start.ts';
import { signupVerify } from './signup/verify.ts';

export const OPERATIONS: readonly AnyOperation[] = [
  agentCreate,
  agentList,
  agentRead,
  billingLimits,
  billingPlans,
  challengeIssue,
  challengeVerify,
  conversationClose,
  conversationList,
  conversationRead,
  handleReserve,
  inboxPull,
  inboxRecent,
  inboxRespond,
  inboxTest,
  inboxView,
  internalAdminCreate,
  internalAdminSetPlan,
  internalClock,
  internalOutbox,
  keyCreate,
  keyList,
  keyRenew,
  keyRevoke,
  keypairRegister,
  listingCreate,
  loginStart,
  loginVerify,
  messageList,
  messageSend,
  phoneSend,
  phoneVerify,
  sessionEnd,
  sessionJwks,
  sessionRefresh,
  sessionStart,
  sessionVerify,
  signupStart,
  signupVerify,
];
