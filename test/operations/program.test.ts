// Programs that a person lets in: what their tokens open and when they end, what a code and a refresh token are worth the second time,
// and what comes of each way in which a request, a code or a token is somebody else's.

import { beforeAll, describe, expect, test } from 'bun:test';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { SIGNUP_SCOPES } from '../../src/domain/identity/scope.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/domain/time.ts';
import { eventWords } from '../../src/domain/words/events.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import {
  askingPath,
  askTokens,
  broughtBack,
  connectProgram,
  decideOn,
  newVerifier,
  REDIRECT,
  registerProgram,
  signedInReader,
} from '../support/programs.ts';
import { newReader, type Reader } from '../support/reader.ts';
import { readStoredRows } from '../support/store.ts';
import type { TestAnswer } from '../support/testbed.ts';

const BASE = 'http://localhost';

const t = sharedService();
let ada: TestAgent;
let reader: Reader;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada' });
  reader = await signedInReader(t, ada.email);
});

const self = (token: string): Promise<TestAnswer> => t.call('GET', '/api/auth/key', { token });
const outcome = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? 'given'}`;
const programs = async (): Promise<Readonly<Record<string, unknown>>[]> =>
  (await t.call('GET', '/api/account/programs', { token: await signIn(t, ada.email) })).body;

/** A code of ada's consent, and all that is needed to trade it. */
async function newCode(asked: Record<string, string | null> = {}, client?: string) {
  const client_id = client ?? (await registerProgram(t));
  const { code_verifier, code_challenge } = newVerifier();
  const shown = await decideOn(reader, askingPath({ client_id, code_challenge, ...asked }));
  const { code = '' } = broughtBack(shown);
  return { shown, fields: { grant_type: 'authorization_code', client_id, code, code_verifier } };
}

describe('a program that was let in', () => {
  test('is listed with its last call', async () => {
    const { access_token, id } = await connectProgram(t, reader, { asked: { scope: 'agents:read' } });
    const listed = async () => (await programs()).find((each) => each['id'] === id);
    expect(await listed()).toMatchObject({ last_call: null });
    await self(access_token);
    await t.call('POST', '/api/agents', { token: access_token, body: { handle: 'more', display_name: 'More' } });
    const at = new Date(t.clock.now()).toISOString();
    expect(await listed()).toMatchObject({ last_call: { operation: 'agent.create', status: 403, at } });
  });

  test('shares the log of requests with keys alone: what its person calls is not logged', async () => {
    const token = await signIn(t, ada.email);
    const { sid } = decodeJwt(token);
    expect((await self(token)).status).toBe(200);
    expect(t.service.world.requests.of(String(sid), t.clock.now())).toEqual([]);
  });

  test('gets an access token of an hour that an outside library verifies, and acts as its agent', async () => {
    const { answer, access_token, client_id } = await connectProgram(t, reader, {
      asked: { scope: 'messages:write agents:read' },
      chosen: { agent: 'ada', days: '30' },
    });
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'agents:read messages:write',
      refresh_token: expect.any(String),
    });
    expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    const keys = (await t.call('GET', '/.well-known/jwks.json')).body;
    const checked = { issuer: BASE, audience: BASE, typ: 'at+jwt', currentDate: new Date(t.clock.now()) };
    const { payload } = await jwtVerify(access_token, createLocalJWKSet(keys), checked);
    expect(payload).toMatchObject({ client_id, scope: 'agents:read messages:write' });
    expect((await self(access_token)).body).toMatchObject({
      handle: 'ada',
      scopes: ['agents:read', 'messages:write'],
      kind: 'access_token',
    });
    const lacking = await t.call('POST', '/api/developer/webhooks', { token: access_token, body: {} });
    expect([lacking.status, lacking.body.required_scope]).toEqual([403, 'webhooks:write']);
    await t.advance(HOUR_MS);
    expect((await self(access_token)).status).toBe(401);
  });

  test('is told of by mail to its person, with its name, as whom it acts and until when', async () => {
    await connectProgram(t, reader, { chosen: { agent: 'ada', days: '30' } });
    const letter = t.mails.findLast(({ subject }) => subject.includes('program was let into'));
    expect(letter?.to).toBe(ada.email);
    const ends = eventWords().figures.day(t.clock.now() + 30 * 24 * HOUR_MS);
    expect(letter?.text).toContain('A test program');
    expect(letter?.text).toContain(`It acts as @ada, until ${ends} at the latest.`);
  });

  test('is brought back with the state as it was sent, and told who answers', async () => {
    const { shown } = await newCode({ redirect_uri: 'http://127.0.0.1:49152/callback' });
    expect(shown.status).toBe(303);
    expect(shown.location).toStartWith('http://127.0.0.1:49152/callback?code=');
    expect(broughtBack(shown)).toMatchObject({ state: 'a state & more', iss: BASE });
    const { client_id } = await connectProgram(t, reader);
    const { code_challenge } = newVerifier();
    const denied = await decideOn(reader, askingPath({ client_id, code_challenge }), 'deny');
    expect(broughtBack(denied)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'a state & more',
      iss: BASE,
    });
  });

  test('is refused where only a session gets in, as a key is', async () => {
    const { access_token: token } = await connectProgram(t, reader);
    for (const [method, path] of [
      ['GET', '/api/developer/keys'],
      ['GET', '/api/account/programs'],
      ['GET', '/api/wallet/'],
      ['POST', '/api/wallet/withdraw'],
      ['DELETE', '/api/account'],
    ] as const) {
      const refused = await t.call(method, path, { token });
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, 'session_required']);
    }
    const renew = await t.call('POST', '/api/auth/key/renew', { token });
    expect([renew.status, renew.body.error]).toEqual([400, 'session_not_renewable']);
    expect(outcome(await t.call('GET', '/api/admin/agents', { token }))).toMatch(/^40[34]/);
  });

  test('works at the address that it asked for, and nowhere else', async () => {
    const { access_token } = await connectProgram(t, reader, { asked: { resource: `${BASE}/mcp` } });
    expect((await self(access_token)).status).toBe(401);
    const whole = await connectProgram(t, reader);
    const narrowed = await whole.refresh(whole.refresh_token, { resource: `${BASE}/a2a/rpc` });
    expect([narrowed.status, (await self(narrowed.body.access_token)).status]).toEqual([200, 401]);
    const wide = await connectProgram(t, reader, { asked: { resource: `${BASE}/mcp` } });
    for (const resource of [BASE, `${BASE}/a2a/rpc`, 'https://elsewhere.example/mcp', 'mcp', `${BASE}/mcp/..`]) {
      expect([resource, outcome(await wide.refresh(wide.refresh_token, { resource }))]).toEqual([
        resource,
        '400 invalid_target',
      ]);
    }
  });

  test('is listed, and thrown out at once by its person and by nobody else', async () => {
    const { client_id, access_token, refresh, refresh_token } = await connectProgram(t, reader, {
      chosen: { agent: 'ada', days: '1' },
    });
    const [first] = await programs();
    expect(first).toEqual({
      id: expect.any(String),
      name: 'A test program',
      host: null,
      client_id,
      agent_handle: 'ada',
      scopes: [...SIGNUP_SCOPES],
      resource: BASE,
      created_at: new Date(t.clock.now()).toISOString(),
      last_used_at: new Date(t.clock.now()).toISOString(),
      last_call: null,
      expires_at: new Date(t.clock.now() + DAY_MS).toISOString(),
    });
    const grace = await newAgent(t, { handle: 'grace' });
    const path = `/api/account/programs/${first?.['id']}`;
    expect((await t.call('DELETE', path, { token: grace.token })).status).toBe(404);
    expect((await self(access_token)).status).toBe(200);
    expect((await t.call('DELETE', path, { token: await signIn(t, ada.email) })).body).toEqual({
      id: first?.['id'],
      revoked: true,
    });
    expect((await self(access_token)).status).toBe(401);
    expect(outcome(await refresh(refresh_token))).toBe('400 invalid_grant');
    expect((await programs()).map((program) => program['client_id'])).not.toContain(client_id);
    expect((await t.call('DELETE', path, { token: await signIn(t, ada.email) })).status).toBe(404);
  });

  test('acts as the agent that was chosen and as no other, or as any where none was', async () => {
    const { email } = await newAgent(t, { handle: 'first_of_two' });
    await newAgent(t, { handle: 'second_of_two', email });
    const owner = await signedInReader(t, email);
    const bound = await connectProgram(t, owner, { chosen: { agent: 'first_of_two' } });
    const free = await connectProgram(t, owner);
    const acts = (token: string, agent: string): Promise<TestAnswer> => t.call('GET', '/api/inbox', { token, agent });
    expect((await acts(bound.access_token, 'first_of_two')).status).toBe(200);
    expect((await acts(bound.access_token, 'second_of_two')).status).toBe(404);
    for (const agent of ['first_of_two', 'second_of_two']) {
      expect((await acts(free.access_token, agent)).status).toBe(200);
    }
    expect((await acts(free.access_token, 'ada')).status).toBe(404);
  });

  test('ends on the day that its person chose', async () => {
    const { refresh_token, refresh } = await connectProgram(t, reader, { chosen: { days: '1' } });
    await t.advance(DAY_MS - 600 * SECOND_MS);
    const late = await refresh(refresh_token);
    expect([late.status, late.body.expires_in]).toEqual([200, 600]);
    await t.advance(600 * SECOND_MS);
    expect((await self(late.body.access_token)).status).toBe(401);
    expect(outcome(await refresh(late.body.refresh_token))).toBe('400 invalid_grant');
  });

  test('gives up what it has by either of its tokens', async () => {
    const form = (fields: Record<string, string>) => ({
      raw: { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(fields).toString() },
    });
    for (const which of ['access_token', 'refresh_token'] as const) {
      const program = await connectProgram(t, reader);
      const token = program[which];
      const foreign = await t.call('POST', '/oauth/revoke', form({ token, client_id: 'another' }));
      expect(outcome(foreign)).toBe('400 invalid_grant');
      expect((await self(program.access_token)).status).toBe(200);
      const given = await t.call('POST', '/oauth/revoke', form({ token, client_id: program.client_id }));
      expect([given.status, given.body]).toEqual([200, {}]);
      expect((await self(program.access_token)).status).toBe(401);
      expect(outcome(await program.refresh(program.refresh_token))).toBe('400 invalid_grant');
      expect((await t.call('POST', '/oauth/revoke', form({ token }))).status).toBe(200);
    }
    expect((await t.call('POST', '/oauth/revoke', form({ token: 'nothing' }))).status).toBe(200);
    const session = await signIn(t, ada.email);
    expect(outcome(await t.call('POST', '/oauth/revoke', form({ token: session })))).toBe('400 unsupported_token_type');
  });
});

describe('a code', () => {
  test('is traded once; a second time ends what came of it', async () => {
    const { fields } = await newCode();
    const first = await askTokens(t, fields);
    expect([first.status, (await self(first.body.access_token)).status]).toEqual([200, 200]);
    expect(outcome(await askTokens(t, fields))).toBe('400 invalid_grant');
    expect((await self(first.body.access_token)).status).toBe(401);
    const { refresh_token } = first.body;
    const after = { grant_type: 'refresh_token', client_id: fields.client_id, refresh_token };
    expect(outcome(await askTokens(t, after))).toBe('400 invalid_grant');
  });

  test('is good for a minute', async () => {
    const [late, timely] = [await newCode(), await newCode()];
    await t.advance(60 * SECOND_MS - 1);
    expect((await askTokens(t, timely.fields)).status).toBe(200);
    await t.advance(1);
    expect(outcome(await askTokens(t, late.fields))).toBe('400 invalid_grant');
  });

  test('is worth nothing to another program, without its verifier, or sent elsewhere, and nothing after', async () => {
    const another = await registerProgram(t);
    const wrongs: Record<string, string>[] = [
      { client_id: another },
      { code_verifier: newVerifier().code_verifier },
      { code_verifier: 'short' },
      { redirect_uri: 'http://127.0.0.1/elsewhere' },
    ];
    for (const wrong of wrongs) {
      const { fields } = await newCode();
      expect(outcome(await askTokens(t, { ...fields, ...wrong }))).toBe('400 invalid_grant');
      expect(outcome(await askTokens(t, fields))).toBe('400 invalid_grant');
    }
    for (const left of ['code', 'code_verifier', 'client_id']) {
      const { fields } = await newCode();
      expect(outcome(await askTokens(t, { ...fields, [left]: null }))).toBe('400 invalid_request');
      expect((await askTokens(t, { ...fields, redirect_uri: REDIRECT })).status).toBe(200);
    }
  });

  test('of somebody else is not taken in the place of the own one: the verifier is of another request', async () => {
    const client_id = await registerProgram(t);
    const grace = await signedInReader(t, 'grace@example.org');
    const own = newVerifier();
    const stolen = broughtBack(
      await decideOn(grace, askingPath({ client_id, code_challenge: newVerifier().code_challenge })),
    );
    const { code_verifier } = own;
    const injected = { grant_type: 'authorization_code', client_id, code: stolen['code'] ?? '', code_verifier };
    expect(outcome(await askTokens(t, injected))).toBe('400 invalid_grant');
  });

  test('is stored nowhere as it is, nor is a refresh token', async () => {
    const { fields } = await newCode();
    const { refresh_token } = (await askTokens(t, fields)).body;
    const { data_dir } = t.service.world.settings;
    const rows = JSON.stringify(await readStoredRows(data_dir, 'select * from oauth_grants'));
    expect(rows).toContain(fields.client_id);
    for (const secret of [fields.code, refresh_token]) expect(rows).not.toContain(secret.split('.').at(-1));
  });
});

describe('a refresh token', () => {
  test('is replaced, and for five minutes after answered with the same successor', async () => {
    const { refresh, refresh_token } = await connectProgram(t, reader);
    const [next, again] = [await refresh(refresh_token), await refresh(refresh_token)];
    expect(next.body.refresh_token).not.toBe(refresh_token);
    expect(again.body.refresh_token).toBe(next.body.refresh_token);
    await t.advance(300 * SECOND_MS - 1);
    expect((await refresh(refresh_token)).body.refresh_token).toBe(next.body.refresh_token);
    expect((await self(again.body.access_token)).status).toBe(200);
    expect((await refresh(next.body.refresh_token)).status).toBe(200);
  });

  test('that is older than the one just replaced ends the grant at once', async () => {
    const { refresh, refresh_token } = await connectProgram(t, reader);
    const next = (await refresh(refresh_token)).body;
    await refresh(next.refresh_token);
    expect(outcome(await refresh(refresh_token))).toBe('400 invalid_grant');
    expect((await self(next.access_token)).status).toBe(401);
  });

  test('that was replaced five minutes ago ends the grant for whoever holds it, and its person reads why', async () => {
    const { refresh, refresh_token } = await connectProgram(t, reader);
    const next = (await refresh(refresh_token)).body;
    await t.advance(300 * SECOND_MS);
    const sent = t.mails.length;
    expect(outcome(await refresh(refresh_token))).toBe('400 invalid_grant');
    const [letter, ...others] = t.mails.slice(sent);
    expect([letter?.to, letter?.subject, others]).toEqual([ada.email, expect.stringContaining('disconnected'), []]);
    expect(letter?.text).toContain('A test program');
    expect((await self(next.access_token)).status).toBe(401);
    expect(outcome(await refresh(next.refresh_token))).toBe('400 invalid_grant');
  });

  test('that comes from another program ends the grant, and one that was never given ends nothing', async () => {
    const { refresh, refresh_token, access_token } = await connectProgram(t, reader);
    const [id = '', n = '', seal = ''] = refresh_token.split('.');
    const forged = [`${id}.${n}.${'A'.repeat(43)}`, `${id}.${Number(n) + 1}.${seal}`, `${id}.${seal}`, `${n}.${id}`];
    for (const token of forged) expect(outcome(await refresh(token))).toBe('400 invalid_grant');
    expect((await self(access_token)).status).toBe(200);
    expect(outcome(await refresh(refresh_token, { client_id: 'another' }))).toBe('400 invalid_grant');
    expect((await self(access_token)).status).toBe(401);
  });

  test('gives no more scopes than were granted, and fewer where fewer are asked for', async () => {
    const asked = { scope: 'agents:read messages:write' };
    const { refresh, refresh_token } = await connectProgram(t, reader, { asked });
    for (const scope of ['agents:read agents:write', 'payments:write']) {
      expect(outcome(await refresh(refresh_token, { scope }))).toBe('400 invalid_scope');
    }
    const fewer = await refresh(refresh_token, { scope: 'agents:read openid' });
    expect([fewer.status, fewer.body.scope]).toEqual([200, 'agents:read']);
    expect((await self(fewer.body.access_token)).body.scopes).toEqual(['agents:read']);
    const all = await refresh(fewer.body.refresh_token);
    expect(all.body.scope).toBe('agents:read messages:write');
  });

  test('asked for by many at once is replaced once', async () => {
    const { refresh, refresh_token } = await connectProgram(t, reader);
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  });
});

describe('a request that cannot be granted', () => {
  test('leads nowhere until the program and the place of the answer are known', async () => {
    const client_id = await registerProgram(t);
    const { code_challenge } = newVerifier();
    const repeated = `${askingPath({ client_id, code_challenge })}&redirect_uri=https%3A%2F%2Fevil.example`;
    for (const path of [
      askingPath({ client_id: Bun.randomUUIDv7(), code_challenge }),
      askingPath({ client_id: null, code_challenge }),
      askingPath({ client_id, code_challenge, redirect_uri: null }),
      askingPath({ client_id, code_challenge, redirect_uri: 'https://evil.example/callback' }),
      askingPath({ client_id, code_challenge, redirect_uri: 'http://127.0.0.1/callback/' }),
      askingPath({ client_id, code_challenge, redirect_uri: 'http://127.0.0.1/callback?a=b' }),
      askingPath({ client_id, code_challenge, redirect_uri: 'http://127.0.0.1:80@evil.example/callback' }),
      askingPath({ client_id, code_challenge, redirect_uri: 'http://127.0.0.1.evil.example/callback' }),
      askingPath({ client_id, code_challenge, redirect_uri: 'http://localhost/callback' }),
      askingPath({ client_id, code_challenge, redirect_uri: 'https://127.0.0.1/callback' }),
      askingPath({ client_id, code_challenge, redirect_uri: 'http://127.0.0.1:99999/callback' }),
      askingPath({ client_id, code_challenge, redirect_uri: 'javascript:alert(1)//127.0.0.1/callback' }),
      repeated,
      askingPath({ client_id, code_challenge, state: 'x'.repeat(9000) }),
      '/oauth/authorize',
    ]) {
      for (const shown of [await reader.get(path), await reader.post(path, { decision: 'allow' })]) {
        expect([path, shown.status, shown.location]).toEqual([path, 400, null]);
      }
    }
  });

  test('is told to the program, by its error and with iss and state', async () => {
    const client_id = await registerProgram(t);
    const { code_challenge } = newVerifier();
    const told: [fields: Record<string, string | null>, error: string][] = [
      [{ response_type: null }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge: null }, 'invalid_request'],
      [{ code_challenge_method: null }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
      [{ request: 'a.b.c' }, 'request_not_supported'],
      [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
      [{ scope: 'agents:read payments:write' }, 'invalid_scope'],
    ];
    for (const [fields, error] of told) {
      const path = askingPath({ client_id, code_challenge, ...fields });
      const shown = await decideOn(reader, path, 'deny');
      const back = broughtBack(shown);
      expect([fields, shown.status, back['error'], back['state'], back['iss'], back['code']]).toEqual([
        fields,
        303,
        error,
        'a state & more',
        BASE,
        undefined,
      ]);
    }
    const twice = `${askingPath({ client_id, code_challenge, state: null })}&state=a&state=b`;
    const back = broughtBack(await decideOn(reader, twice, 'deny'));
    expect([back['error'], back['state']]).toEqual(['invalid_request', undefined]);
  });

  test('leads to the program by a button alone, which says where: anybody can have registered it', async () => {
    const client_id = await registerProgram(t, ['https://evil.example/callback']);
    const { code_challenge } = newVerifier();
    const asked = { client_id, code_challenge, redirect_uri: 'https://evil.example/callback', scope: 'payments:write' };
    const path = askingPath(asked);
    const shown = await reader.get(path);
    expect([shown.status, shown.location]).toEqual([200, null]);
    expect(shown.text).toContain('that leads you to evil.example.');
    expect(shown.text).not.toContain('https://evil.example');
    expect((await reader.get(`${path}&decision=deny`)).location).toBeNull();
    for (const decision of ['deny', 'allow'] as const) {
      const back = await decideOn(reader, path, decision);
      expect([back.status, broughtBack(back)['error'], broughtBack(back)['code']]).toEqual([
        303,
        'invalid_scope',
        undefined,
      ]);
    }
  });
});

describe('consent', () => {
  test('is asked of whoever is signed in, and of nobody else', async () => {
    const client_id = await registerProgram(t);
    const { code_challenge } = newVerifier();
    const path = askingPath({ client_id, code_challenge });
    const stranger = newReader(t);
    const shown = await stranger.get(path);
    expect([shown.status, shown.location]).toEqual([303, `/app/login?next=${encodeURIComponent(path)}`]);
  });

  test('shows who asks, what for, where the answer goes and until when, and lets no name pass for markup', async () => {
    const body = { client_name: '<b>Your bank</b>\u202e', redirect_uris: ['https://bank.example/back'] };
    const { client_id } = (await t.call('POST', '/oauth/register', { body })).body;
    const { code_challenge } = newVerifier();
    const redirect_uri = 'https://bank.example/back';
    const shown = await reader.get(askingPath({ client_id, code_challenge, redirect_uri, scope: 'agents:read' }));
    expect(shown.text).toContain('&lt;b&gt;Your bank&lt;/b&gt;');
    expect(shown.text).not.toContain('<b>');
    expect(shown.text).not.toContain('\u202e');
    for (const part of ['nobody vouches', 'bank.example', 'Read your agents', '@ada', '90 days', 'ada@example.org']) {
      expect(shown.text).toContain(part);
    }
    expect(shown.text).not.toContain('<script');
    const policy = shown.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://bank.example;");
    expect(shown.headers.get('x-frame-options')).toBe('DENY');
  });

  test('is given by a button alone: not by looking, not by a form of another site, not without its token', async () => {
    const client_id = await registerProgram(t);
    const { code_challenge } = newVerifier();
    const path = askingPath({ client_id, code_challenge });
    const before = (await programs()).length;
    for (let n = 0; n < 2; n += 1) expect((await reader.get(path)).location).toBeNull();
    const fields = { decision: 'allow' };
    for (const posting of [
      { origin: 'https://evil.example' },
      { origin: null },
      { form_token: null },
      { form_token: 'A'.repeat(43) },
    ]) {
      const shown = await reader.post(path, fields, posting);
      expect([posting, shown.status, shown.location]).toEqual([posting, 403, null]);
    }
    const odds: Record<string, string>[] = [{}, { decision: 'yes' }];
    for (const odd of odds) {
      const shown = await reader.post(path, odd);
      expect([shown.status, shown.location]).toEqual([200, null]);
    }
    const byQuery = await reader.get(`${path}&decision=allow`);
    expect([byQuery.status, byQuery.location]).toEqual([200, null]);
    expect((await programs()).length).toBe(before);
    // One that was let in before asks again.
    await reader.post(path, fields);
    expect((await reader.get(path)).status).toBe(200);
  });

  test('is for an agent of the person, or any of them, for a number of days that is offered', async () => {
    const client_id = await registerProgram(t);
    const { code_challenge } = newVerifier();
    const path = askingPath({ client_id, code_challenge });
    await newAgent(t, { handle: 'not_hers' });
    for (const fields of [{ agent: 'not_hers' }, { agent: 'nobody_at_all' }]) {
      const shown = await decideOn(reader, path, 'allow', fields);
      expect([shown.status, shown.location]).toEqual([404, null]);
    }
    for (const days of ['3650', '0', 'many']) {
      const shown = await decideOn(reader, path, 'allow', { days });
      expect([days, shown.status, shown.location]).toEqual([days, 400, null]);
    }
  });
});

describe('a registration', () => {
  test('is answered with an id and no secret, whatever was asked for', async () => {
    const body = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_basic', scope: 'all' };
    const made = await t.call('POST', '/oauth/register', { body });
    expect([made.status, made.body]).toEqual([
      201,
      {
        client_id: expect.any(String),
        client_id_issued_at: Math.floor(t.clock.now() / 1000),
        client_name: 'A program without a name',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ]);
  });

  test('names addresses to which people can be sent, and nothing else', async () => {
    const ask = (body: unknown): Promise<TestAnswer> => t.call('POST', '/oauth/register', { body });
    for (const uri of [
      'http://elsewhere.example/callback',
      'javascript:alert(1)',
      'data:text/html,hello',
      'file:///etc/passwd',
      'myapp:callback',
      'https://user:word@elsewhere.example/',
      'https://elsewhere.example/#fragment',
      'https://elsewhere.example\\@evil.example/',
      '/callback',
      'http://localhost.evil.example/',
      'http://127.0.0.1@evil.example/',
      '',
    ]) {
      const refused = await ask({ redirect_uris: [uri] });
      expect([uri, refused.status, refused.body.error]).toEqual([uri, 400, 'invalid_redirect_uri']);
      expect(refused.body.error_description).toBeString();
    }
    for (const body of [{}, { redirect_uris: [] }]) expect(outcome(await ask(body))).toBe('400 invalid_redirect_uri');
    expect(outcome(await ask({ redirect_uris: [REDIRECT], grant_types: ['implicit'] }))).toBe(
      '400 invalid_client_metadata',
    );
    for (const uri of ['com.example.app:/callback', 'cursor://anysphere.cursor-mcp/oauth/callback', 'http://[::1]/a']) {
      expect([uri, (await ask({ redirect_uris: [uri] })).status]).toEqual([uri, 201]);
    }
  });

  test('is forgotten after a day unless a person let the program in', async () => {
    const { code_challenge } = newVerifier();
    const [unused, used] = [await registerProgram(t), await registerProgram(t)];
    await decideOn(reader, askingPath({ client_id: used, code_challenge }));
    await t.advance(DAY_MS);
    const later = await signedInReader(t, ada.email);
    expect((await later.get(askingPath({ client_id: unused, code_challenge }))).status).toBe(400);
    expect((await later.get(askingPath({ client_id: used, code_challenge }))).status).toBe(200);
  });

  test('is bounded by network', async () => {
    const ask = (ip: string): Promise<TestAnswer> =>
      t.call('POST', '/oauth/register', { ip, body: { redirect_uris: [REDIRECT] } });
    const answers = await Promise.all(Array.from({ length: 101 }, (_, n) => ask(`203.0.113.${n}`)));
    expect(answers.filter(({ status }) => status === 201).length).toBe(100);
    const refused = await ask('203.0.113.200');
    expect([refused.status, refused.body.error, refused.headers.has('retry-after')]).toEqual([
      429,
      'rate_limited',
      true,
    ]);
    expect((await ask('198.51.100.1')).status).toBe(201);
  });
});
