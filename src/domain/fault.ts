// The fault catalogue: every refusal of the service, with its HTTP status, its JSON-RPC code and its message. Operations
// declare which of these they use; the transports only translate (rules.md 2).

import { type DoorWord, type Guidance, prefixed } from './next-step.ts';

interface FaultSpec {
  readonly status: number;
  readonly rpc: number;
  readonly message: string;
}

const spec = (status: number, rpc: number, message: string): FaultSpec => ({ status, rpc, message });

export const FAULTS = {
  invalid_json: spec(400, -32700, 'The body is not valid JSON.'),
  invalid_request: spec(400, -32602, 'Some fields are missing or wrong; see fields.'),
  invalid_content_type: spec(400, -32600, 'Send the body as application/json.'),
  invalid_code: spec(400, -32602, 'The code is wrong or has expired; ask for a new one.'),
  invalid_passkey: spec(400, -32602, 'The passkey was not accepted; try again, or sign in with a code.'),
  invalid_action: spec(400, -32602, 'That action does not exist here.'),
  agent_required: spec(400, -32602, 'Name the acting agent in the header X-Agent-Handle.'),
  direction_mismatch: spec(400, -32602, 'That card_type cannot have that direction.'),
  listing_incomplete: spec(400, -32602, 'Fill the gaps in completeness.missing before it can go live.'),
  disclosure_refused: spec(400, -32602, 'This text contains contact details or credentials; see matches.'),
  restricted_niche: spec(400, -32602, 'This trade is not allowed here.'),
  unsupported_currency: spec(400, -32602, 'Only USD is supported.'),
  unsupported_grant_type: spec(400, -32602, 'This grant type is not supported.'),
  unsupported_token_type: spec(400, -32602, 'Tokens of this kind cannot be revoked; they expire.'),
  invalid_grant: spec(400, -32602, 'The code or token was used, has expired, or is not for this client.'),
  invalid_redirect_uri: spec(400, -32602, 'This redirect_uri is not allowed for the program.'),
  invalid_client_metadata: spec(400, -32602, 'The client metadata is not valid.'),
  invalid_scope: spec(400, -32602, 'These scopes are unknown, or more than this client may have.'),
  invalid_target: spec(400, -32602, 'This service has no such resource.'),
  authorization_pending: spec(400, -32602, 'There is no decision yet; poll again after the interval.'),
  slow_down: spec(400, -32602, 'Wait longer between two polls.'),
  access_denied: spec(400, -32602, 'The person denied access to this program.'),
  expired_token: spec(400, -32602, 'The code was used or has expired; start again.'),
  bad_signature: spec(400, -32602, 'The signature does not match the registered public key.'),
  proof_refused: spec(400, -32602, 'That site did not confirm an account; start again.'),
  invalid_phone: spec(400, -32602, 'Give the phone number in international form, such as +14155550123.'),
  session_not_renewable: spec(400, -32602, 'Renew with the API key itself, not with a session.'),
  over_budget: spec(400, -32602, 'The price is above the budget of the request.'),
  own_agent: spec(400, -32602, 'That is your own agent.'),
  already_connected: spec(400, -32602, 'This account is connected already.'),
  escrow_not_active: spec(400, -32602, 'The escrow is not active.'),
  already_released: spec(400, -32602, 'That milestone was released already.'),
  no_such_milestone: spec(400, -32602, 'The escrow has no such milestone.'),
  nothing_unreleased: spec(400, -32602, 'This escrow has nothing left to release.'),
  own_proposal: spec(400, -32602, 'The other side has to accept your proposal.'),
  unauthorized: spec(401, -31401, 'Send a valid API key or access token.'),
  invalid_client: spec(401, -31401, 'The client assertion is not valid for this service.'),
  conflicting_credentials: spec(401, -31401, 'The two credentials name different accounts; send one.'),
  payment_required: spec(402, -31402, 'The wallet does not cover this; nothing was charged.'),
  insufficient_scope: spec(403, -31403, 'This key lacks the scope; its person can create one that has it.'),
  session_required: spec(403, -31403, 'This needs a signed-in session; an API key is refused.'),
  not_reachable_with_key: spec(403, -31403, 'An API key cannot reach this route.'),
  verification_required: spec(403, -31403, 'Complete one verification first.'),
  provisional_account: spec(403, -31403, 'A provisional account cannot do this; claim it first.'),
  plan_limit: spec(403, -31403, 'The plan does not allow more of this.'),
  spending_limit: spec(403, -31403, 'This is above the spending limit.'),
  outside_bounds: spec(403, -31403, 'This is outside the bounds that its person set for the agent.'),
  account_suspended: spec(
    403,
    -31403,
    'An administrator has suspended this account; write to the operator of this service.',
  ),
  account_restricted: spec(403, -31403, 'A payment into this account was reversed; fund the wallet first.'),
  stronger_verification_required: spec(403, -31403, 'A withdrawal of this size needs a stronger proof first.'),
  not_a_party: spec(403, -31403, 'Only a party to this can do that.'),
  wrong_role: spec(403, -31403, 'The other side has to do this.'),
  blocked: spec(403, -31403, 'That agent does not accept messages from you.'),
  signup_closed: spec(403, -31403, 'This service accepts no new accounts; ask its operator.'),
  first_contact_limit: spec(403, -31403, 'Too many first messages to agents that you never met today.'),
  foreign_origin: spec(403, -31403, 'Pages of that origin may not call this.'),
  not_found: spec(404, -31404, 'There is no such thing, or it is not yours.'),
  task_not_found: spec(404, -32001, 'There is no such task, or it is not yours.'),
  method_not_allowed: spec(405, -32600, 'This path does not take that method; see Allow.'),
  conflict: spec(409, -31409, 'This was changed at the same time; read it again.'),
  already_claimed: spec(409, -31409, 'A person has claimed this agent already.'),
  handle_taken: spec(409, -31409, 'That handle is taken.'),
  already_answered: spec(409, -31409, 'This event was already answered.'),
  expired: spec(409, -31409, 'The time to answer is over.'),
  already_decided: spec(409, -31409, 'This match was already decided.'),
  match_closed: spec(409, -31409, 'This match is no longer open.'),
  conversation_closed: spec(409, -31409, 'This conversation accepts no more messages; start another.'),
  task_ended: spec(409, -32004, 'This task has ended; send a new one.'),
  task_not_cancelable: spec(409, -32002, 'This task has ended; it cannot be canceled any more.'),
  pending: spec(409, -31409, 'This is held until a check has finished.'),
  credential_in_use: spec(409, -31409, 'That credential already backs another agent; use another one.'),
  open_obligations: spec(409, -31409, 'End the open escrows, payouts and subscriptions first.'),
  balance_left: spec(409, -31409, 'There is money left; withdraw it first.'),
  own_listing: spec(409, -31409, 'That is your own listing.'),
  no_fixed_price: spec(409, -31409, 'That has no fixed price; talk to the seller.'),
  seller_cannot_be_paid: spec(409, -31409, 'This seller cannot be paid now.'),
  use_subscription: spec(409, -31409, 'This tier is billed by the week or month; subscribe to it.'),
  window_closed: spec(409, -31409, 'The time for this is over.'),
  not_open: spec(409, -31409, 'There is no open dispute.'),
  proposal_replaced: spec(409, -31409, 'Another proposal replaced it; see proposal.'),
  proposal_expired: spec(409, -31409, 'The proposal was not approved in time; propose again.'),
  proposal_decided: spec(409, -31409, 'The proposal was decided on already.'),
  not_your_turn: spec(409, -31409, 'It is the turn of the other side; wait for its answer.'),
  meeting_completed: spec(409, -31409, 'The meeting is over already.'),
  no_proposal: spec(409, -31409, 'The other side has proposed nothing.'),
  proposal_changed: spec(409, -31409, 'The proposal has changed; read it again.'),
  already_resolved: spec(409, -31409, 'This dispute is resolved.'),
  dispute_limit: spec(409, -31409, 'You cannot dispute this escrow any more: the limit is reached.'),
  related_accounts: spec(
    409,
    -31409,
    'The two accounts are related: they share a domain, a phone, a card or a payout account.',
  ),
  already_reviewed: spec(409, -31409, 'You have already reviewed this deal.'),
  deal_not_cancelable: spec(409, -31409, 'Only an open, unpaid deal can be cancelled.'),
  deal_not_completed: spec(409, -31409, 'This deal is not completed.'),
  subscription_ended: spec(409, -31409, 'The state of this subscription does not allow that.'),
  own_request: spec(409, -31409, 'That request is of your own account.'),
  request_closed: spec(409, -31409, 'This request is closed to quotes and awards.'),
  quote_replaced: spec(409, -31409, 'The seller has replaced the quote; read the request again.'),
  not_connected: spec(409, -31409, 'Connect a payout account first.'),
  payout_in_doubt: spec(409, -31409, 'The outcome of an earlier payout is not known yet.'),
  too_many_open: spec(409, -31409, 'The limit of open payment pages is reached.'),
  knowledge_full: spec(409, -31409, 'The agent has reached its limit of knowledge; remove an entry first.'),
  already_subscribed: spec(409, -31409, 'The account has this plan already.'),
  no_plan: spec(409, -31409, 'There is no renewing plan to cancel.'),
  insufficient_funds: spec(409, -31409, 'The balance does not cover this transfer.'),
  idempotency_conflict: spec(409, -31409, 'This Idempotency-Key was used with another request.'),
  idempotency_in_flight: spec(409, -31409, 'A request with this Idempotency-Key is still running.'),
  price_above_max: spec(409, -31409, 'All providers ask more than max_price_cents; none was called.'),
  gone: spec(410, -31404, 'This link was used or has expired.'),
  payload_too_large: spec(413, -32600, 'The body is larger than this route accepts.'),
  too_many_tries: spec(429, -31429, 'Too many wrong attempts; ask for a new code.'),
  rate_limited: spec(429, -31429, 'Too many requests; wait and try again.'),
  internal: spec(500, -32603, 'Internal error; report it with the request id.'),
  providers_failed: spec(502, -32603, 'No provider gave an answer; nothing was charged.'),
  outcome_unknown: spec(502, -32603, 'The call was interrupted; nothing was charged. A new key makes a new call.'),
  processor_not_configured: spec(500, -32603, 'This server does not accept or pay out money.'),
  processor_unavailable: spec(503, -32603, 'The payment processor does not respond; try again soon.'),
  chain_rail_unavailable: spec(503, -32603, 'This server has no chain rail.'),
  stream_unavailable: spec(503, -32603, 'Too many streams are open; use the pull form.'),
  overloaded: spec(503, -32603, 'Too many requests are queued for this agent; try again soon.'),
  matching_unavailable: spec(503, -32603, 'Matching is away; try again soon. What is stored is matched later.'),
  storage_full: spec(507, -32603, 'The disk of this service is full; nothing was changed.'),
  provider_unavailable: spec(503, -32603, 'That site does not respond; try again soon.'),
  provider_not_configured: spec(503, -32603, 'This provider is not configured on this server.'),
} as const satisfies Record<string, FaultSpec>;

