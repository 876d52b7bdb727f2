// The example of each operation's declaration as a request that the service takes: what a sample names becomes what a scene
// owns, and what has to be fresh becomes fresh, both found by the sample's value. So an operation whose example uses
// the known samples needs nothing here.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { accountByEmail } from '../../db/queries/identity.ts';
import type { AnyOperation, RestBinding } from '../../src/contract/operation.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { sandboxToken } from '../../src/outbound/processor/sandbox.ts';
import { SAMPLE } from '../../src/schemas/samples.ts';
import { unsubscribeToken } from '../../src/steps/mail/unsubscribe.ts';
import { accountOf, freshPhone, signIn } from './agents.ts';
import { assertionOf, registerSigner } from './assertion.ts';
import { type Authenticator, newAuthenticator } from './authenticator.ts';
import { eml, letterOf } from './mail.ts';
import { addPasskey, askOptions } from './passkeys.ts';
import { connectProgram, signedInReader } from './programs.ts';
import { BYSTANDER, type Scene } from './scene.ts';
import { readStoredRows } from './store.ts';
import { codeFor } from './testbed.ts';

/** The parts of a request: what stands in the path's braces, in the query string, in the body and in headers. */
export interface Example {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The body of an operation that takes no JSON. */
  readonly raw?: { readonly type: string; readonly text: string };
  /** The body is a form. */
  readonly form?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** The query or the body names something that belongs to somebody. */
  readonly names?: boolean;
}

type Sample = keyof typeof SAMPLE;
/** What stands for a sample; `of` gives what stands for another one in the same request. */
type Stand = (scene: Scene, of: (other: Sample) => Promise<string>) => string | Promise<string>;

let names = 0;

function freshName(): string {
  names += 1;
  return `fresh${names}`;
}

async function linkToken({ t, owner }: Scene): Promise<string> {
  await t.call('POST', '/api/auth/session/link', { body: { email: owner.email } });
  // Its letter alone is made now: others that are due would go on being written beside what a test looks at.
  const asked = "select id from reminders where operation = 'link.send'";
  for (const { id } of await readStoredRows(t.service.world.settings.data_dir, asked)) {
    await t.service.supervisor.runNow(String(id));
  }
  await t.service.dispatcher.idle();
  const letter = t.mails.findLast(({ to, text }) => to === owner.email && text.includes('#token='));
  return decodeURIComponent(letter?.text.match(/#token=([^\s&]+)/)?.[1] ?? '');
}

const signers = new Map<string, KeyObject>();

/** A new public key; what it signs is signed with the private one that is kept here. */
function freshKey(): string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ format: 'jwk' }).x ?? '';
  signers.set(public_key, privateKey);
  return public_key;
}

interface Device {
  readonly device: Authenticator;
  /** Adds its passkey to the owner's account, once; answers the passkey's id. */
  readonly added: () => Promise<string>;
}

const devices = new WeakMap<Scene, Device>();
const answers = new Map<string, Readonly<Record<string, unknown>>>();

function deviceOf(scene: Scene): Device {
  const known = devices.get(scene);
  if (known) return known;
  const { t, owner } = scene;
  const device = newAuthenticator();
  let adding: Promise<string> | null = null;
  const added = (): Promise<string> =>
    (adding ??= signIn(t, owner.email).then((token) => addPasskey(t, token, device)));
  devices.set(scene, { device, added });
  return { device, added };
}

/** A part of what it answered last. */
const answerOf = (device: Authenticator, part: string): string => String(answers.get(device.id)?.[part] ?? 'none');

/** The samples of what belongs to somebody, made by the scene when a request first names it. */
const OWNED = [
  'listing_id',
  'match_id',
  'conversation_id',
  'proposed_conversation_id',
  'proposal_id',
  'action_id',
  'advanced_conversation_id',
  'turn_id',
  'meeting_id',
  'event_id',
  'knowledge_id',
  'key_id',
  'review_id',
  'webhook_id',
  'task_id',
  'funding_id',
  'escrow_id',
  'sold_escrow_id',
  'payout_id',
  'subscription_id',
  'paused_subscription_id',
  'service_id',
  'deal_id',
  'agreed_deal_id',
  'disputed_escrow_id',
  'proposed_escrow_id',
  'own_dispute_escrow_id',
  'dispute_id',
  'request_id',
  'quoted_request_id',
  'quote_id',
  'other_request_id',
  'capability',
  'call_id',
  'provider_id',
] as const satisfies readonly (Sample & keyof Scene)[];

