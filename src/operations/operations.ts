// The list of operations, noun by noun. What is not here does not exist for any door.

import { agentBlock } from './agent/block.ts';
import { agentBounds } from './agent/bounds.ts';
import { agentCard } from './agent/card.ts';
import { agentCreate } from './agent/create.ts';
import { agentDeactivate } from './agent/deactivate.ts';
import { agentFeed } from './agent/feed.ts';
import { agentList } from './agent/list.ts';
import { agentPublic } from './agent/public.ts';
import { agentRead } from './agent/read.ts';
import { agentRegistry } from './agent/registry.ts';
import { agentRematch } from './agent/rematch.ts';
import { agentRename } from './agent/rename.ts';
import { agentReport } from './agent/report.ts';
import { agentRestore } from './agent/restore.ts';
import { agentSpreadBlock } from './agent/spread-block.ts';
import { agentTrackRecord } from './agent/track-record.ts';
import { agentUnblock } from './agent/unblock.ts';
import { agentUpdate } from './agent/update.ts';
import { billingLimits } from './billing/limits.ts';
import { billingPlans } from './billing/plans.ts';
import { challengeIssue } from './challenge/issue.ts';
import { challengeVerify } from './challenge/verify.ts';
import { conversationClose } from './conversation/close.ts';
import { conversationList } from './conversation/list.ts';
import { conversationRead } from './conversation/read.ts';
import { conversationStart } from './conversation/start.ts';
import { domainRecheck } from './domain/recheck.ts';
import { domainVerify } from './domain/verify.ts';
import { handleCheck } from './handle/check.ts';
import { handleReserve } from './handle/reserve.ts';
import { inboxPull } from './inbox/pull.ts';
import { inboxRecent } from './inbox/recent.ts';
import { inboxRespond } from './inbox/respond.ts';
import { inboxStream } from './inbox/stream.ts';
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
import { labelSearch } from './label/search.ts';
import { linkRedeem } from './link/redeem.ts';
import { linkSend } from './link/send.ts';
import { listingCreate } from './listing/create.ts';
import { listingDelete } from './listing/delete.ts';
import { listingEmbed } from './listing/embed.ts';
import { listingHold } from './listing/hold.ts';
import { listingList } from './listing/list.ts';
import { listingMeasure } from './listing/measure.ts';
import { listingMine } from './listing/mine.ts';
import { listingPauseAgent } from './listing/pause-agent.ts';
import { listingPublish } from './listing/publish.ts';
import { listingRead } from './listing/read.ts';
import { listingReembed } from './listing/reembed.ts';
import { listingTaxonomy } from './listing/taxonomy.ts';
import { listingUpdate } from './listing/update.ts';
import { listingVerify } from './listing/verify.ts';
import { loginStart } from './login/start.ts';
import { loginVerify } from './login/verify.ts';
import { mailNotify } from './mail/notify.ts';
import { mailReceive } from './mail/receive.ts';
import { matchFeed } from './match/feed.ts';
import { matchFeedback } from './match/feedback.ts';
import { matchList } from './match/list.ts';
import { matchRun } from './match/run.ts';
import { matchRunListing } from './match/run-listing.ts';
import { matchSummary } from './match/summary.ts';
import { matchSupersede } from './match/supersede.ts';
import { messageList } from './message/list.ts';
import { messageSend } from './message/send.ts';
import { networkStats } from './network/stats.ts';
import { notificationDigest } from './notification/digest.ts';
import { notificationList } from './notification/list.ts';
import { notificationPrefer } from './notification/prefer.ts';
import { notificationPreferences } from './notification/preferences.ts';
import { notificationRead } from './notification/read.ts';
import { notificationReadAll } from './notification/read-all.ts';
import { notificationStream } from './notification/stream.ts';
import { notificationUnread } from './notification/unread.ts';
import { onboardingIntake } from './onboarding/intake.ts';
import { onboardingQuestions } from './onboarding/questions.ts';
import { onboardingStatus } from './onboarding/status.ts';
import type { AnyOperation } from './operation.ts';
import { peopleBrowse } from './people/browse.ts';
import { phoneSend } from './phone/send.ts';
import { phoneVerify } from './phone/verify.ts';
import { reviewDecide } from './review/decide.ts';
import { reviewList } from './review/list.ts';
import { sessionEnd } from './session/end.ts';
import { sessionExchange } from './session/exchange.ts';
import { sessionJwks } from './session/jwks.ts';
import { sessionLink } from './session/link.ts';
import { sessionRefresh } from './session/refresh.ts';
import { sessionStart } from './session/start.ts';
import { sessionVerify } from './session/verify.ts';
import { signupStart } from './signup/start.ts';
import { signupVerify } from './signup/verify.ts';
import { trustSignals } from './trust/signals.ts';
import { webhookCreate } from './webhook/create.ts';
import { webhookDelete } from './webhook/delete.ts';
import { webhookEnable } from './webhook/enable.ts';
import { webhookEnded } from './webhook/ended.ts';
import { webhookList } from './webhook/list.ts';
import { webhookLogList } from './webhook/logs.ts';
import { webhookRead } from './webhook/read.ts';
import { webhookRedeliver } from './webhook/redeliver.ts';
import { webhookRetry } from './webhook/retry.ts';
import { webhookRotate } from './webhook/rotate.ts';
import { webhookTest } from './webhook/test.ts';
import { webhookTrim } from './webhook/trim.ts';
import { webhookUpdate } from './webhook/update.ts';

