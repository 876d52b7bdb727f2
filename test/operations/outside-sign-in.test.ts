// Signing in through an identity provider elsewhere, against one that lies: who gets into which account, and what an answer is worth that was
// not asked for, not here, or not signed as it must be.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT, UnsecuredJWT } from 'jose';
import { insert } from '../../db/effects.ts';
import { isFault } from '../../src/domain/fault.ts';
import { createOidcClient } from '../../src/outbound/account-host/oidc-client.ts';
import { parseNext } from '../../src/steps/link.ts';
import { type OpenidDouble, type OutsidePerson, openOpenidDouble } from '../support/openid-double.ts';
import { newReader, type Reader, type Shown } from '../support/reader.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

let idp: OpenidDouble;
let t: TestService;
/** The clock on the wall, which the provider lives by. */
let wall_ms = 0;

const clientOf = (idp: OpenidDouble, now: () => number) => (http: Parameters<typeof createOidcClient>[0]['http']) => {
  const { issuer, client_id, client_secret } = idp;
  return createOidcClient({ http, issuer, client_id, client_secret, scope: 'openid email', now });
};

beforeAll(async () => {
  idp = await openOpenidDouble();
  t = await openTestService({ outside_issuer: idp.issuer }, 'memory', {
    outside: { allow: [{ host: '127.0.0.1', port: idp.port }] },
    identity: clientOf(idp, () => wall_ms),
  });
});
beforeEach(() => {
  wall_ms = Date.now();
  idp.lies = {};
  idp.in_token = true;
});
afterAll(async () => {
  await t.close();
  await idp.close();
});

const ada = (sub = 'ada', email: unknown = `${sub}@example.org`): OutsidePerson => ({
  sub,
  email,
  email_verified: true,
});
/** An account from before the provider was set up. */
async function haveAccount(email: string): Promise<void> {
  const { store, id } = t.service.world;
  const row = { id: id(), email, plan: 'free' as const, created_at: t.clock.now() };
  await store.turn({ attempt: async () => ({ reply: null, effects: [insert('accounts', row, 'ignore')] }) });
}
const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;

/** Presses the button; where it leads. */
async function depart(reader: Reader, next = '/app/inbox'): Promise<string> {
  const page = await reader.get(`/app/login?next=${encodeURIComponent(next)}`);
  const kept = /name="next" value="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  return (await reader.post('/app/login', { next: kept })).location ?? '';
}

async function signIn(person: OutsidePerson, reader = newReader(t), next?: string): Promise<Shown> {
  return reader.get(pathOf(idp.signIn(await depart(reader, next), person)));
}

/** Whose account it is, by the cookies of the browser. */
async function accountIn(reader: Reader): Promise<{ id: string; email: string } | null> {
  const cookie = `meshwork_refresh=${reader.cookies.get('meshwork_refresh')}`;
  const { status, body } = await t.call('POST', '/api/auth/session/refresh', { headers: { cookie } });
  return status === 200 ? body.account : null;
}