export type Code = keyof typeof FAULTS;

/** An invalid field of the input, and how to correct it. Paths are dotted, such as `conditions.tiers.0.name`. */
export interface FieldProblem {
  readonly path: string;
  readonly message: Guidance;
}

/** An address that a person must open before the call, and the reason. */
interface PageToOpen {
  readonly url: string;
  readonly message: string;
}

/** Additional fields of an error body beside `error`, `message` and `request_id`; `how` says what to do first. */
export type FaultData = Readonly<Record<string, unknown>> & {
  readonly how?: Guidance;
  readonly open_url?: PageToOpen;
  readonly fields?: readonly FieldProblem[];
};

/** An expected refusal. Returned, never thrown, by `decide`. After a transport has rendered its calls, the message is text. */
export interface Fault<C extends Code = Code, M extends Guidance = Guidance> {
  readonly fault: C;
  readonly message: M;
  readonly data: FaultData;
}

/** Retry times of temporary faults. An overloaded service may recover any second; a stream is free only when another one ends,
 * and callers that retry every second would add load. */
const PASSES: Readonly<Partial<Record<Code, FaultData>>> = {
  overloaded: { retry_after_seconds: 1 },
  matching_unavailable: { retry_after_seconds: 5 },
  stream_unavailable: { retry_after_seconds: 30 },
};

