// The device grant from both sides: the program that polls, and the person who types its code, on the page and by call; and who tries
// codes that are not theirs.
import { beforeAll, describe, expect, test } from 'bun:test';
import { mintUserCode, parseUserCode, shownUserCode } from '../../src/domain/identity/grant.ts';
import { SIGNUP_SCOPES } from '../../src/domain/identity/scope.ts';
import { rightsList } from '../../src/transports/pages/device.ts';
import { ENGLISH } from '../../src/transports/pages/words.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { newReader, type Reader, signInOn } from '../support/reader.ts';
import { openTestService, type TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada' });
});

interface Begun {
  readonly device_code: string;
  readonly user_code: string;
}
const begin = async (client_name?: string): Promise<Begun> =>
  (await t.call('POST', '/api/auth/device/code', { body: { client_name } })).body;
const poll = ({ device_code }: Begun): Promise<TestAnswer> =>
  t.call('POST', '/api/auth/device/token', { body: { device_code } });
const outcome = async (begun: Begun): Promise<string> => (await poll(begun)).body.error ?? 'a key';
const approve = ({ user_code }: Pick<Begun, 'user_code'>, more: object = {}, asked: object = { token: ada.token }) =>
  t.call('POST', '/api/auth/device/approve', { ...asked, body: { user_code, approve: true, ...more } });

describe('a user code', () => {
  test('is eight letters that make no words and are not taken for one another', () => {
    for (let at = 0; at < 200; at++) {
      const code = shownUserCode(mintUserCode(crypto.getRandomValues(new Uint8Array(16))));
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    }
    expect(() => mintUserCode(new Uint8Array(15))).toThrow();
  });

  test.each([
    ['wdjb-mjht', 'WDJBMJHT'],
    [' WDJB MJHT ', 'WDJBMJHT'],
    ['w-d-j-b-m-j-h-t', 'WDJBMJHT'],
    ['WDJB-MJH', null],
    ['WDJB-MJHTT', null],
    ['WDJA-MJHT', null],
    ['WDJB_MJHT', null],
    ['', null],
  ])('%j is read as %j', (typed, code) => {
    expect(parseUserCode(typed)).toBe(code);
  });
});

test('every right has words of its own for a person', () => {
  const { scopes } = ENGLISH.words.programs;
  expect(new Set(SIGNUP_SCOPES.map((scope) => scopes[scope])).size).toBe(SIGNUP_SCOPES.length);
  expect(rightsList(['nothing:real'], ENGLISH.words).text).not.toContain('<li>');
});

