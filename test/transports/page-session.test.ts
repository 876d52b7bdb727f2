// Signing in on the page: by code and by link, without any script; and what a stranger's site, a planted cookie, a copied form or an
// address that only looks like ours get out of it.
import { describe, expect, test } from 'bun:test';
import { signIn as signInByCall } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { newReader, type Reader, signInOn } from '../support/reader.ts';
import { codeFor, openTestService, signUp } from '../support/testbed.ts';

const PAGE = 'meshwork_page';
const EMAIL = 'reader@example.org';

const t = sharedService();

const signIn = (reader: Reader, next?: string, email = EMAIL) => signInOn(t, reader, email, next);
const isSignedIn = async (reader: Reader): Promise<boolean> =>
  (await reader.get('/app/login')).text.includes('You are signed in');

describe('signing in on the page', () => {
  test('takes an address and a code, and goes on to the page that asked', async () => {
    const reader = newReader(t);
    const first = await reader.get('/app/login');
    expect(first.status).toBe(200);
    expect(first.headers.get('referrer-policy')).toBe('same-origin');
    const policy = first.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'; require-trusted-types-for 'script'");
    expect(first.text).not.toMatch(/<script(?! src="\/app\/login\/link.js")/);
    expect(await isSignedIn(reader)).toBe(false);
    const went = await signIn(reader, '/app/inbox?filter=a&x=1');
    expect([went.status, went.location]).toEqual([303, '/app/inbox?filter=a&x=1']);
    const [refresh, page] = went.headers.getSetCookie();
    expect(refresh).toMatch(/^meshwork_refresh=\S+; Path=\/api\/auth\/session; .*HttpOnly; SameSite=Strict$/);
    expect(page).toMatch(/^meshwork_page=\S+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    expect(await isSignedIn(reader)).toBe(true);
  });

  test('says of a wrong code, a wrong address and too many tries what to do, at the field', async () => {
    const reader = newReader(t);
    await reader.get('/app/login');
    const odd = await reader.post('/app/login', { email: 'no address', how: 'code' });
    expect([odd.status, odd.text.includes('aria-invalid="true" aria-describedby="problem"')]).toEqual([400, true]);
    const asked = await reader.post('/app/login', { email: 'wrong@example.org', how: 'code' });
    const right = codeFor(t, 'wrong@example.org');
    // Where nothing is sent, the page says where the letter is, and shows nobody what is in it.
    expect(asked.text).toContain('“meshwork outbox wrong@example.org” prints it');
    expect(asked.text).not.toContain(right);
    const wrong = right === '000000' ? '000001' : '000000';
    const guess = (code: string, ip?: string) =>
      reader.post('/app/login/code', { email: 'wrong@example.org', code }, { ip });
    expect((await guess('12')).status).toBe(400);
    for (let tries = 1; tries <= 5; tries++) expect((await guess(wrong, `198.51.100.${tries}`)).status).toBe(400);
    // From however many addresses somebody guesses, the code is burnt.
    const burnt = await guess(right, '203.0.113.9');
    expect([burnt.status, burnt.text.includes('Ask for another one')]).toEqual([429, true]);
    expect(await isSignedIn(reader)).toBe(false);
  });

  test('tells nobody who has an account', async () => {
    await signUp(t, 'known@example.org');
    const answers: string[] = [];
    for (const email of ['known@example.org', 'nobody@example.org']) {
      for (const how of ['code', 'link']) {
        const reader = newReader(t);
        await reader.get('/app/login');
        const { status, text } = await reader.post('/app/login', { email, how });
        answers.push(`${how} ${status} ${text.replaceAll(email, 'EMAIL').replaceAll(reader.form_token(), 'TOKEN')}`);
      }
    }
    expect([answers[0] === answers[2], answers[1] === answers[3]]).toEqual([true, true]);
  });

  test('follows a mailed link by a form, once', async () => {
    await signUp(t, 'linked@example.org');
    const reader = newReader(t);
    await reader.get('/app/login');
    await reader.post('/app/login', { email: 'linked@example.org', how: 'link', next: '/app/wallet' });
    await t.advance(0);
    const token = t.mails.at(-1)?.text.match(/#token=(\S+)$/m)?.[1] ?? '';
    const went = await reader.post('/app/login/link', { token });
    expect([went.status, went.location]).toEqual([303, '/app/wallet']);
    expect(await isSignedIn(reader)).toBe(true);
    const other = newReader(t);
    await other.get('/app/login');
    const again = await other.post('/app/login/link', { token });
    expect([again.status, again.text.includes('Ask for a new one')]).toEqual([410, true]);
    expect((await other.post('/app/login/link', { token: 'nonsense' })).status).toBe(400);
  });
});

describe('a page session', () => {
  test('ends by signing out, with its session, and is not kept by what was kept', async () => {
    const reader = newReader(t);
    await signIn(reader);
    const kept = reader.cookies.get(PAGE) ?? '';
    await reader.get('/app/login');
    const out = await reader.post('/app/logout', {});
    expect([out.status, out.location]).toEqual([303, '/app/login']);
    expect(reader.cookies.has(PAGE)).toBe(false);
    reader.cookies.set(PAGE, kept);
    expect(await isSignedIn(reader)).toBe(false);
  });

  test('begins with a sign-in of any kind and ends when the access token says so', async () => {
    const body = { email: EMAIL };
    await t.call('POST', '/api/auth/session/start', { body });
    const begun = await t.call('POST', '/api/auth/session/verify', { body: { ...body, code: codeFor(t, EMAIL) } });
    const reader = newReader(t);
    reader.cookies.set(PAGE, /meshwork_page=([^;]+)/.exec(begun.headers.get('set-cookie') ?? '')?.[1] ?? '');
    expect(await isSignedIn(reader)).toBe(true);
    await t.call('POST', '/api/auth/session/end', { token: begun.body.access_token });
    expect(await isSignedIn(reader)).toBe(false);
  });

  test('ends with the family, when a spent refresh token comes back', async () => {
    const reader = newReader(t);
    const went = await signIn(reader);
    const [cookie = ''] = (went.headers.getSetCookie()[0] ?? '').split(';', 1);
    const refresh = () => t.call('POST', '/api/auth/session/refresh', { headers: { Cookie: cookie } });
    expect((await refresh()).status).toBe(200);
    expect(await isSignedIn(reader)).toBe(true);
    await t.advance(31_000);
    expect((await refresh()).status).toBe(401);
    expect(await isSignedIn(reader)).toBe(false);
  });

  test('opens no API, and another session is not guessed from it', async () => {
    const reader = newReader(t);
    await signIn(reader);
    const cookie = reader.cookies.get(PAGE) ?? '';
    const headers = { Cookie: `${PAGE}=${cookie}; __Host-${PAGE}=${cookie}` };
    expect((await t.call('GET', '/api/developer/keys', { headers })).status).toBe(401);
    expect(
      (await t.call('GET', '/api/developer/keys', { headers: { Authorization: `Bearer ${cookie}` } })).status,
    ).toBe(401);
    const token = await signInByCall(t, 'victim@example.org');
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    for (const forged of [`${sid}.${cookie.split('.')[1]}`, `${sid}.${'A'.repeat(43)}`, sid, `${sid}.`, `${cookie}A`]) {
      const thief = newReader(t);
      thief.cookies.set(PAGE, forged);
      expect([forged, await isSignedIn(thief)]).toEqual([forged, false]);
    }
  });

  test('is another one after signing in than before: a cookie that somebody planted is worth nothing', async () => {
    const attacker = newReader(t);
    await attacker.get('/app/login');
    const planted = attacker.cookies.get(PAGE) ?? '';
    const victim = newReader(t);
    victim.cookies.set(PAGE, planted);
    await signIn(victim);
    expect(victim.cookies.get(PAGE)).not.toBe(planted);
    expect(await isSignedIn(victim)).toBe(true);
    expect(await isSignedIn(attacker)).toBe(false);
    // Signed in to the attacker's own account, then signed in anew: nothing of the first is left.
    const own = newReader(t);
    await signIn(own, undefined, 'attacker@example.org');
    const second = newReader(t);
    second.cookies.set(PAGE, own.cookies.get(PAGE) ?? '');
    await second.get('/app/login');
    await second.post('/app/login', { email: EMAIL, how: 'code' });
    await second.post('/app/login/code', { email: EMAIL, code: codeFor(t, EMAIL) });
    expect(second.cookies.get(PAGE)?.slice(0, 36)).not.toBe(own.cookies.get(PAGE)?.slice(0, 36));
  });

  test('over TLS is kept under a name that no other host can set', async () => {
    const secure = await openTestService({ base_url: 'https://mesh.example', app_url: 'https://mesh.example/app' });
    const { headers } = await secure.fetch(new Request('http://localhost/app/login'));
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-meshwork_page=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure$/),
    ]);
    await secure.close();
  });

  test('over TLS hides the refresh token under a name that only TLS can set, and no other name counts', async () => {
    const secure = await openTestService({ base_url: 'https://mesh.example', app_url: 'https://mesh.example/app' });
    await secure.call('POST', '/api/auth/session/start', { body: { email: EMAIL } });
    const body = { email: EMAIL, code: codeFor(secure, EMAIL) };
    const { headers } = await secure.call('POST', '/api/auth/session/verify', { body });
    const [refresh = ''] = headers.getSetCookie();
    expect(refresh).toMatch(/^__Secure-meshwork_refresh=\S+; Path=\/api\/auth\/session; .*; SameSite=Strict; Secure$/);
    const asked = (Cookie: string) => secure.call('POST', '/api/auth/session/refresh', { headers: { Cookie } });
    const [pair = ''] = refresh.split(';', 1);
    expect((await asked(pair.replace('__Secure-', ''))).status).toBe(401);
    expect((await asked(pair)).status).toBe(200);
    await secure.close();
  });
});