describe('signing in', () => {
  test('makes an account for who is new, lets who is known into theirs, and goes on to the page that asked', async () => {
    const reader = newReader(t);
    const went = await signIn(ada(), reader, '/app/inbox?a=1');
    expect([went.status, went.location]).toEqual([303, '/app/inbox?a=1']);
    const account = await accountIn(reader);
    expect(account?.email).toBe('ada@example.org');
    expect((await reader.get('/app/login')).text).toContain('You are signed in');
    // The address is another by now; the person is the same.
    const again = newReader(t);
    await signIn(ada('ada', 'other@example.org'), again);
    expect(await accountIn(again)).toEqual(account as { id: string; email: string });
    // An access token of it works, and signing out ends it.
    expect((await reader.post('/app/logout', {})).status).toBe(303);
    expect(await accountIn(reader)).toBeNull();
  });

  test('takes the address from where the provider tells of people, where it is in no token', async () => {
    idp.in_token = false;
    const reader = newReader(t);
    expect((await signIn(ada('quiet'), reader)).status).toBe(303);
    expect((await accountIn(reader))?.email).toBe('quiet@example.org');
    idp.lies = { userinfo: { sub: 'somebody_else', email: 'boss@example.org', email_verified: true } };
    expect((await signIn(ada('changes'))).status).toBe(400);
  });

  test('after leaving begins anew', async () => {
    const reader = newReader(t);
    await signIn(ada('leaves'), reader);
    const headers = { cookie: `meshwork_refresh=${reader.cookies.get('meshwork_refresh')}` };
    const { body } = await t.call('POST', '/api/auth/session/refresh', { headers });
    expect((await t.call('DELETE', '/api/account', { token: body.access_token })).status).toBe(200);
    await t.rest();
    const again = newReader(t);
    expect((await signIn(ada('leaves'), again)).status).toBe(303);
    expect((await accountIn(again))?.id).not.toBe(body.account.id);
  });

  test('leads to the account that has the address, for one person alone', async () => {
    await haveAccount('agents@example.org');
    const reader = newReader(t);
    await signIn(ada('first', 'agents@example.org'), reader);
    expect((await accountIn(reader))?.email).toBe('agents@example.org');
    // The address was given to somebody else at the provider.
    const other = newReader(t);
    const shown = await signIn(ada('second', 'Agents@example.org'), other);
    expect([shown.status, await accountIn(other)]).toEqual([409, null]);
    expect(shown.text).toContain('belongs to another account');
  });

  test.each([
    ['nothing', undefined],
    ['no', false],
    ['a text', 'true'],
    ['a number', 1],
  ])('with an address of which the provider says %s lets nobody in', async (name, email_verified) => {
    await haveAccount('victim@example.org');
    const reader = newReader(t);
    const shown = await signIn({ sub: `liar ${name}`, email: 'victim@example.org', email_verified }, reader);
    expect([shown.status, await accountIn(reader)]).toEqual([400, null]);
  });

  test('takes the place of what the service offers by itself', async () => {
    const calls: [string, unknown][] = [
      ['../signup/start', { email: 'x@example.org' }],
      ['../signup/verify', { email: 'x@example.org', code: '123456' }],
      ['../login/start', { email: 'x@example.org' }],
      ['../login/verify', { email: 'x@example.org', code: '123456' }],
      ['start', { email: 'x@example.org' }],
      ['verify', { email: 'x@example.org', code: '123456' }],
      ['refresh', {}],
      ['end', {}],
      ['link', { email: 'x@example.org' }],
      ['exchange', { token_hash: 'x' }],
      ['passkey/options', {}],
    ];
    for (const [path, body] of calls) {
      const { status } = await t.call('POST', `/api/auth/session/${path}`, { body });
      expect([path, status]).toEqual([path, 404]);
    }
    const page = await newReader(t).get('/app/login');
    expect(page.text).not.toContain('type="email"');
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${idp.issuer};`);
  });
});

describe('an answer', () => {
  test('counts once, within ten minutes, in the browser that was sent (login CSRF)', async () => {
    const [mallory, victim] = [newReader(t), newReader(t)];
    const back = idp.signIn(await depart(mallory), ada('mallory'));
    await victim.get('/app/login');
    expect([(await victim.get(pathOf(back))).status, await accountIn(victim)]).toEqual([410, null]);
    expect((await newReader(t).get(pathOf(back))).status).toBe(410);
    expect((await mallory.get(pathOf(back))).status).toBe(303);
    expect((await mallory.get(pathOf(back))).status).toBe(410);
    const late = newReader(t);
    const slow = idp.signIn(await depart(late), ada('late'));
    await t.advance(600_000);
    expect((await late.get(pathOf(slow))).status).toBe(410);
  });

  test('that another provider sent is refused (mix-up), and so is a proof of an account in its place', async () => {
    const reader = newReader(t);
    const mixed = idp.signIn(await depart(reader), ada('mixed'));
    mixed.searchParams.set('iss', 'https://evil.example');
    expect((await reader.get(pathOf(mixed))).status).toBe(400);
    const begun = idp.signIn(await depart(reader), ada('mixed'));
    const proof = pathOf(begun).replace('/login/callback', '/proofs/github/callback');
    expect((await reader.get(proof)).location).toBe('/app/login?next=%2Fapp%2Fproofs');
    const named = idp.signIn(await depart(reader), ada('mixed'));
    named.searchParams.set('iss', idp.issuer);
    expect((await reader.get(pathOf(named))).status).toBe(303);
  });

  test('without a code, with a made-up one or a wrong state is refused', async () => {
    for (const [name, value, status] of [
      ['code', 'made-up', 400],
      ['code', '', 400],
      ['state', 'x'.repeat(43), 410],
      ['state', '', 410],
    ] as const) {
      const reader = newReader(t);
      const back = idp.signIn(await depart(reader), ada('odd'));
      back.searchParams.set(name, value);
      expect([name, value, (await reader.get(pathOf(back))).status]).toEqual([name, value, status]);
    }
  });
});

describe('a token', () => {
  const secret = new TextEncoder().encode('hush-hush-hush-hush-hush-hush-hush');
  const lies: [string, OpenidDouble['lies']][] = [
    ['for another client', { claims: (now) => ({ ...now, aud: 'another' }) }],
    ['given to another client', { claims: (now) => ({ ...now, aud: ['meshwork', 'b'], azp: 'b' }) }],
    ['of another issuer', { claims: (now) => ({ ...now, iss: 'https://evil.example' }) }],
    ['of another asking', { claims: (now) => ({ ...now, nonce: 'another' }) }],
    ['of no asking', { claims: ({ nonce: _nonce, ...now }) => now }],
    ['that has ended', { claims: (now) => ({ ...now, iat: Number(now['iat']) - 900, exp: Number(now['iat']) - 300 }) }],
    ['that never ends', { claims: ({ exp: _exp, ...now }) => now }],
    ['that is old', { claims: (now) => ({ ...now, iat: Number(now['iat']) - 3_600 }) }],
    ['of nobody', { claims: (now) => ({ ...now, sub: '' }) }],
    ['without a signature', { token: (now) => new UnsecuredJWT(now).encode() }],
    [
      'signed by the secret of the client',
      { token: (now) => new SignJWT(now).setProtectedHeader({ alg: 'HS256' }).sign(secret) },
    ],
    ['that is none', { token: () => 'a.b.c' }],
  ];
  test.each(lies)('%s lets nobody in', async (_name, lie) => {
    idp.lies = lie;
    const reader = newReader(t);
    expect([(await signIn(ada('lied'), reader)).status, await accountIn(reader)]).toEqual([400, null]);
  });

  test('by a key that the provider took into use since is taken, and its keys are read again seldom', async () => {
    expect((await signIn(ada('rotates'))).status).toBe(303);
    await idp.rotate();
    const reads = (): number => idp.asked.filter((path) => path === '/keys').length;
    const before = reads();
    wall_ms += 11_000;
    expect((await signIn(ada('rotates'))).status).toBe(303);
    expect(reads()).toBe(before + 1);
    // Unknown keys again and again make no calls again and again.
    await idp.rotate();
    wall_ms += 5_000;
    expect((await signIn(ada('rotates'))).status).toBe(400);
    expect(reads()).toBe(before + 1);
    wall_ms += 11_000;
    expect((await signIn(ada('rotates'))).status).toBe(303);
  });
});

describe('a provider', () => {
  test('that is away or broken is said to be, and nobody is let in', async () => {
    for (const status of [500, 429, 302]) {
      const reader = newReader(t);
      const back = idp.signIn(await depart(reader), ada('away'));
      idp.lies = { status };
      expect((await reader.get(pathOf(back))).status).toBe(503);
      idp.lies = {};
    }
  });

  test('whose document is of another issuer is none, and one inside the network takes an allowance', async () => {
    const gone = new AbortController().signal;
    const asking = { redirect_uri: 'http://localhost/x', state: 's', challenge: 'c', nonce: 'n' };
    idp.lies = { document: { issuer: 'https://evil.example' } };
    const { http } = t.service.world;
    expect(await clientOf(idp, Date.now)(http).authorizeUrl(asking, gone)).toBeNull();
    idp.lies = {};
    expect(await clientOf(idp, Date.now)(http).authorizeUrl(asking, gone)).toStartWith(`${idp.issuer}/authorize?`);
    const inside = await openTestService({ outside_issuer: idp.issuer }, 'memory', {
      identity: clientOf(idp, Date.now),
    });
    const asked = idp.asked.length;
    const reader = newReader(inside);
    await reader.get('/app/login');
    expect((await reader.post('/app/login', { next: '/' })).status).toBe(503);
    expect(idp.asked.length).toBe(asked);
    await inside.close();
  });

  test('that is slow is given up', async () => {
    const gone = new AbortController();
    const hangs = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => gone.abort()) });
    const t2 = await openTestService({}, 'memory', {
      outside: { allow: [{ host: '127.0.0.1', port: hangs.port ?? 0 }] },
    });
    const { http } = t2.service.world;
    const options = { issuer: `http://127.0.0.1:${hangs.port}`, client_id: 'x', client_secret: null, scope: 'openid' };
    const client = createOidcClient({ ...options, http, now: Date.now });
    const asking = { redirect_uri: 'http://localhost/x', state: 's', challenge: 'c', nonce: 'n' };
    expect(await client.authorizeUrl(asking, gone.signal)).toBeNull();
    await t2.close();
    await hangs.stop(true);
  });
});