describe('a device grant', () => {
  test('is begun, waited for, approved, and brings its key once', async () => {
    const begun = await t.call('POST', '/api/auth/device/code', { body: { client_name: 'A terminal' } });
    expect(begun.body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri: 'http://localhost/app/device',
      expires_in: 900,
      interval: 5,
    });
    const first = await poll(begun.body);
    expect([first.status, first.body]).toEqual([
      200,
      { error: 'authorization_pending', message: expect.stringContaining('There is no decision yet') },
    ]);
    expect((await approve(begun.body)).body).toEqual({ approved: true, client_name: 'A terminal' });
    // Its person learns of it, in case it was somebody else who sat there.
    await t.rest();
    const letter = t.mails.findLast(({ to, subject }) => to === ada.email && subject.includes('program was let into'));
    for (const said of ['A terminal', 'acts as any of your agents', 'http://localhost/app/keys'])
      expect(letter?.text).toContain(said);
    const got = await poll(begun.body);
    expect([got.status, got.body.scopes]).toEqual([200, [...SIGNUP_SCOPES]]);
    expect((await t.call('GET', '/api/agents/ada', { key: got.body.api_key })).status).toBe(200);
    const keys = await t.call('GET', '/api/developer/keys', { token: ada.token });
    expect(keys.body.map(({ name }: { name: string }) => name)).toContain('A terminal');
    expect(await outcome(begun.body)).toBe('expired_token');
    expect((await approve(begun.body)).status).toBe(404);
  });

  test('brings its key to one of many who poll at once', async () => {
    const begun = await begin();
    await approve(begun);
    const ends = await Promise.all(Array.from({ length: 6 }, () => outcome(begun)));
    expect(ends.toSorted()).toEqual(['a key', ...Array.from({ length: 5 }, () => 'expired_token')]);
  });

  test('slows down who polls too fast, by five seconds each time', async () => {
    const begun = await begin();
    expect(await outcome(begun)).toBe('authorization_pending');
    await t.advance(4_999);
    expect(await outcome(begun)).toBe('slow_down');
    await t.advance(9_999);
    expect(await outcome(begun)).toBe('slow_down');
    await t.advance(14_999);
    expect(await outcome(begun)).toBe('slow_down');
    await t.advance(20_000);
    expect(await outcome(begun)).toBe('authorization_pending');
    await t.advance(20_000);
    expect(await outcome(begun)).toBe('authorization_pending');
  });

  test('that was refused stays refused', async () => {
    const begun = await begin();
    const written = t.mails.length;
    expect((await approve(begun, { approve: false })).body.approved).toBe(false);
    await t.rest();
    expect(t.mails.length).toBe(written);
    expect([await outcome(begun), await outcome(begun)]).toEqual(['access_denied', 'access_denied']);
    expect((await approve(begun)).status).toBe(404);
  });

  test('ends after fifteen minutes, for both sides', async () => {
    const [begun, waiting] = [await begin(), await begin()];
    await t.advance(899_999);
    ada = { ...ada, token: await signIn(t, ada.email) };
    expect((await approve(waiting)).status).toBe(200);
    await t.advance(1);
    expect((await approve(begun)).status).toBe(404);
    expect([await outcome(begun), await outcome(waiting)]).toEqual(['expired_token', 'expired_token']);
    expect(await outcome({ device_code: 'never given out', user_code: '' })).toBe('expired_token');
  });

  test('is decided by one of two, and by a signed-in person alone', async () => {
    const begun = await begin();
    const other = await newAgent(t, { handle: 'eve' });
    expect((await approve(begun, {}, { key: ada.key })).body.error).toBe('session_required');
    expect((await approve(begun, {}, {})).status).toBe(401);
    const both = await Promise.all([approve(begun), approve(begun, { approve: false }, { token: other.token })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  test('may be bound to one agent of the account, and to nobody else', async () => {
    const begun = await begin();
    expect((await approve(begun, { agent_handle: 'eve' })).status).toBe(404);
    expect((await approve(begun, { agent_handle: 'ada' })).status).toBe(200);
    const { body } = await poll(begun);
    expect((await t.call('GET', '/api/auth/key', { key: body.api_key })).body.handle).toBe('ada');
  });

  test('names its agent as people write it', async () => {
    const begun = await begin();
    expect((await approve(begun, { agent_handle: '@ADA' })).status).toBe(200);
    const { api_key } = (await poll(begun)).body;
    expect((await t.call('GET', '/api/auth/key', { key: api_key })).body.handle).toBe('ada');
  });

  test('that was approved and not fetched ends with all that lets somebody in', async () => {
    const eve = await newAgent(t, { handle: 'worried_eve' });
    const token = await signIn(t, eve.email);
    const begun = await begin();
    expect((await approve(begun, {}, { token })).status).toBe(200);
    expect((await t.call('POST', '/api/account/revoke-all', { token })).status).toBe(200);
    expect(await outcome(begun)).toBe('access_denied');
    await t.advance(1_000);
    // What is approved afterwards is not.
    const again = await begin();
    await approve(again, {}, { token: await signIn(t, eve.email) });
    expect(await outcome(again)).toBe('a key');
  });

  test('in the terms of OAuth asks for scopes', async () => {
    const form = (text: string) => ({ raw: { type: 'application/x-www-form-urlencoded', text } });
    const path = '/oauth/device_authorization';
    const { status, body } = await t.call('POST', path, form('client_id=cli&scope=agents:read%20messages:write'));
    expect([status, body.interval, Object.keys(body)]).toEqual([
      200,
      5,
      ['device_code', 'user_code', 'verification_uri', 'expires_in', 'interval'],
    ]);
    await approve(body);
    expect((await poll(body)).body.scopes).toEqual(['agents:read', 'messages:write']);
    const wrong = await t.call('POST', path, form('client_id=cli&scope=payments:write'));
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_scope']);
    const ignored = await t.call('POST', path, form('client_id=cli&scope=openid%20agents:read'));
    await approve(ignored.body);
    expect((await poll(ignored.body)).body.scopes).toEqual(['agents:read']);
    const client = { client_name: 'Ada’s terminal', redirect_uris: ['http://127.0.0.1/callback'] };
    const { client_id } = (await t.call('POST', '/oauth/register', { body: client })).body;
    const known = await t.call('POST', path, form(`client_id=${client_id}`));
    expect((await approve(known.body)).body.client_name).toBe('Ada’s terminal');
    expect((await t.call('POST', path, form('scope=agents:read'))).body.error).toBe('invalid_request');
  });

  test('keeps neither code as it is', async () => {
    const begun = await begin('secretive');
    const { store } = t.service.world;
    const { codeById } = await import('../../db/queries/identity.ts');
    for (const id of [`device:${begun.device_code}`, `user_code:${begun.user_code}`]) {
      expect(await store.read(codeById, { id })).toBeNull();
    }
  });
});

describe('whoever tries codes', () => {
  test('is stopped by account and by address, also before a right one', async () => {
    const limited = await openTestService({ rate_limits: true });
    const eve = await newAgent(limited, { handle: 'eve' });
    const { user_code } = (await limited.call('POST', '/api/auth/device/code', { body: {}, ip: '192.0.2.1' })).body;
    const guess = (code: string, token: string, ip: string, path = 'approve') =>
      limited.call('POST', `/api/auth/device/${path}`, { token, ip, body: { user_code: code, approve: true } });
    for (let at = 0; at < 30; at++) {
      const path = at % 2 === 0 ? 'approve' : 'look';
      expect((await guess('BBBB-BBBB', eve.token, `198.51.${at}.7`, path)).status).toBe(404);
    }
    const right = await guess(user_code, eve.token, '203.0.113.7');
    expect([right.status, right.headers.has('retry-after')]).toEqual([429, true]);
    // From one address, by however many accounts.
    for (let at = 0; at < 60; at++) {
      if (at % 30 === 0) ada = { ...ada, token: (await newAgent(limited, { handle: `eve_${at}` })).token };
      expect((await guess('CCCC-CCCC', ada.token, '198.18.0.1')).status).toBe(404);
    }
    const mallory = await newAgent(limited, { handle: 'mallory' });
    expect((await guess(user_code, mallory.token, '198.18.0.1')).status).toBe(429);
    expect((await guess(user_code, mallory.token, '198.19.0.1')).status).toBe(200);
    await limited.close();
  });
});

describe('the page', () => {
  const NAME = `<script>alert(1)</script>"'><b>Bank`;
  const open = async (): Promise<Reader> => {
    const reader = newReader(t);
    await signInOn(t, reader, ada.email);
    return reader;
  };

  test('asks who is there, and comes back', async () => {
    const reader = newReader(t);
    const asked = await reader.get('/app/device');
    expect([asked.status, asked.location]).toEqual([303, '/app/login?next=%2Fapp%2Fdevice']);
    expect((await signInOn(t, reader, ada.email, '/app/device')).location).toBe('/app/device');
    expect((await reader.get('/app/device')).text).toContain('Type the code that your program shows');
  });

  test('shows who asks, what for, and as whom, and lets nothing in without its button', async () => {
    const reader = await open();
    const begun = await begin(NAME);
    // No address with the code in it shows or decides anything.
    const led = await reader.get(`/app/device?user_code=${begun.user_code}&step=approve`);
    expect(led.text).not.toContain(begun.user_code);
    const consent = await reader.post('/app/device', { user_code: begun.user_code.toLowerCase(), step: 'look' });
    expect(consent.status).toBe(200);
    expect(consent.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;b&gt;Bank');
    expect(consent.text).not.toContain('<script>');
    const { scopes } = ENGLISH.words.programs;
    for (const scope of SIGNUP_SCOPES) expect(consent.text).toContain(`<li>${scopes[scope]}</li>`);
    expect(consent.text).toContain('@ada');
    expect(await outcome(begun)).toBe('authorization_pending');
    for (const origin of [null, 'null', 'https://evil.example']) {
      const forged = await reader.post('/app/device', { user_code: begun.user_code, step: 'approve' }, { origin });
      expect(forged.status).toBe(403);
    }
    const done = await reader.post('/app/device', { user_code: begun.user_code, step: 'approve' });
    expect(done.text).toContain('It is in');
    await t.advance(5_000);
    expect(await outcome(begun)).toBe('a key');
  });

  test('refuses too, and says of a wrong code what may be wrong', async () => {
    const reader = await open();
    const begun = await begin();
    await reader.get('/app/device');
    const wrong = await reader.post('/app/device', { user_code: '"><b>x', step: 'look' });
    expect([wrong.status, wrong.text.includes('value="&quot;&gt;&lt;b&gt;x"')]).toEqual([404, true]);
    expect((await reader.post('/app/device', { user_code: begun.user_code, step: 'deny' })).text).toContain('Refused');
    expect(await outcome(begun)).toBe('access_denied');
    await reader.post('/app/logout', {});
    const gone = await reader.post('/app/device', { user_code: begun.user_code, step: 'look' });
    expect([gone.status, gone.location]).toEqual([403, null]);
  });
});
