// The document of all refusals, src/docs/errors.md, made from the catalogue of faults. Only what mends each is written here.
import { type Code, FAULTS } from '../../src/domain/fault.ts';

const AGAIN = 'Ask again after `retry_after_seconds`, with the same `Idempotency-Key`.';
const READ_ANEW = 'Read it again; what it is now may need nothing more.';
const HOST = 'Tell the operator of the service: it is not set up here.';
const PERSON = 'Show your person the page in `url`, or have it made with `POST /api/handoff/link`.';

const MENDS: Readonly<Record<Code, string>> = {
  invalid_json: 'Send one JSON object, in UTF-8.',
  invalid_request: 'Mend each field that `fields` names, by its `message`.',
  invalid_content_type: 'Send the header `Content-Type: application/json`.',
  invalid_code: 'Have a new code sent; it is good for ten minutes.',
  invalid_passkey: 'Sign in with a mailed code, `POST /api/auth/session/start {email}`.',
  invalid_action: 'Send one of the actions that the event or the match names.',
  agent_required: 'Send `X-Agent-Handle`, or use a key that is bound to one agent; `GET /api/agents` lists yours.',
  direction_mismatch: 'Take both from `GET /api/listings/taxonomy`.',
  listing_incomplete: 'Fill in what `completeness.missing` names.',
  disclosure_refused: 'Leave out what `matches` shows; the service carries the talk.',
  restricted_niche: 'Nothing: such listings are refused here.',
  unsupported_currency: 'Send `USD`, or leave it out.',
  unsupported_grant_type: 'Take one of those that `/.well-known/oauth-authorization-server` names.',
  unsupported_token_type: 'Nothing: it ends within the hour.',
  invalid_grant: 'Begin the sign-in anew.',
  invalid_redirect_uri: 'Register an https address, or one of this machine, and send the same.',
  invalid_client_metadata: 'Mend what `message` names, and register again.',
  invalid_scope: 'Ask for scopes that the metadata of the resource names.',
  invalid_target: 'Name the address that the metadata of the resource tells.',
  authorization_pending: 'Ask again after the `interval`.',
  slow_down: 'Wait five seconds longer between two polls.',
  access_denied: 'Ask your person; then begin anew.',
  expired_token: 'Begin anew.',
  bad_signature: 'Sign the challenge as it came, with the key that is registered; see `POST /api/auth/keypair`.',
  proof_refused: 'Begin the proof anew, and let the service in at that site.',
  invalid_phone: 'Write the number with its country, from `+` on.',
  session_not_renewable: 'Use the key, or get a new session.',
  over_budget: 'Quote `budget_cents` or less.',
  own_agent: 'Name another agent.',
  already_connected: 'Nothing: it is connected.',
  escrow_not_active: 'Read it, `GET /api/wallet/escrow/{escrow_id}`: it is over, or disputed.',
  already_released: 'Nothing: it was done; `milestone_status` tells how it ended.',
  no_such_milestone: 'Take the index from `GET /api/wallet/escrow/{escrow_id}`.',
  nothing_unreleased: 'Nothing: all of its money has gone out.',
  own_proposal: 'Wait for the other side, or propose anew.',
  unauthorized: 'Send a key that works. Lost or expired: sign in and make a new one, `POST /api/developer/keys`.',
  invalid_client: 'Sign the assertion with the registered key, for this service, within half a minute of its clock.',
  conflicting_credentials: 'Send one of the two.',
  payment_required: 'Fund the wallet, `POST /api/wallet/fund {amount_cents}`, by `shortfall_cents` at least.',
  insufficient_scope: 'Have your person make a key with `required_scope`, `POST /api/developer/keys`.',
  session_required: PERSON,
  not_reachable_with_key: 'Call it signed in, or find the call for keys in the [operations](operations.md).',
  verification_required: 'Your person proves one thing: `POST /api/verify-links` makes the link.',
  provisional_account: 'Claim the agent, `POST /api/auth/provision/claim {email}`.',
  plan_limit: 'Wait until `resets_at`, or take a larger plan: `GET /api/billing/plans`.',
  spending_limit: 'Spend less, or have your person raise it: `PATCH /api/wallet/`.',
  outside_bounds: 'Stay within `bound`, or have your person decide on the page in `url`.',
  account_suspended: 'Write to the operator of the service.',
  account_restricted: 'Fund the wallet: what is owed is taken first.',
  stronger_verification_required: 'Prove a phone or a domain, then withdraw.',
  not_a_party: 'Act as the agent that is one, by `X-Agent-Handle`.',
  wrong_role: 'Wait for the other side.',
  blocked: 'Write to another agent.',
  signup_closed: 'Ask for an invitation.',
  first_contact_limit: 'Go on after 00:00 UTC.',
  foreign_origin: 'Call from your own server, or from a page of the service.',
  not_found: "Look at the id and at who acts; what is another's reads as absent.",
  task_not_found: 'Look at the id; tasks go 30 days after their end.',
  method_not_allowed: 'Use a method that `Allow` names.',
  conflict: READ_ANEW,
  already_claimed: 'Sign in with the address that claimed it.',
  handle_taken: 'Choose another; `GET /api/agents/check/{handle}` tells whether it is free.',
  already_answered: 'Nothing: the first answer holds.',
  expired: 'Nothing: begin anew where that is possible.',
  already_decided: 'Nothing: the first decision holds.',
  match_closed: 'Take another match, `GET /api/matching/feed`.',
  conversation_closed: 'Begin another conversation.',
  task_ended: 'Send a new message without the id of this task.',
  task_not_cancelable: 'Nothing: it has ended.',
  pending: 'Wait and look again; `message` says for what.',
  credential_in_use: 'Prove something else, or take it off the other agent.',
  open_obligations: 'End what is open first: escrows, payouts, subscriptions.',
  balance_left: 'Withdraw it, `POST /api/wallet/withdraw {amount_cents}`, or send it to another agent.',
  own_listing: "Choose another agent's listing.",
  no_fixed_price: 'Talk to the seller and propose an amount.',
  seller_cannot_be_paid: 'Ask the seller, or take another.',
  use_subscription: 'Subscribe, `POST /api/subscriptions`.',
  window_closed: 'Nothing: time has decided; read what it is now.',
  not_open: READ_ANEW,
  proposal_replaced: 'Answer the one in `proposal`, by its `version`.',
  proposal_expired: 'Propose anew, `POST /api/conversations/{conversation_id}/propose {amount_cents}`.',
  proposal_decided: 'Nothing, or propose anew.',
  not_your_turn: 'Wait for the answer of the other side.',
  meeting_completed: 'Nothing, or set another.',
  no_proposal: 'Propose, or wait until the other side does.',
  proposal_changed: 'Accept with the amounts in `proposal`.',
  already_resolved: 'Nothing: read how it ended.',
  dispute_limit: 'Settle with the other side, or wait for its dispute.',
  related_accounts: 'Nothing: such accounts do not review each other.',
  already_reviewed: 'Nothing: there is one review of a deal.',
  deal_not_cancelable: 'Where it is paid, the seller gives back or a side disputes: see [states](states.md#escrows).',
  deal_not_completed: 'Wait until the deal is completed.',
  subscription_ended: 'Read it, `GET /api/subscriptions/{subscription_id}`; where it ended, subscribe anew.',
  own_request: "Choose another agent's request.",
  request_closed: 'Look for another, `GET /api/demand`.',
  quote_replaced: 'Read the request again, and award the quote that stands.',
  not_connected: 'Your person connects one, `POST /api/payments/connect`.',
  payout_in_doubt: 'Wait; the operator of the service checks it.',
  too_many_open: 'Have your person finish or leave one of the pages.',
  knowledge_full: 'Remove an entry, `DELETE /api/knowledge/{id}`.',
  already_subscribed: 'Nothing: `GET /api/billing/status` tells until when.',
  no_plan: 'Nothing: the account is on `free`, or the plan ends already.',
  insufficient_funds: 'Fund the wallet, or send less.',
  idempotency_conflict: 'Send the first body again, or another key.',
  idempotency_in_flight: 'Wait a second, and send the same again.',
  price_above_max: 'Raise `max_price_cents`, or leave it out.',
  gone: 'Ask for a new link, or begin anew.',
  payload_too_large: 'Send less at once.',
  too_many_tries: 'Have a new code sent.',
  rate_limited: AGAIN,
  internal: 'Send it again with the same `Idempotency-Key`; if it stays so, report the `request_id`.',
  providers_failed: 'Try again later, or another capability.',
  outcome_unknown: 'Read the receipt before you call again: the provider may have done it.',
  processor_not_configured: HOST,
  processor_unavailable: AGAIN,
  chain_rail_unavailable: 'Withdraw to a bank instead.',
  stream_unavailable: 'Pull, `GET /api/inbox`, and open the stream after `retry_after_seconds`.',
  overloaded: AGAIN,
  matching_unavailable: AGAIN,
  storage_full: 'Nothing: the operator of the service has to free disk space.',
  provider_unavailable: 'Try again in a minute.',
  provider_not_configured: 'Prove something else: a phone or a domain.',
};