describe('where to go on to', () => {
  const OWN = 'https://own.example';
  const TRICKS = [
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https:evil.example',
    '/ /evil',
    '\\\\evil',
  ];
  const CORPUS = join(import.meta.dir, '../../../shared/corpora/url/urltestdata.json');

  test('is a path of this site, whatever is asked for', async () => {
    for (const next of [...TRICKS, 'javascript:alert(1)', 'https://evil.example/']) {
      expect([next, (await signIn(ada('tricks'), newReader(t), next)).location]).toEqual([next, '/app']);
    }
  });

  const listed: readonly unknown[] = existsSync(CORPUS) ? JSON.parse(readFileSync(CORPUS, 'utf8')) : [];
  if (listed.length === 0) console.warn(`skipped: the URL test-suite is not at ${CORPUS}`);
  test.skipIf(listed.length === 0)('stays here with every trick of the URL test-suite', () => {
    const inputs = listed.flatMap((each) =>
      typeof each === 'object' && each && 'input' in each ? [String(each.input)] : [],
    );
    const tried = inputs.flatMap((input) => [input, `/${input}`, `/app/${input}`, `/.${input}`]);
    let taken = 0;
    for (const text of tried) {
      const next = parseNext(text);
      if (isFault(next)) continue;
      taken += 1;
      expect([text, new URL(next, `${OWN}/app/login/callback`).origin]).toEqual([text, OWN]);
    }
    // Enough is taken for it to be worth looking.
    expect(taken).toBeGreaterThan(500);
  });
});