function weeksAhead({ clock }: Scene['t'], weeks: number): string {
  return new Date(clock.now() + weeks * 7 * DAY_MS).toISOString();
}

const STANDS: Readonly<Partial<Record<Sample, Stand>>> = {
  ...Object.fromEntries(OWNED.map((name) => [name, (scene: Scene) => scene[name]()])),
  handle: ({ owner }) => owner.handle,
  email: ({ owner }) => owner.email,
  account_id: ({ t, owner }) => accountOf(t, owner.email),
  other_handle: () => BYSTANDER,
  meets_at: ({ t }) => weeksAhead(t, 1),
  closes_at: ({ t }) => weeksAhead(t, 2),
  later_closes_at: ({ t }) => weeksAhead(t, 4),
  blocked_handle: async ({ t, owner }) => {
    await t.call('POST', `/api/agents/${BYSTANDER}/block`, { key: owner.key, agent: owner.handle });
    return BYSTANDER;
  },
  free_handle: freshName,
  free_email: () => `${freshName()}@example.org`,
  phone: freshPhone,
  domain: () => `${freshName()}.example`,
  signup_code: ({ mailed }) => mailed('/api/auth/signup/start'),
  login_code: ({ mailed }) => mailed('/api/auth/login/start'),
  session_code: ({ mailed }) => mailed('/api/auth/session/start'),
  old_address_code: async ({ t, owner }, of) => {
    const email = await of('free_email');
    await t.call('PATCH', '/api/account', { token: owner.token, body: { email } });
    return codeFor(t, owner.email);
  },
  new_address_code: async ({ t }, of) => {
    await of('old_address_code');
    return codeFor(t, await of('free_email'));
  },
  invitation_token: async ({ t, owner }) => {
    const { body } = await t.call('POST', '/api/invitations', { token: await signIn(t, owner.email), body: {} });
    return body.url.split('/invite/')[1];
  },
  invitation_id: async ({ t, owner }) => {
    const token = await signIn(t, owner.email);
    return (await t.call('POST', '/api/invitations', { token, body: {} })).body.id;
  },
  set_up_token: async ({ t }) => {
    const headers = { 'X-Internal-Token': t.internal_token };
    const { body } = await t.call('POST', '/internal/admin/set-up', { headers });
    return body.url?.split('/setup/')[1] ?? SAMPLE.set_up_token;
  },
  session_id: async ({ t, owner }) => {
    const [, claims = ''] = (await signIn(t, owner.email)).split('.');
    return JSON.parse(Buffer.from(claims, 'base64url').toString()).sid;
  },
  passkey_id: (scene) => deviceOf(scene).added(),
  credential_id: (scene) => deviceOf(scene).device.id,
  made_client_data: async (scene) => {
    const { t, owner } = scene;
    const { device } = deviceOf(scene);
    // Taken from the session that asked alone; where that has ended, the request is one that is refused.
    const asked = askOptions(t, owner.token).catch(async () => askOptions(t, await signIn(t, owner.email)));
    answers.set(device.id, { ...device.make(await asked).response });
    return answerOf(device, 'clientDataJSON');
  },
  attestation_object: async (scene, of) => {
    await of('made_client_data');
    return answerOf(deviceOf(scene).device, 'attestationObject');
  },
  shown_client_data: async (scene) => {
    const { device, added } = deviceOf(scene);
    await added();
    answers.set(device.id, { ...device.show(await askOptions(scene.t, null)).response });
    return answerOf(device, 'clientDataJSON');
  },
  authenticator_data: async (scene, of) => {
    await of('shown_client_data');
    return answerOf(deviceOf(scene).device, 'authenticatorData');
  },
  passkey_signature: async (scene, of) => {
    await of('shown_client_data');
    return answerOf(deviceOf(scene).device, 'signature');
  },
  browser_id: async ({ t, owner }, of) => {
    const [endpoint, p256dh, auth] = await Promise.all([of('push_endpoint'), of('push_p256dh'), of('push_auth')]);
    const body = { subscription: { endpoint, keys: { p256dh, auth } } };
    const asked = { token: await signIn(t, owner.email), body };
    return (await t.call('POST', '/api/notifications/browsers', asked)).body.id ?? SAMPLE.browser_id;
  },
  push_endpoint: ({ owner }) => `https://push.example.net/wpush/v2/${owner.handle}`,
  phone_code: async ({ t, owner }, of) => {
    const phone = await of('phone');
    await t.call('POST', '/api/trust/phone/send', { token: owner.token, agent: owner.handle, body: { phone } });
    const sent = t.texts.filter(({ to }) => to === phone).at(-1);
    return sent?.text.match(/\b(\d{6})\b/)?.[1] ?? '000000';
  },
  link_token: linkToken,
  link_token_hash: async (scene) => {
    const body = { token: await linkToken(scene) };
    return (await scene.t.call('POST', '/api/auth/link/redeem', { body })).body.token_hash ?? 'none';
  },
  handoff_token: async ({ t, owner }) => {
    const asked = { key: owner.key, agent: owner.handle, body: { purpose: 'approve' } };
    const { body } = await t.call('POST', '/api/handoff/link', asked);
    return String(body.url).split('/').at(-1) ?? 'none';
  },
  install_id: () => `install-${freshName()}`.padEnd(40, 'x'),
  device_code: async ({ t }) => (await t.call('POST', '/api/auth/device/code', { body: {} })).body.device_code,
  user_code: async ({ t }) => (await t.call('POST', '/api/auth/device/code', { body: {} })).body.user_code,
  grant_id: async ({ t, owner }) => (await connectProgram(t, await signedInReader(t, owner.email))).id,
  public_key: freshKey,
  challenge: async ({ t, owner }, of) => {
    const credential = { key: owner.key, agent: owner.handle };
    await t.call('POST', '/api/auth/keypair', { ...credential, body: { public_key: await of('public_key') } });
    return (await t.call('GET', '/api/auth/challenge', credential)).body.challenge ?? 'none';
  },
  signature: async (_scene, of) => {
    const challenge = Buffer.from(await of('challenge'));
    const key = signers.get(await of('public_key'));
    return key ? sign(null, challenge, key).toString('base64url') : '';
  },
  client_assertion: async ({ t, owner }) => {
    const signer = await registerSigner(t, owner);
    return assertionOf(t, owner.handle, signer);
  },
  attestation: async ({ t, full_key, owner }) => {
    const body = { min_amount_cents: 1, audience_handle: BYSTANDER };
    const asked = { key: await full_key(), agent: owner.handle, body };
    return (await t.call('POST', '/api/wallet/attest', asked)).body.token ?? 'none';
  },
  push_config_id: async ({ t, owner }, of) => {
    const body = {
      task_id: await of('task_id'),
      config: { id: SAMPLE.push_config_id, url: 'https://hooks.example/x' },
    };
    await t.call('POST', '/operations/push_config.create', { key: owner.key, agent: owner.handle, body });
    return SAMPLE.push_config_id;
  },
  journal_id: async (_scene, of) => `escrow:${await of('escrow_id')}`,
  page_token: async ({ t }, of) => sandboxToken(t.service.world.secrets.seal_key, 'pay', await of('funding_id')),
  unsubscribe_token: async ({ t, owner }) => {
    const account_id = (await t.service.world.store.read(accountByEmail, { email: owner.email }))?.id ?? '';
    return unsubscribeToken({ account_id, kind: 'digest' }, t.service.world);
  },
  reply_address: async (scene) => (await letterOf(scene.t, scene.owner, await scene.conversation_id())).address,
  mail: async ({ owner }, of) => eml({ from: owner.email, to: await of('reply_address') }),
};