describe('a form', () => {
  const forms = (email: string): [path: string, fields: Record<string, string>][] => [
    ['/app/login', { email, how: 'code' }],
    ['/app/login/code', { email, code: '123456' }],
    ['/app/login/link', { token: 'x' }],
    ['/app/logout', {}],
  ];

  test.each([
    null,
    'null',
    'https://evil.example',
    'http://localhost.evil.example',
    'http://localhost:81',
    'https://localhost',
  ])('from %s is refused before anything is looked at', async (origin) => {
    const reader = newReader(t);
    await signIn(reader);
    // The token is right: nothing but the origin is wrong.
    await reader.get('/app/login');
    const sent = t.mails.length;
    for (const [path, fields] of forms('forged@example.org')) {
      expect([path, (await reader.post(path, fields, { origin })).status]).toEqual([path, 403]);
    }
    expect(t.mails.length).toBe(sent);
    expect(await isSignedIn(reader)).toBe(true);
  });

  test('without its token, with that of another browser, or with that of before signing in is refused', async () => {
    const other = newReader(t);
    await other.get('/app/login');
    const reader = newReader(t);
    await reader.get('/app/login');
    const before = reader.form_token();
    await signIn(reader);
    await reader.get('/app/login');
    for (const form_token of [null, '', 'x', other.form_token(), before]) {
      for (const [path, fields] of forms('forged@example.org')) {
        expect([path, (await reader.post(path, fields, { form_token })).status]).toEqual([path, 403]);
      }
    }
    // Another visitor's token is not this visitor's, though neither is signed in.
    const third = newReader(t);
    await third.get('/app/login');
    const theirs = await third.post('/app/login', { email: EMAIL, how: 'code' }, { form_token: other.form_token() });
    expect(theirs.status).toBe(403);
    // A browser that was shown nothing has no cookie to go with any token: nobody is signed in to somebody else's account.
    const fresh = newReader(t);
    const email = 'attacker@example.org';
    await other.post('/app/login', { email, how: 'code' });
    const csrf = await fresh.post(
      '/app/login/code',
      { email, code: codeFor(t, email) },
      { form_token: other.form_token() },
    );
    expect([csrf.status, csrf.headers.getSetCookie()]).toEqual([403, []]);
    expect(await isSignedIn(reader)).toBe(true);
  });
});