describe('an access token of the provider', () => {
  const own = async (token: string) => t.call('GET', '/api/account', { token });

  test('is a session of whoever has signed in once, and of nobody else', async () => {
    const sub = 'by_token';
    expect((await own(await idp.access({ sub }))).status).toBe(401);
    await signIn(ada(sub), newReader(t));
    for (const typ of ['at+jwt', 'application/at+jwt', 'JWT']) {
      const { status, body } = await own(await idp.access({ sub }, { typ }));
      expect([typ, status, body.email]).toEqual([typ, 200, `${sub}@example.org`]);
    }
    const token = await idp.access({ sub });
    const made = await t.call('POST', '/api/agents', { token, body: { handle: 'by_token', display_name: 'By token' } });
    expect(made.status).toBe(201);
    expect((await t.call('GET', '/api/auth/key', { token })).body.kind).toBe('session');
    const key_pair = { public_key: Buffer.alloc(32, 7).toString('base64url') };
    expect((await t.call('POST', '/api/auth/keypair', { token, body: key_pair })).status).toBe(200);
  });

  test('is none that is another’s, for others, over, unsigned, or an ID token', async () => {
    const sub = 'strict';
    await signIn(ada(sub), newReader(t));
    const over = Math.floor(Date.now() / 1000) - 120;
    const refused: Record<string, string> = {
      'of another issuer': await idp.access({ sub, iss: 'http://127.0.0.1:1' }),
      'for another service': await idp.access({ sub, aud: 'another' }),
      over: await idp.access({ sub, iat: over - 300, exp: over }),
      'without an end': await idp.access({ sub, exp: undefined }),
      'without a type': await idp.access({ sub }, {}),
      'of another type': await idp.access({ sub }, { typ: 'logout+jwt' }),
      'an ID token': await idp.access({ sub, nonce: 'n' }, { typ: 'JWT' }),
      unsigned: new UnsecuredJWT({ sub })
        .setIssuer(idp.issuer)
        .setAudience(idp.client_id)
        .setExpirationTime('5m')
        .encode(),
      changed: (await idp.access({ sub })).replace(/\.(.)(?=[^.]*$)/, (_, sign) => `.${sign === 'A' ? 'B' : 'A'}`),
    };
    for (const [what, token] of Object.entries(refused)) {
      expect([what, (await own(token)).status]).toEqual([what, 401]);
    }
  });

  test('ends when its person revokes all, and is no other account’s beside a key', async () => {
    const sub = 'revokes';
    await signIn(ada(sub), newReader(t));
    const token = await idp.access({ sub, iat: Math.floor(t.clock.now() / 1000) - 5 });
    expect((await own(token)).status).toBe(200);
    expect((await t.call('POST', '/api/account/revoke-all', { token })).status).toBe(200);
    expect((await own(token)).status).toBe(401);
  });

  test('that a stranger made up asks the provider for nothing', async () => {
    const before = idp.asked.length;
    await own(new UnsecuredJWT({ sub: 'x' }).setIssuer('http://127.0.0.1:1').encode());
    expect(idp.asked.length).toBe(before);
  });
});

test('an ID token for several parties that does not say for which it was made is refused', async () => {
  idp.lies = { claims: (claims) => ({ ...claims, aud: [idp.client_id, 'another'] }) };
  const reader = newReader(t);
  expect([(await signIn(ada('several'), reader)).status, await accountIn(reader)]).toEqual([400, null]);
  idp.lies = { claims: (claims) => ({ ...claims, aud: [idp.client_id, 'another'], azp: idp.client_id }) };
  expect((await signIn(ada('several'), reader)).status).toBe(303);
});