/** Makes a fault of the catalogue; `message` replaces the catalogue's by a more specific one. */
export function fault<C extends Code>(code: C, message?: string, data?: FaultData): Fault<C, string>;
/** The same with a message that holds calls. */
export function fault<C extends Code>(code: C, message?: Guidance, data?: FaultData): Fault<C>;
export function fault(code: Code, message: Guidance = FAULTS[code].message, data: FaultData = {}): Fault {
  const passes = PASSES[code];
  return { fault: code, message, data: passes ? { ...passes, ...data } : data };
}

/** A limit in a window, and the wait until the next call. */
interface Quota {
  readonly limit: number;
  readonly window_ms: number;
  readonly wait_ms: number;
}

/** The refusal beyond a quota, which HTTP also tells by headers (transports/wire.ts). */
export function tooMany({ limit, window_ms, wait_ms }: Quota, message?: string): Fault<'rate_limited', string> {
  const retry_after_seconds = Math.max(1, Math.ceil(wait_ms / 1000));
  return fault('rate_limited', message, { retry_after_seconds, limit, window_seconds: window_ms / 1000 });
}

/** The shown length of a path. Paths of the service are shorter; a longer one contains the caller's own names, and a refusal
 * should not be as large as its request. */
const PATH_SHOWN_MAX = 200;

function cutPath(path: string): string {
  return path.length > PATH_SHOWN_MAX ? `${path.slice(0, PATH_SHOWN_MAX).toWellFormed()}…` : path;
}

/** A 400 that names the fields and how to correct each. */
export function invalid(...problems: readonly FieldProblem[]): Fault<'invalid_request'> {
  const fields = problems.map(({ path, message }) => ({ path: cutPath(path), message }));
  const first = fields[0];
  return fault('invalid_request', first && prefixed(`${first.path}: `, first.message), { fields });
}

/** A code within a text; over HTTP with its status. */
export function codeWord(code: Code): DoorWord {
  return { http: `${FAULTS[code].status} \`${code}\``, tools: `\`${code}\`` };
}

/** Whether a value is a fault; a reply never has a `fault` key (a check at start keeps it so). */
export function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && 'fault' in value;
}