test.each([
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/ /evil.example',
  'http:evil.example',
  'http:/evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'user@evil.example',
  '//user:pass@evil.example',
  'http://localhost@evil.example',
  'http://localhost:80@evil.example/',
  '/%0d%0aLocation:%20//evil.example',
  '/%09/evil.example',
  '/%5cevil.example',
  '%2f%2fevil.example',
  '/%2f/evil.example',
  '/..//evil.example',
  '/./\\evil.example',
  '/app/..//evil.example',
  '//evil.example\\@localhost',
  '////localhost@evil.example',
  '/\u2028/evil.example',
  '／／evil.example',
  'https:evil.example',
  '?next=//evil.example',
  '#//evil.example',
  '',
  '\0//evil.example',
])('signing in never leads to another site: next=%j', async (next) => {
  // As it stands in the address, and as a form may be made to send it.
  const reader = newReader(t);
  const by_address = await signIn(reader, next);
  const second = newReader(t);
  await second.get('/app/login');
  await second.post('/app/login', { email: EMAIL, how: 'code', next });
  const by_form = await second.post('/app/login/code', { email: EMAIL, next, code: codeFor(t, EMAIL) });
  const signed_in = await second.get(`/app/login?next=${encodeURIComponent(next)}`);
  const linked = /class="button main" href="([^"]*)"/.exec(signed_in.text)?.[1] ?? 'none';
  for (const to of [by_address.location ?? 'none', by_form.location ?? 'none', linked]) {
    expect(to).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
    expect(new URL(to, 'http://localhost/app/login').origin).toBe('http://localhost');
  }
});
