// How people sign up, log in, keep their keys and sessions, and prove phones and key pairs.
import { createPrivateKey, sign } from 'node:crypto';
import type { TestAnswer } from '../../support/testbed.ts';
import type { Person } from '../person.ts';
import { type Action, actingOf, keyOf, NO_CREDENTIAL, sessionOf } from '../planned.ts';
import type { Sim } from '../sim.ts';
import { tradeHeld } from './programs.ts';

/** What everybody draws by accident now and then. */
const WRONG_CODE = '000000';
const ED25519_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const SCOPES = ['agents:read', 'agents:write', 'messages:write', 'conversations:read', 'matching:run', 'nothing:real'];

function learnKey(person: Person) {
  return ({ body }: TestAnswer): void => {
    person.keys.push({ text: body.api_key, id: body.id ?? null, expires_at: Date.parse(body.expires_at) });
  };
}

/** Takes the session that a sign-in gave. */
export function learnSession(person: Person) {
  return ({ body, headers }: TestAnswer): void => {
    const cookie = (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    person.sessions.push({ token: body.access_token, cookie });
  };
}

function codeFrom(sim: Sim, person: Pick<Person, 'email'>, subject: string): string | null {
  const letter = sim.mailer.delivered.findLast((mail) => mail.to === person.email && mail.subject.startsWith(subject));
  if (!letter) return null;
  if (sim.choose.chance(0.05)) return WRONG_CODE;
  return letter.text.match(/^\s*(\d{6})\s*$/m)?.[1] ?? null;
}

const start: Action = (_sim, { email }) => ({ as: NO_CREDENTIAL, body: { email } });

const verify =
  (subject: string, learn: typeof learnKey): Action =>
  (sim, person) => {
    const code = codeFrom(sim, person, subject);
    return code === null ? null : { as: NO_CREDENTIAL, body: { email: person.email, code }, learn: learn(person) };
  };

/** The key pair of an agent, out of its handle's owner. */
function keypair(person: Person) {
  const seed = new Bun.CryptoHasher('sha256').update(person.name).digest();
  return createPrivateKey({ key: Buffer.concat([ED25519_DER, seed]), format: 'der', type: 'pkcs8' });
}

/** A client assertion, signed by that key. */
function assertion(person: Person, claims: object): string {
  const parts = [{ alg: 'EdDSA' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${parts.join('.')}.${sign(null, Buffer.from(parts.join('.')), keypair(person)).toString('base64url')}`;
}

function linkToken(sim: Sim, person: Person): string | null {
  const letter = sim.mailer.delivered.findLast(({ to, text }) => to === person.email && text.includes('#token='));
  return letter ? decodeURIComponent(letter.text.match(/#token=([^\s&]+)/)?.[1] ?? '') : null;
}

const refresh: Action = (sim, person) => {
  const session = sim.choose.maybe(person.sessions);
  if (!session) return null;
  const learn = ({ body, headers }: TestAnswer): void => {
    session.token = body.access_token;
    session.cookie = (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  };
  return { as: NO_CREDENTIAL, headers: { Cookie: session.cookie }, learn };
};

const endSession: Action = (sim, person) => {
  const session = sim.choose.maybe(person.sessions);
  if (!session) return null;
  return sim.choose.chance(0.5)
    ? { as: { token: session.token } }
    : { as: NO_CREDENTIAL, headers: { Cookie: session.cookie } };
};

/** Now and then somebody leaves, and begins anew with nothing. */
const leave: Action = (sim, person) => {
  const as = sessionOf(sim, person);
  if (!as || !sim.choose.chance(0.5)) return null;
  const learn = (): void => {
    for (const known of [person.keys, person.sessions, person.agents]) known.length = 0;
  };
  return { as, query: { forfeit: sim.choose.chance(0.5) }, learn };
};
/** The person's own code, or somebody else's. */
function decideOnDevice(sim: Sim, person: Person, body: object): ReturnType<Action> {
  const as = sessionOf(sim, person);
  if (!as || person.device === null) return null;
  const user_code = sim.choose.chance(0.9) ? person.device.user_code : 'BBBB-BBBB';
  return { as, body: { user_code, ...body } };
}

const createKey: Action = (sim, person) => {
  const as = sessionOf(sim, person);
  const { choose } = sim;
  return (
    as && {
      as,
      body: {
        name: `key ${person.keys.length}`,
        ...(choose.chance(0.4) && { scopes: [choose.pick(SCOPES), choose.pick(SCOPES)] }),
        ...(choose.chance(0.3) && person.agents.length > 0 && { agent_handle: choose.pick(person.agents).handle }),
        ...(choose.chance(0.6) && { expires_in_days: 1 + choose.below(90) }),
      },
      learn: learnKey(person),
    }
  );
};

const OWN_SESSIONS = `SELECT s.id FROM sessions s JOIN accounts a ON a.id = s.account_id
  WHERE a.email = ? AND s.ended_at IS NULL ORDER BY s.id`;

/** A person has two addresses, and now and then means somebody else's. */
const changeAddress: Action = (sim, person) => {
  const as = sessionOf(sim, person);
  const { choose } = sim;
  const other = person.email.endsWith('.net') ? `${person.name}@example.org` : `${person.name}@example.net`;
  const email = choose.chance(0.9) ? other : choose.pick(sim.people).email;
  const learn = (): void => {
    person.moves_to = email;
  };
  return as && { as, body: { email }, learn };
};

const confirmAddress: Action = (sim, person) => {
  const as = sessionOf(sim, person);
  if (!as || person.moves_to === null) return null;
  const code = codeFrom(sim, person, 'Your code to change your address');
  const new_code = codeFrom(sim, { email: person.moves_to }, 'Your code to confirm your new address');
  const learn = ({ body }: TestAnswer): void => {
    person.email = body.email;
  };
  return code === null || new_code === null ? null : { as, body: { code, new_code }, learn };
};

export const IDENTITY: Readonly<Record<string, Action>> = {
  'account.delete': leave,
  'account.change_address': changeAddress,
  'account.confirm_address': confirmAddress,
  'account.end_session': (sim, person) => {
    const as = sessionOf(sim, person);
    const own = sim.choose.chance(0.8) ? sim.db.column(OWN_SESSIONS, person.email) : [];
    const id = sim.choose.maybe(own.length > 0 ? own : sim.db.column('SELECT id FROM sessions ORDER BY id'));
    return id === null || id === undefined || !as ? null : { as, path: { id: String(id) } };
  },
  // Whoever did it every day would do nothing else.
  'account.revoke_all': (sim, person) => {
    const as = sessionOf(sim, person);
    return as && sim.choose.chance(0.2) ? { as } : null;
  },
  'admin.set_up': (sim, { email, set_up }) =>
    set_up === null ? null : { as: NO_CREDENTIAL, body: { token: set_up, email: sim.choose.chance(0.9) ? email : '' } },
  'signup.start': start,
  'signup.verify': verify('Your sign-up code', learnKey),
  'login.start': start,
  'login.verify': verify('Your login code', learnKey),
  'session.start': start,
  'session.verify': verify('Your sign-in code', learnSession),
  'session.link': (sim, { email }) => ({
    as: NO_CREDENTIAL,
    body: { email, next: sim.choose.pick(['/', '/app/inbox', '//elsewhere.example']) },
  }),
  'link.redeem': (sim, person) => {
    const token = linkToken(sim, person);
    const learn = ({ body }: TestAnswer): void => {
      person.token_hash = body.token_hash;
    };
    return token === null ? null : { as: NO_CREDENTIAL, body: { token, next: '/app' }, learn };
  },
  'session.exchange': (_sim, person) => {
    if (person.token_hash === null) return null;
    return { as: NO_CREDENTIAL, body: { token_hash: person.token_hash }, learn: learnSession(person) };
  },
  'provision.create': (sim, person) => {
    const install_id = `${person.name}-${sim.choose.below(3)}-`.padEnd(32, 'x');
    const learn = ({ body }: TestAnswer): void => {
      person.provisional = body.api_key;
    };
    return { as: NO_CREDENTIAL, body: { install_id }, learn };
  },
  'provision.claim': (_sim, { provisional, email }) =>
    provisional === null ? null : { as: { key: provisional }, body: { email } },
  'provision.verify': (sim, person) => {
    const code = codeFrom(sim, person, 'Your code to claim');
    if (code === null || person.provisional === null) return null;
    return { as: { key: person.provisional }, body: { email: person.email, code } };
  },
  'provision.successor': (_sim, { provisional }) =>
    provisional === null ? null : { as: { key: provisional }, body: {} },
  'handoff.link': (sim, person) => {
    const learn = ({ body }: TestAnswer): void => {
      person.handoff = String(body.url).split('/').at(-1) ?? null;
    };
    if (person.provisional !== null && sim.choose.chance(0.6)) {
      return { as: { key: person.provisional }, body: { purpose: 'onboarding' }, learn };
    }
    const acting = actingOf(sim, person);
    return acting && { ...acting, body: { purpose: sim.choose.pick(['onboarding', 'verify', 'approve']) }, learn };
  },
  'handoff.verify_link': (sim, person) => {
    const acting = actingOf(sim, person);
    const learn = ({ body }: TestAnswer): void => {
      person.handoff = String(body.verify_link).split('/').at(-1) ?? null;
    };
    return acting && { ...acting, body: {}, learn };
  },
  'handoff.read': (_sim, { handoff }) => (handoff === null ? null : { as: NO_CREDENTIAL, query: { token: handoff } }),
  'handoff.use': (sim, person) => {
    const as = sessionOf(sim, person);
    return as && person.handoff !== null ? { as, body: { token: person.handoff } } : null;
  },
  'device.code': (sim, person) => {
    const learn = ({ body }: TestAnswer): void => {
      person.device = { device_code: body.device_code, user_code: body.user_code };
    };
    return { as: NO_CREDENTIAL, body: { client_name: `device of ${sim.choose.below(9)}` }, learn };
  },
  'device.authorize': (sim, person) => {
    const learn = ({ body }: TestAnswer): void => {
      person.device = { device_code: body.device_code, user_code: body.user_code };
    };
    const scope = sim.choose.pick(['', 'agents:read', 'payments:write']);
    const raw = { type: 'application/x-www-form-urlencoded', text: `client_id=a+program&scope=${scope}` };
    return { as: NO_CREDENTIAL, raw, learn };
  },
  'device.look': (sim, person) => decideOnDevice(sim, person, {}),
  'device.approve': (sim, person) => decideOnDevice(sim, person, { approve: sim.choose.chance(0.7) }),
  'device.token': (_sim, person) => {
    if (person.device === null) return null;
    const learn = (answer: TestAnswer): void => {
      if (answer.body.api_key !== undefined) learnKey(person)(answer);
    };
    return { as: NO_CREDENTIAL, body: { device_code: person.device.device_code }, learn };
  },
  'session.refresh': refresh,
  'session.end': endSession,
  'key.create': createKey,
  'key.list': (sim, person) => {
    const as = sessionOf(sim, person);
    return as && { as, query: { limit: 1 + sim.choose.below(5) } };
  },
  'key.renew': (sim, person) => {
    const as = keyOf(sim, person);
    return as && { as, learn: learnKey(person) };
  },
  'key.revoke': (sim, person) => {
    const as = sessionOf(sim, person);
    // Whoever revoked all keys is out of the game, so that the last one stays.
    const id = person.keys.length > 1 ? sim.choose.maybe(person.keys.filter((key) => key.id !== null))?.id : null;
    return as && id ? { as, path: { id } } : null;
  },
  'keypair.register': (sim, person) => {
    const acting = actingOf(sim, person);
    const public_key = sim.choose.chance(0.9) ? keypair(person).export({ format: 'jwk' }).x : 'AAAA';
    return acting && { ...acting, body: { public_key } };
  },
  'challenge.issue': (sim, person) => {
    const acting = actingOf(sim, person);
    const learn = ({ body }: TestAnswer): void => {
      person.challenge = body.challenge;
    };
    return acting && { ...acting, learn };
  },
  'challenge.verify': (sim, person) => {
    const acting = actingOf(sim, person);
    if (!acting || person.challenge === null) return null;
    const signature = sign(null, Buffer.from(person.challenge), keypair(person)).toString('base64url');
    return { ...acting, body: { challenge: person.challenge, signature } };
  },
  'oauth.token': (sim, person) => {
    const held = sim.choose.chance(0.6) ? tradeHeld(sim, person) : null;
    if (held) return held;
    const agent = sim.choose.maybe(person.agents);
    if (!agent) return null;
    const now = Math.floor(sim.t.clock.now() / 1000);
    const { base_url } = sim.t.service.world.settings;
    const life = sim.choose.chance(0.9) ? 300 : 4_000;
    const claims = {
      iss: agent.handle,
      sub: agent.handle,
      aud: base_url,
      exp: now + life,
      jti: `${sim.choose.below(1e9)}`,
    };
    const scope = sim.choose.pick(['', 'agents:read', 'agents:read messages:write', 'payments:write', 'none']);
    const form = {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion(person, claims),
      scope,
    };
    const text = new URLSearchParams(form).toString();
    return { as: NO_CREDENTIAL, raw: { type: 'application/x-www-form-urlencoded', text } };
  },
  'phone.send': (sim, person) => {
    const acting = actingOf(sim, person, true);
    return acting && { ...acting, body: { phone: sim.choose.chance(0.97) ? person.phone : '+15550001000' } };
  },
  'phone.verify': (sim, person) => {
    const acting = actingOf(sim, person, true);
    const text = sim.sms.delivered.findLast(({ to }) => to === person.phone)?.text;
    const code = sim.choose.chance(0.95) ? text?.match(/\b(\d{6})\b/)?.[1] : WRONG_CODE;
    return acting && code ? { ...acting, body: { phone: person.phone, code } } : null;
  },
  'session.depart': (_sim, person) => {
    const learn = ({ body }: TestAnswer): void => {
      person.departed = new URL(body.authorize_url).searchParams.get('state');
    };
    return { as: NO_CREDENTIAL, body: { browser: person.name, next: '/app' }, learn };
  },
  'session.arrive': (sim, person) => {
    if (person.departed === null) return null;
    const code = sim.choose.chance(0.9) ? person.name : 'bad';
    return { as: NO_CREDENTIAL, body: { browser: person.name, state: person.departed, code } };
  },
  'trust.connect': (sim, person) => {
    const acting = actingOf(sim, person, true);
    const provider = sim.choose.pick(['github', 'github', 'linkedin', 'twitter', 'oidc']);
    const learn = ({ body }: TestAnswer): void => {
      const state = new URL(body.authorize_url).searchParams.get('state') ?? '';
      person.asked = { provider, state, token: acting?.as.token ?? '' };
    };
    return acting && { ...acting, path: { provider }, body: {}, learn };
  },
  'trust.finish': (sim, person) => {
    const { asked } = person;
    if (!asked) return null;
    const { name } = sim.choose.chance(0.9) ? person : sim.choose.pick(sim.people);
    const code = sim.choose.chance(0.9) ? `${name}-${sim.choose.below(20)}` : 'bad';
    const { provider, state, token } = asked;
    return { as: { token }, body: { provider, state, code } };
  },
  'site.verify': (sim, person) => {
    const acting = actingOf(sim, person, true);
    const { domain } = sim.choose.chance(0.9) ? person : sim.choose.pick(sim.people);
    const learn = ({ body }: TestAnswer): void => {
      if (!body.verified) sim.zone.setTxt(body.record.name, [body.record.value]);
      else if (sim.choose.chance(0.5)) sim.zone.setTxt(`_meshwork.${domain}`, []);
    };
    return acting && { ...acting, body: { domain }, learn };
  },
};