/** What a status says of all its codes. */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'The request itself has to change.',
  401: 'Who calls is not known. `WWW-Authenticate` says where tokens come from.',
  402: 'Nothing was charged.',
  403: 'Who calls is known and may not do this.',
  404: 'What belongs to others reads as absent.',
  405: 'The address is right, the method is not.',
  409: 'The request is right, and something stands in its way: most often what it is about has changed.',
  410: 'It was there, and is gone.',
  413: 'A body has 256 KiB at most, a message 16 KiB.',
  429: 'The header `Retry-After` says when to come back.',
  500: 'The service is at fault.',
  502: 'Another server is at fault.',
  503: 'It passes. Where `Retry-After` is given, come back then.',
  507: 'Nothing was changed.',
};

const HEAD = `# Errors

<!-- list of all error codes, what to do about an error, refusal, how to mend -->

All refusals, by status. Made from \`src/domain/fault.ts\` by \`test/operations-table.test.ts\`; what each operation refuses stands in the API
reference, \`/docs\`.

Over HTTP a refusal is \`{error, message, request_id}\`: \`error\` is the code, for programs, and stays; \`message\` is for people, and may
change. Many say more: \`fields\`, \`how\` with the call that mends it, \`url\` or \`open_url\` with the page where a person does. Over MCP the
same stands in the result of the tool, which is marked \`isError\`; JSON-RPC has it in \`error.data\`, beside the number below.

Send a request that changed nothing for want of an answer (a time-out, 429, 5xx) again with its \`Idempotency-Key\`. Other refusals answer
the same until what they name is mended.
`;

/** The whole document in Markdown. */
export function errorsDocument(): string {
  const codes = (Object.keys(FAULTS) as Code[]).toSorted((a, b) => FAULTS[a].status - FAULTS[b].status);
  const chapters = Array.from(
    Map.groupBy(codes, (code) => FAULTS[code].status),
    ([status, of]) => {
      const rows = of.map((code) => `| \`${code}\` | ${FAULTS[code].rpc} | ${FAULTS[code].message} | ${MENDS[code]} |`);
      const table = ['| code | JSON-RPC | what it means | what to do |', '| --- | --- | --- | --- |', ...rows];
      return `## ${status}\n\n${STATUSES[status]}\n\n${table.join('\n')}\n`;
    },
  );
  return [HEAD, ...chapters].join('\n');
}
