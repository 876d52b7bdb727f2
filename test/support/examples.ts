// One plausible valid request for every operation, by its name. The access matrix and the hostile bodies start from
// these; an operation without one fails both tests, so none is ever left out.
import { generateKeyPairSync, sign } from 'node:crypto';
import { freshPhone } from './agents.ts';
import { eml, letterOf } from './mail.ts';
import { LOGO_OFFER, LOGO_SEEK } from './matches.ts';
import { BYSTANDER, type Scene } from './scene.ts';
import { readStoredRows } from './store.ts';

/** The parts of a request: what stands in the path's braces, in the query string, in the body and in headers. */
export interface Example {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The body of an operation that takes no JSON. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The query or the body names something that belongs to somebody. */
  readonly names?: boolean;
}

type Make = (scene: Scene) => Example | Promise<Example>;

let names = 0;

/** A handle that nobody has. */
function freshHandle(): string {
  names += 1;
  return `fresh_${names}`;
}

const freshEmail = (): string => `${freshHandle()}@example.org`;
const ownOf: Make = ({ owner }) => ({ path: { handle: owner.handle } });
const listing: Make = async (scene) => ({ path: { handle: scene.owner.handle, cardId: await scene.listing_id() } });
const thread: Make = async (scene) => ({ path: { conversation_id: await scene.conversation_id() } });
/** The agent that every scene can meet. */
const otherAgent: Make = () => ({ path: { handle: BYSTANDER } });
const webhook: Make = async (scene) => ({ path: { id: await scene.webhook_id() } });
const noInput: Make = () => ({});
const email: Make = ({ owner }) => ({ body: { email: owner.email } });
const code =
  (start: string): Make =>
  async (scene) => ({
    body: { email: scene.owner.email, code: await scene.mailed(start) },
  });

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

async function refreshCookie(scene: Scene): Promise<string> {
  const body = { email: scene.owner.email, code: await scene.mailed('/api/auth/session/start') };
  const { headers } = await scene.t.call('POST', '/api/auth/session/verify', { body });
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

async function signedChallenge({ t, owner }: Scene): Promise<Example> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const credential = { key: owner.key, agent: owner.handle };
  const public_key = publicKey.export({ format: 'jwk' }).x;
  await t.call('POST', '/api/auth/keypair', { ...credential, body: { public_key } });
  const { challenge = 'none' } = (await t.call('GET', '/api/auth/challenge', credential)).body;
  const signature = sign(null, Buffer.from(challenge), privateKey).toString('base64url');
  return { body: { challenge, signature } };
}

async function phoneCode({ t, owner }: Scene): Promise<Example> {
  const phone = freshPhone();
  await t.call('POST', '/api/trust/phone/send', { token: owner.token, agent: owner.handle, body: { phone } });
  const sent = t.texts.filter(({ to }) => to === phone).at(-1);
  return { body: { phone, code: sent?.text.match(/\b(\d{6})\b/)?.[1] ?? '000000' } };
}

async function blockedPair({ t, owner }: Scene): Promise<Example> {
  const caller = { key: owner.key, agent: owner.handle };
  await t.call('POST', `/api/agents/${BYSTANDER}/block`, caller);
  return { path: { handle: BYSTANDER } };
}

const SEEK_ITEM = { headline: LOGO_SEEK.headline, labels: LOGO_SEEK.labels, budget_cents: LOGO_SEEK.budget_cents };
const OFFER_ITEM = { headline: LOGO_OFFER.headline, labels: LOGO_OFFER.labels, price_cents: LOGO_OFFER.price_cents };