const SAMPLES = new Map(Object.entries(SAMPLE).map(([name, value]) => [value as string, name as Sample]));

/** What the refresh cookie alone says, and no input. */
const OF_A_COOKIE: ReadonlySet<string> = new Set(['session.end', 'session.refresh']);

async function refreshCookie(scene: Scene): Promise<string> {
  const body = { email: scene.owner.email, code: await scene.mailed('/api/auth/session/start') };
  const { headers } = await scene.t.call('POST', '/api/auth/session/verify', { body });
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

/** The value with what stands for its samples; `named` gathers those. */
async function stoodFor(value: unknown, scene: Scene, made: Map<Sample, Promise<string>>): Promise<unknown> {
  const of = (name: Sample): Promise<string> => {
    const known = made.get(name);
    if (known) return known;
    const stand = Promise.resolve(STANDS[name]?.(scene, of) ?? SAMPLE[name]);
    made.set(name, stand);
    return stand;
  };
  if (typeof value === 'string') {
    const name = SAMPLES.get(value);
    return name === undefined ? value : of(name);
  }
  if (typeof value !== 'object' || value === null) return value;
  // One after the other: what is drawn for each may not hang on which of two calls is answered first.
  const stood: [string, unknown][] = [];
  for (const [key, each] of Object.entries(value)) stood.push([key, await stoodFor(each, scene, made)]);
  return Array.isArray(value) ? stood.map(([, each]) => each) : Object.fromEntries(stood);
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** The body of an example as it is sent, with its type. */
export function sentBody({ body = {}, raw, form }: Example): { readonly type: string; readonly text: string } {
  if (raw !== undefined) return raw;
  if (!form) return { type: 'application/json', text: JSON.stringify(body) };
  return {
    type: 'application/x-www-form-urlencoded',
    text: new URLSearchParams(body as Record<string, string>).toString(),
  };
}

/** The example of an operation as an input about what a scene owns; `made` gathers what stands for its samples. */
export async function exampleInput(
  operation: AnyOperation,
  scene: Scene,
  made: Map<Sample, Promise<string>> = new Map(),
): Promise<Readonly<Record<string, unknown>>> {
  return (await stoodFor(operation.example ?? {}, scene, made)) as Record<string, unknown>;
}

/** An input as a request to one of its operation's addresses; who acts in a path is `handle`. */
export function requestOf(
  operation: AnyOperation,
  binding: RestBinding,
  given: Readonly<Record<string, unknown>>,
  handle: string,
): Example {
  const input = new Map(Object.entries(given));
  const take = (field: string): string => {
    const text = textOf(input.get(field) ?? handle);
    input.delete(field);
    return text;
  };
  const path = Object.fromEntries([...binding.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, take(name)]));
  const headed = Object.entries(binding.headers ?? {}).filter(([field]) => input.has(field));
  const headers = Object.fromEntries(headed.map(([field, header]) => [header, take(field)]));
  const raw = operation.raw && { type: operation.raw.type, text: take('raw') };
  const in_query = binding.method === 'GET' || binding.method === 'DELETE' || raw !== undefined;
  const rest = [...input];
  return {
    ...(binding.path.includes('{') && { path }),
    ...(in_query && { query: rest.map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`).join('&') }),
    ...(!in_query && { body: Object.fromEntries(rest) }),
    ...(raw !== undefined && { raw }),
    ...(operation.form && { form: true }),
    headers,
  };
}

/** The example of an operation as a request to one of its addresses, in the name of a scene's owner. */
export async function exampleFor(operation: AnyOperation, binding: RestBinding, scene: Scene): Promise<Example> {
  const made = new Map<Sample, Promise<string>>();
  const input = await exampleInput(operation, scene, made);
  const request = requestOf(operation, binding, input, scene.owner.handle);
  const cookie: Record<string, string> = OF_A_COOKIE.has(operation.name) ? { Cookie: await refreshCookie(scene) } : {};
  const owned = await Promise.all(OWNED.map((name) => made.get(name)));
  const inPath = Object.values(request.path ?? {});
  const names = owned.some((id) => id !== undefined && !inPath.includes(id));
  return { ...request, headers: { ...request.headers, ...cookie }, names };
}