export const OPERATIONS: readonly AnyOperation[] = [
  agentBlock,
  agentReport,
  agentSpreadBlock,
  agentTrackRecord,
  agentUnblock,
  agentBounds,
  agentCard,
  agentCreate,
  agentDeactivate,
  agentFeed,
  agentList,
  agentPublic,
  agentRead,
  agentRegistry,
  agentRematch,
  agentRename,
  agentRestore,
  agentUpdate,
  billingLimits,
  billingPlans,
  challengeIssue,
  challengeVerify,
  conversationClose,
  conversationList,
  conversationRead,
  conversationStart,
  domainRecheck,
  domainVerify,
  handleCheck,
  handleReserve,
  inboxPull,
  inboxRecent,
  inboxRespond,
  inboxStream,
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
  labelSearch,
  linkRedeem,
  linkSend,
  listingCreate,
  listingDelete,
  listingEmbed,
  listingHold,
  listingList,
  listingMeasure,
  listingMine,
  listingPauseAgent,
  listingPublish,
  listingRead,
  listingReembed,
  listingTaxonomy,
  listingUpdate,
  listingVerify,
  loginStart,
  loginVerify,
  mailNotify,
  mailReceive,
  matchFeed,
  matchFeedback,
  matchList,
  matchRunListing,
  matchRun,
  matchSummary,
  matchSupersede,
  messageList,
  messageSend,
  networkStats,
  notificationDigest,
  notificationList,
  notificationPrefer,
  notificationPreferences,
  notificationReadAll,
  notificationRead,
  notificationStream,
  notificationUnread,
  onboardingIntake,
  onboardingQuestions,
  onboardingStatus,
  peopleBrowse,
  phoneSend,
  phoneVerify,
  reviewDecide,
  reviewList,
  sessionEnd,
  sessionExchange,
  sessionJwks,
  sessionLink,
  sessionRefresh,
  sessionStart,
  sessionVerify,
  signupStart,
  signupVerify,
  trustSignals,
  webhookCreate,
  webhookDelete,
  webhookEnable,
  webhookEnded,
  webhookList,
  webhookLogList,
  webhookRead,
  webhookRedeliver,
  webhookRetry,
  webhookRotate,
  webhookTest,
  webhookTrim,
  webhookUpdate,
];