/** The examples. */
export const EXAMPLES: Readonly<Record<string, Make>> = {
  'agent.block': otherAgent,
  'agent.bounds': () => ({ body: { max_pay_cents: 10_000, min_charge_cents: 100, auto_approve_below_cents: 500 } }),
  'agent.card': ({ owner }) => ({ query: `handle=${owner.handle}` }),
  'agent.create': () => ({ body: { handle: freshHandle(), display_name: 'Ada', headline: 'I sell ropes' } }),
  'agent.deactivate': ownOf,
  'agent.feed': ownOf,
  'agent.list': noInput,
  'agent.public': ownOf,
  'agent.read': ownOf,
  'agent.registry': () => ({ query: 'labels=logo-design&limit=2' }),
  'agent.rename': () => ({ body: { handle: freshHandle() } }),
  'agent.report': async (scene) => ({
    ...(await otherAgent(scene)),
    body: { reason: 'spam', text: 'It sells ropes only.' },
  }),
  'agent.restore': ownOf,
  'agent.track_record': ownOf,
  'agent.unblock': blockedPair,
  'agent.update': ({ owner }) => ({ path: { handle: owner.handle }, body: { headline: 'I sell better ropes' } }),
  'billing.limits': noInput,
  'billing.plans': noInput,
  'challenge.issue': noInput,
  'challenge.verify': signedChallenge,
  'conversation.close': async (scene) => ({ ...(await thread(scene)), body: { reason: 'found another' } }),
  'conversation.list': noInput,
  'conversation.read': thread,
  'conversation.start': () => ({ body: { handle: BYSTANDER, content: 'Do you draw logos?' } }),
  'site.verify': () => ({ body: { domain: `${freshHandle().replace('_', '-')}.example` } }),
  'handle.check': ownOf,
  'handle.reserve': () => ({ body: { handle: freshHandle(), email: freshEmail() } }),
  'inbox.pull': () => ({ query: 'after=0&limit=5' }),
  'inbox.recent': noInput,
  'inbox.respond': async (scene) => ({ path: { event_id: await scene.event_id() }, body: { action: 'interested' } }),
  'inbox.stream': () => ({ query: 'after=0' }),
  'inbox.test': noInput,
  'inbox.view': ({ owner }) => ({ path: { handle: owner.handle }, query: 'after=0' }),
  'platform.admin_create': () => ({ body: { email: freshEmail() } }),
  'platform.admin_set_plan': ({ owner }) => ({ body: { email: owner.email, plan: 'pro' } }),
  'platform.clock': () => ({ body: { advance_seconds: 0 } }),
  'platform.outbox': ({ owner }) => ({ query: `to=${encodeURIComponent(owner.email)}` }),
  'key.create': () => ({ body: { name: 'a program', scopes: ['agents:read'], expires_in_days: 30 } }),
  'key.list': noInput,
  'key.renew': noInput,
  'key.revoke': async (scene) => ({ path: { id: await scene.key_id() } }),
  'keypair.register': () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    return { body: { public_key: publicKey.export({ format: 'jwk' }).x } };
  },
  'label.search': () => ({ query: 'q=logo&limit=5' }),
  'link.redeem': async (scene) => ({ body: { token: await linkToken(scene), next: '/inbox' } }),
  'listing.create': ({ owner }) => ({ path: { handle: owner.handle }, body: LOGO_OFFER }),
  'listing.delete': listing,
  'listing.embed': ownOf,
  'listing.list': ownOf,
  'listing.mine': noInput,
  'listing.read': listing,
  'listing.taxonomy': noInput,
  'listing.update': async (scene) => ({ ...(await listing(scene)), body: { headline: 'Logo design in a day' } }),
  'listing.verify': listing,
  'login.start': email,
  'login.verify': code('/api/auth/login/start'),
  'mail.receive': async (scene) => {
    const { address } = await letterOf(scene.t, scene.owner, await scene.conversation_id());
    return { query: `to=${encodeURIComponent(address)}`, raw: eml({ from: scene.owner.email, to: address }) };
  },
  'match.feed': noInput,
  'match.feedback': async (scene) => ({ body: { match_id: await scene.match_id(), action: 'saved' }, names: true }),
  'match.list': ownOf,
  'match.run': async (scene) => ({ body: { listing_id: await scene.listing_id(), limit: 5 }, names: true }),
  'match.summary': async (scene) => ({ path: { match_id: await scene.match_id() } }),
  'message.list': thread,
  'message.send': async (scene) => ({ ...(await thread(scene)), body: { content: 'When could you start?' } }),
  'network.stats': noInput,
  'notification.list': () => ({ query: 'limit=2' }),
  'notification.prefer': () => ({
    body: { email: 'important', quiet_hours: { from: '22:00', to: '07:00', tz: 'UTC' } },
  }),
  'notification.preferences': noInput,
  'notification.read': async (scene) => ({ path: { id: await scene.event_id() } }),
  'notification.read_all': noInput,
  'notification.stream': noInput,
  'notification.unread': noInput,
  'onboarding.intake': () => ({ body: { offers: [OFFER_ITEM], seeks: [SEEK_ITEM], wake: { min_match_score: 60 } } }),
  'onboarding.questions': noInput,
  'onboarding.status': noInput,
  'people.browse': () => ({ query: 'limit=2' }),
  'phone.send': () => ({ body: { phone: freshPhone() } }),
  'phone.verify': phoneCode,
  'review.decide': async (scene) => ({ path: { id: await scene.review_id() }, body: { approve: true } }),
  'review.list': noInput,
  'session.end': async (scene) => ({ headers: { Cookie: await refreshCookie(scene) } }),
  'session.exchange': async (scene) => {
    const body = { token: await linkToken(scene) };
    const { token_hash = 'none' } = (await scene.t.call('POST', '/api/auth/link/redeem', { body })).body;
    return { body: { token_hash } };
  },
  'session.jwks': noInput,
  'session.link': email,
  'session.refresh': async (scene) => ({ headers: { Cookie: await refreshCookie(scene) } }),
  'session.start': email,
  'session.verify': code('/api/auth/session/start'),
  'signup.start': email,
  'signup.verify': code('/api/auth/signup/start'),
  'trust.signals': noInput,
  'webhook.create': () => ({ body: { url: 'https://hooks.example/x', events: ['match.created', 'test.ping'] } }),
  'webhook.delete': webhook,
  'webhook.enable': webhook,
  'webhook.list': noInput,
  'webhook.logs': webhook,
  'webhook.read': webhook,
  'webhook.redeliver': async (scene) => ({ ...(await webhook(scene)), body: { event_id: await scene.event_id() } }),
  'webhook.rotate': webhook,
  'webhook.test': webhook,
  'webhook.update': async (scene) => ({ ...(await webhook(scene)), body: { events: ['*'] } }),
};
