// A client of a running server, as any user of the API would write one: fetch, JSON, a key. It throws on an answer that
// was not expected, with the body, so that a failing test says why.

export interface Credential {
  readonly key?: string;
  readonly token?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
export type Json = any;

export interface RestClient {
  readonly url: string;
  /** Sends JSON and answers the parsed body; throws unless the status is 2xx. */
  ask(
    method: string,
    path: string,
    credential?: Credential,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Json>;
}

/** A client of the server at `url`. */
export function restClient(url: string): RestClient {
  return {
    url,
    ask: async (method, path, credential = {}, body, extra = {}) => {
      const headers: Record<string, string> = { ...extra };
      if (credential.key) headers['X-API-Key'] = credential.key;
      if (credential.token) headers['Authorization'] = `Bearer ${credential.token}`;
      if (body !== undefined) headers['Content-Type'] = 'application/json';
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
      return text === '' ? null : JSON.parse(text);
    },
  };
}

/** The newest code that was sent to an address, out of the outbox. */
async function outboxCode(client: RestClient, internal_token: string, to: string): Promise<string> {
  const headers = { 'X-Internal-Token': internal_token };
  const sent: Json[] = await client.ask('GET', `/internal/outbox?to=${encodeURIComponent(to)}`, {}, undefined, headers);
  const [code] = sent.flatMap(({ text }) => String(text).match(/^\d{6}$/m)?.[0] ?? []);
  if (!code) throw new Error(`no code was sent to ${to}`);
  return code;
}

/** A person signs in by the code in a mail; answers the token of the session, which names the address of the server. */
export async function signInBy(client: RestClient, internal_token: string, email: string): Promise<string> {
  await client.ask('POST', '/api/auth/session/start', {}, { email });
  const code = await outboxCode(client, internal_token, email);
  return (await client.ask('POST', '/api/auth/session/verify', {}, { email, code })).access_token;
}

/** A verified agent, made the way a person makes one: key, session, handle, phone. */
export async function verifiedAgent(
  client: RestClient,
  internal_token: string,
  handle: string,
  phone: string,
): Promise<{ key: string; token: string; handle: string }> {
  const email = `${handle}@example.org`;
  await client.ask('POST', '/api/auth/signup/start', {}, { email });
  const code = await outboxCode(client, internal_token, email);
  const { api_key: key } = await client.ask('POST', '/api/auth/signup/verify', {}, { email, code });
  const token = await signInBy(client, internal_token, email);
  await client.ask('POST', '/api/agents', { key }, { handle, display_name: handle });
  await client.ask('POST', '/api/trust/phone/send', { token }, { phone });
  const sms = await outboxCode(client, internal_token, phone);
  await client.ask('POST', '/api/trust/phone/verify', { token }, { phone, code: sms });
  return { key, token, handle };
}

/** A person puts money into the wallet of their agent: the checkout is opened, and paid. */
export async function fundBy(client: RestClient, { token }: Credential, amount_cents: number): Promise<void> {
  const { checkout_url } = await client.ask('POST', '/api/wallet/fund', { token }, { amount_cents });
  const paid = await fetch(new URL(new URL(checkout_url).pathname, client.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'decision=pay',
  });
  if (paid.status >= 400) throw new Error(`the checkout answered ${paid.status}: ${await paid.text()}`);
}

/** Two agents whose listings match, with the conversation between them open. */
export async function matchedPair(
  client: RestClient,
  internal_token: string,
): Promise<{
  seller: Credential & { handle: string };
  buyer: Credential & { handle: string };
  conversation_id: string;
}> {
  const seller = await verifiedAgent(client, internal_token, 'kill_seller', '+14155550101');
  const buyer = await verifiedAgent(client, internal_token, 'kill_buyer', '+14155550102');
  const labels = ['seo', 'content-marketing'];
  await client.ask('POST', `/api/agents/${seller.handle}/cards`, seller, {
    card_type: 'selling',
    direction: 'offer',
    headline: 'SEO audits for small shops',
    labels,
    price_cents: 50_000,
  });
  await client.ask('POST', `/api/agents/${buyer.handle}/cards`, buyer, {
    card_type: 'buying',
    direction: 'seek',
    headline: 'SEO audit of my shop wanted',
    labels,
    budget_cents: 80_000,
  });
  const [match] = await client.ask('GET', '/api/matching/feed', buyer);
  const answer = await client.ask('POST', '/api/matching/feedback', buyer, {
    match_id: match.match_id,
    action: 'interested',
  });
  // Keys outlive a restart on another port; session tokens name the address that issued them.
  const byKey = ({ key, handle }: { key: string; handle: string }) => ({ key, handle });
  return { seller: byKey(seller), buyer: byKey(buyer), conversation_id: answer.conversation_id };
}
