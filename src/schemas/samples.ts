// The values of examples of operations, so that all documents use the same agents and things. Each value occurs once, for
// one thing: a client that sends an example replaces it, found by its value, with a real one.

/** Well-known values; `free_…` is still unused. */
export const SAMPLE = {
  /** The caller's own agent, and the e-mail address of its person. */
  handle: 'ada',
  email: 'ada@example.org',
  account_id: '0199d3a2-7c41-7d3e-8ab5-5f0c1d2e3ab5',
  /** An agent that the caller never dealt with, and one that it blocks. */
  other_handle: 'grace',
  blocked_handle: 'mallory',
  free_handle: 'ada_ropes',
  free_email: 'new@example.org',
  phone: '+15550100123',
  domain: 'ropes.example',
  listing_id: '0199d3a2-7c41-7d3e-8a01-5f0c1d2e3a01',
  match_id: '0199d3a2-7c41-7d3e-8a02-5f0c1d2e3a02',
  conversation_id: '0199d3a2-7c41-7d3e-8a03-5f0c1d2e3a03',
  /** A meeting of that conversation that has begun, and the start of another one. */
  meeting_id: '0199d3a2-7c41-7d3e-8a16-5f0c1d2e3a16',
  meets_at: '2027-01-18T15:00:00.000Z',
  /** Knowledge of the caller's agent. */
  knowledge_id: '0199d3a2-7c41-7d3e-8a85-5f0c1d2e3a85',
  event_id: '0199d3a2-7c41-7d3e-8a04-5f0c1d2e3a04',
  key_id: '0199d3a2-7c41-7d3e-8a05-5f0c1d2e3a05',
  review_id: '0199d3a2-7c41-7d3e-8a06-5f0c1d2e3a06',
  webhook_id: '0199d3a2-7c41-7d3e-8a07-5f0c1d2e3a07',
  /** A connected program, and the query string of its authorization request. */
  grant_id: '0199d3a2-7c41-7d3e-8a11-5f0c1d2e3a11',
  asking_query:
    'client_id=0199d3a2-7c41-7d3e-8a12-5f0c1d2e3a12&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback&response_type=code&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256',
  task_id: '0199d3a2-7c41-7d3e-8a08-5f0c1d2e3a08',
  funding_id: '0199d3a2-7c41-7d3e-8a0d-5f0c1d2e3a0d',
  /** Tokens of pages with an unguessable address. */
  unsubscribe_token: 'digest.0199d3a27c417d3e8a015f0c1d2e3a01.0123456789abcdef0123456789abcdef01234567',
  page_token: 'hU0w2mXcVb9Qe7RtYzLk4sJpNfGd1aAo3iWxC6vB8nM',
  /** The payment of `escrow_id`. */
  journal_id: 'escrow:0199d3a2-7c41-7d3e-8a09-5f0c1d2e3a09',
  /** Escrows in which the caller's agent buys, and in which it sells. */
  escrow_id: '0199d3a2-7c41-7d3e-8a09-5f0c1d2e3a09',
  sold_escrow_id: '0199d3a2-7c41-7d3e-8a19-5f0c1d2e3a19',
  /** Escrows that are disputed: against the caller, by the caller, and against the caller with a proposal. */
  disputed_escrow_id: '0199d3a2-7c41-7d3e-8a29-5f0c1d2e3a29',
  own_dispute_escrow_id: '0199d3a2-7c41-7d3e-8a39-5f0c1d2e3a39',
  proposed_escrow_id: '0199d3a2-7c41-7d3e-8a49-5f0c1d2e3a49',
  dispute_id: '0199d3a2-7c41-7d3e-8a0a-5f0c1d2e3a0a',
  /** A completed deal, and an unpaid one. */
  deal_id: '0199d3a2-7c41-7d3e-8a0b-5f0c1d2e3a0b',
  agreed_deal_id: '0199d3a2-7c41-7d3e-8a1b-5f0c1d2e3a1b',
  /** Requests for quotes: the caller's, the caller's with a quote, and another agent's; and their closing time. */
  request_id: '0199d3a2-7c41-7d3e-8a15-5f0c1d2e3a15',
  quoted_request_id: '0199d3a2-7c41-7d3e-8a25-5f0c1d2e3a25',
  quote_id: '0199d3a2-7c41-7d3e-8a35-5f0c1d2e3a35',
  other_request_id: '0199d3a2-7c41-7d3e-8a45-5f0c1d2e3a45',
  /** A conversation with a proposal of the other side, and that proposal. */
  proposed_conversation_id: '0199d3a2-7c41-7d3e-8a55-5f0c1d2e3a55',
  proposal_id: '0199d3a2-7c41-7d3e-8ab5-5f0c1d2e3ab5',
  /** A conversation in which the caller's agent took a turn automatically, and its message. */
  advanced_conversation_id: '0199d3a2-7c41-7d3e-8a95-5f0c1d2e3a95',
  turn_id: '0199d3a2-7c41-7d3e-8a75-5f0c1d2e3a75',
  /** A call of the caller's program beyond its bounds. */
  action_id: '0199d3a2-7c41-7d3e-8aa5-5f0c1d2e3aa5',
  closes_at: '2027-01-31T12:00:00.000Z',
  later_closes_at: '2027-02-14T12:00:00.000Z',
  subscription_id: '0199d3a2-7c41-7d3e-8a0e-5f0c1d2e3a0e',
  /** A subscription that its payer has paused. */
  paused_subscription_id: '0199d3a2-7c41-7d3e-8a1e-5f0c1d2e3a1e',
  payout_id: '0199d3a2-7c41-7d3e-8a0c-5f0c1d2e3a0c',
  /** A capability with a provider, a routed call, and a provider. */
  capability: 'text.translate',
  call_id: '0199d3a2-7c41-7d3e-8a65-5f0c1d2e3a65',
  provider_id: '0199d3a2-7c41-7d3e-8a66-5f0c1d2e3a66',
  /** The key of a wallet on a chain. */
  wallet_key: 'vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg',
  /** A listing of `other_handle` with a fixed price, by its slug and its id. */
  service_slug: 'hand-made-ropes',
  service_id: '0199d3a2-7c41-7d3e-8a10-5f0c1d2e3a10',
  push_config_id: 'push-1',
  /** Mailed and texted codes, by purpose. */
  signup_code: '482913',
  login_code: '350716',
  session_code: '194408',
  phone_code: '627035',
  /** Codes of a change of address, one mailed to the old and one to the new address. */
  old_address_code: '710284',
  new_address_code: '936051',
  /** The token of the first administrator's link. */
  invitation_token: 'q4Yl9wOr2UaS7xZc5MnId0tKeHgB3fVp8jQyLuDoWzC',
  invitation_id: '0199d3a2-7c41-7d3e-8a17-5f0c1d2e3a17',
  set_up_token: 'p3Xk8vNq1TzR6wYb4LmHc9sJdGfA2eUo7iPxKtCnVyB.0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  /** A passkey, its credential id, and the browser's responses at registration and at sign-in. */
  passkey_id: '0199d3a2-7c41-7d3e-8a13-5f0c1d2e3a13',
  credential_id: 'hT5kQ2mXr8LvZb3yWp1NsJ',
  made_client_data: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiIn0',
  attestation_object: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA',
  shown_client_data: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiIn0',
  authenticator_data: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
  passkey_signature: 'MEUCIQDx2m3kq9VbT0sYw1fLzN8pJcR5hG7uEaXiKvQyWdtBZA',
  /** A browser with a push subscription: its id and its endpoint. */
  browser_id: '0199d3a2-7c41-7d3e-8a14-5f0c1d2e3a14',
  push_endpoint: 'https://push.example.net/wpush/v2/gAAAAABk',
  push_p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  push_auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  session_id: '0199d3a2-7c41-7d3e-8a11-5f0c1d2e3a11',
  /** The token of a mailed sign-in link, and the one that redeeming it gives. */
  link_token: 'Zt5vX0pQm3nB8rKc1wLs7aYhD2uJ4eGf',
  link_token_hash: 'q9Wd2LrT6yVb0HnX4mCk8sJpF1zEa3Gu',
  /** The token of a link from an agent to its person. */
  handoff_token: 'cV8nQ2mXk5LrT7yZb1WpHs4JfGd9UeAo',
  /** The id of an installation, and the code that claims its agent. */
  install_id: 'i7Qm2xVt9LkB4sYw1nRzC8pFhJd5gUeA',
  claim_code: '738215',
  /** The codes of a device grant that waits for its person. */
  device_code: 'pX7cLq2VtR9sYk4mWz0bNf5jHd8gUe1aBoKi3TyQvMs',
  user_code: 'WDJB-MJHT',
  /** The OAuth `state` and `code` with which a person returns from another site. */
  proof_state: 'Yq4tZ8vKc2LmXw7RbN1sJpHd5GfU9eAo3iTxC6yB0nE',
  proof_code: 'c0de7rQm2xVt9LkB4sYw1nRzC8pF',
  /** A token that identifies a browser. */
  browser: 'b7Wm3xQt5LkR9sYz2nVcC8pHfJd4gUeA',
  /** An Ed25519 key, and what it signs. */
  public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  challenge: 'mesh-challenge-3f9a1c',
  signature: 'VGhpcyBzdGFuZHMgZm9yIHRoZSA2NCBieXRlcyBvZiBhIHNpZ25hdHVyZQ',
  /** A JWS by which an agent proves that it holds that key. */
  client_assertion: 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJhZGEiLCJzdWIiOiJhZGEifQ.c2lnbmF0dXJl',
  /** An attestation of funds, signed by the service. */
  attestation: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0dGVzdGF0aW9uK2p3dCJ9.eyJhZ2VudF9oYW5kbGUiOiJhZGEifQ.c2lnbmF0dXJl',
  /** The reply address of a letter, and such a reply. */
  reply_address: 'ada+k3v9x2@agents.example.org',
  mail: 'From: ada@example.org\r\nTo: ada+k3v9x2@agents.example.org\r\nSubject: Re: A rope\r\n\r\nTomorrow is fine.\r\n',
  /** A webhook event of the payment processor, and its signature. */
  processor_event:
    '{"id":"evt_1","object":"event","type":"checkout.session.completed","data":{"object":{"id":"cs_1"}}}',
  processor_signature: 't=1781524800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
} as const;
