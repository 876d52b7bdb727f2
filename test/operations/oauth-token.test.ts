// How an agent gets an access token with its own key: what an assertion has to be, that it counts once, and that a refusal tells
// no stranger which agents there are. The client signs with the portable library; an outside library reads the token.

import { beforeAll, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { PROVISIONAL_SCOPES, SIGNUP_SCOPES } from '../../src/domain/identity/scope.ts';
import { SECOND_MS } from '../../src/domain/time.ts';
import { newAgent, newProvisional, signIn, type TestAgent } from '../support/agents.ts';
import {
  askToken,
  assertionOf,
  claimsOf,
  formWith,
  newSigner,
  registerSigner,
  type Signer,
  signText,
} from '../support/assertion.ts';
import { sharedService } from '../support/opened.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { readStoredRows } from '../support/store.ts';
import { openTestNodes } from '../support/test-nodes.ts';
import { openTestService, type TestAnswer } from '../support/testbed.ts';

const BASE_URL = 'https://mesh.example.org';

const t = sharedService({ base_url: BASE_URL });
let ada: TestAgent;
let signer: Signer;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada' });
  signer = await registerSigner(t, ada);
});

type Claims = Record<string, unknown> & { header?: object };

const ask = async (claims: Claims = {}, more: Record<string, string> = {}): Promise<TestAnswer> =>
  askToken(t, formWith(await assertionOf(t, 'ada', signer, claims), more));
const outcome = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? 'taken'}`;

describe('a sound assertion', () => {
  test('is answered with a token of an hour that an outside library verifies with the published keys', async () => {
    const { status, body, headers } = await ask({}, { scope: 'messages:write agents:read' });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'agents:read messages:write',
    });
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    const keys = (await t.call('GET', '/.well-known/jwks.json')).body;
    const { payload } = await jwtVerify(body.access_token, createLocalJWKSet(keys), {
      issuer: BASE_URL,
      audience: BASE_URL,
      typ: 'at+jwt',
      currentDate: new Date(t.clock.now()),
    });
    expect(payload).toMatchObject({ sub: ada.id, client_id: 'ada', scope: 'agents:read messages:write' });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
    expect(payload.jti).toBeString();
    expect(decodeProtectedHeader(body.access_token)).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' });
  });

  test('may be addressed to the issuer too, alone or in a list of one, and name the client beside it', async () => {
    for (const aud of [BASE_URL, `${BASE_URL}/`, [`${BASE_URL}/oauth/token`]]) {
      expect(outcome(await ask({ aud }))).toBe('200 taken');
    }
    expect(outcome(await ask({}, { client_id: 'ada' }))).toBe('200 taken');
    expect(outcome(await ask({}, { client_id: 'grace' }))).toBe('401 invalid_client');
  });

  test('gets what a signup key holds where it asks for no scope, and is told of those that it cannot have', async () => {
    expect((await ask()).body.scope).toBe(SIGNUP_SCOPES.join(' '));
    for (const scope of ['payments:write', 'agents:read nonsense', 'agents:READ']) {
      const { status, body } = await ask({}, { scope });
      expect([status, body.error]).toEqual([400, 'invalid_scope']);
      expect(body.error_description).toContain(scope.replace('agents:read ', ''));
    }
  });

  test('of an agent that nobody has claimed gets what its provisional key holds', async () => {
    const { key, agent } = await newProvisional(t, 'agent_unclaimed');
    const own = await registerSigner(t, { key });
    const answer = await askToken(t, formWith(await assertionOf(t, agent.handle, own)));
    expect(answer.body.scope).toBe(PROVISIONAL_SCOPES.join(' '));
    const more = await askToken(t, formWith(await assertionOf(t, agent.handle, own), { scope: 'listings:write' }));
    expect(outcome(more)).toBe('400 invalid_scope');
  });

  test('may name a resource of this service, and no other', async () => {
    for (const path of ['', '/', '/mcp', '/mcp/', '/a2a/rpc', '/a2a/agents/grace/', '/a2a/agents/grace']) {
      expect([path, outcome(await ask({}, { resource: `${BASE_URL}${path}` }))]).toEqual([path, '200 taken']);
    }
    const others = ['https://mesh.example.org.evil.test/mcp', `${BASE_URL}/api`, `${BASE_URL}/mcp?x=1`, 'mcp', '/mcp'];
    for (const resource of others) {
      expect([resource, outcome(await ask({}, { resource }))]).toEqual([resource, '400 invalid_target']);
    }
  });
});

describe('clocks', () => {
  const at = (): number => Math.floor(t.clock.now() / 1000);

  test('of clients may be wrong by half a minute, and an assertion is good for five at most', async () => {
    const cases: [Claims, string][] = [
      [{ exp: at() + 330 }, '200 taken'],
      [{ exp: at() + 331 }, '401 invalid_client'],
      [{ exp: at() - 29 }, '200 taken'],
      [{ exp: at() - 30 }, '401 invalid_client'],
      [{ iat: at() + 30 }, '200 taken'],
      [{ iat: at() + 31 }, '401 invalid_client'],
      [{ nbf: at() + 30 }, '200 taken'],
      [{ nbf: at() + 31 }, '401 invalid_client'],
      [{ iat: undefined }, '200 taken'],
      [{ exp: undefined }, '401 invalid_client'],
      [{ exp: '9999999999' }, '401 invalid_client'],
      [{ exp: null }, '401 invalid_client'],
      [{ iat: 'now' }, '401 invalid_client'],
    ];
    for (const [claims, expected] of cases) {
      expect([claims, outcome(await ask(claims))]).toEqual([claims, expected]);
    }
  });

  test('decide by service time: an assertion made before it was moved is over', async () => {
    const assertion = await assertionOf(t, 'ada', signer);
    await t.advance(151 * SECOND_MS);
    expect(outcome(await askToken(t, formWith(assertion)))).toBe('401 invalid_client');
  });
});

describe('an assertion counts once', () => {
  test('and is refused when it is sent again, also by the next one with its jti', async () => {
    const jti = 'the-same';
    const assertion = await assertionOf(t, 'ada', signer, { jti });
    expect(outcome(await askToken(t, formWith(assertion)))).toBe('200 taken');
    const again = await askToken(t, formWith(assertion));
    expect(outcome(again)).toBe('401 invalid_client');
    expect(again.body.error_description).toContain('jti');
    expect(outcome(await ask({ jti }))).toBe('401 invalid_client');
    const grace = await newAgent(t, { handle: 'grace' });
    const own = await registerSigner(t, grace);
    expect(outcome(await askToken(t, formWith(await assertionOf(t, 'grace', own, { jti }))))).toBe('200 taken');
  });

  test('of many at the same moment one is taken', async () => {
    const assertion = await assertionOf(t, 'ada', signer);
    const answers = await Promise.all(Array.from({ length: 8 }, () => askToken(t, formWith(assertion))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)]);
  });

  test('for as long as it could be taken, and no row of it is left after that', async () => {
    const now = Math.floor(t.clock.now() / 1000);
    const assertion = await assertionOf(t, 'ada', signer, { exp: now + 300, jti: 'kept' });
    expect(outcome(await askToken(t, formWith(assertion)))).toBe('200 taken');
    await t.advance(329 * SECOND_MS);
    const late = await askToken(t, formWith(assertion));
    expect(late.body.error_description).toContain('used before');
    await t.advance(2 * 86_400 * SECOND_MS);
    const rows = await readStoredRows(t.service.world.settings.data_dir, 'select id from challenges');
    expect(rows).toEqual([]);
  });
});

const server = await sharedPostgres();

test.skipIf(server === null)('an assertion that one node has taken is refused by the other', async () => {
  if (!server) return;
  const [one, other] = await openTestNodes(server);
  const agent = await newAgent(one, { handle: 'both_nodes' });
  const own = await registerSigner(one, agent);
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    const assertion = await assertionOf(one, 'both_nodes', own);
    expect(outcome(await askToken(first, formWith(assertion)))).toBe('200 taken');
    expect(outcome(await askToken(second, formWith(assertion)))).toBe('401 invalid_client');
  }
  const raced = await assertionOf(one, 'both_nodes', own);
  const answers = await Promise.all([one, other, one, other].map((node) => askToken(node, formWith(raced))));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  await Promise.all([one.close(), other.close()]);
});

describe('a hostile assertion', () => {
  test('is refused, whatever it says of its own signature', async () => {
    const claims = JSON.stringify(claimsOf(t, 'ada'));
    const raw = Buffer.from(signer.public_key, 'base64url');
    const part = (text: string): string => Buffer.from(text).toString('base64url');
    const head = part('{"alg":"HS256","typ":"JWT"}');
    const hmac = createHmac('sha256', raw)
      .update(`${head}.${part(claims)}`)
      .digest('base64url');
    const sound = await assertionOf(t, 'ada', signer);
    const [header = '', payload = '', signature = ''] = sound.split('.');
    const stranger = await newSigner();
    const grace = await registerSigner(t, await newAgent(t, { handle: 'another' }));
    const hostile: Record<string, string> = {
      'alg none': `${part('{"alg":"none"}')}.${part(claims)}.`,
      'no signature': `${header}.${payload}.`,
      'HS256 with the public key': `${head}.${part(claims)}.${hmac}`,
      'another alg over a right signature': await signText('{"alg":"ES256"}', claims, signer),
      'a key that nobody registered': await assertionOf(t, 'ada', stranger),
      'a key that it brings along': await assertionOf(t, 'ada', stranger, {
        header: { jwk: { kty: 'OKP', crv: 'Ed25519', x: stranger.public_key } },
      }),
      "another agent's key": await assertionOf(t, 'ada', grace),
      'a changed claim': `${header}.${part(claims.replace('"ada"', '"adb"'))}.${signature}`,
      'a type of another kind': await assertionOf(t, 'ada', signer, { header: { typ: 'at+jwt' } }),
      'what is critical': await assertionOf(t, 'ada', signer, { header: { crit: ['b64'], b64: false } }),
      padding: `${sound}=`,
      'spare bits': `${sound.slice(0, -1)}${String.fromCharCode(sound.charCodeAt(sound.length - 1) + 1)}`,
      'claims twice': await signText('{"alg":"EdDSA"}', `{"sub":"x",${claims.slice(1)}`, signer),
      'claims twice, far apart': await signText(
        '{"alg":"EdDSA"}',
        `{"jti"${' '.repeat(90)}:"x",${claims.slice(1)}`,
        signer,
      ),
      'the same name in another spelling': await signText(
        '{"alg":"EdDSA"}',
        `{"j\\u0074i":"x",${claims.slice(1)}`,
        signer,
      ),
      'alg twice': await signText('{"alg":"none","alg":"EdDSA"}', claims, signer),
      'a list of claims': await signText('{"alg":"EdDSA"}', `[${claims}]`, signer),
      'no JSON': await signText('{"alg":"EdDSA"}', 'claims', signer),
      'two parts': `${header}.${payload}`,
      'four parts': `${sound}.${signature}`,
    };
    for (const [what, assertion] of Object.entries(hostile)) {
      expect([what, outcome(await askToken(t, formWith(assertion)))]).toEqual([what, '401 invalid_client']);
    }
    expect(outcome(await askToken(t, formWith(sound)))).toBe('200 taken');
  });

  test('is refused when it is for others, by others, or cannot be used up', async () => {
    const hostile: Claims[] = [
      { aud: 'https://other.example.org/oauth/token' },
      { aud: [`${BASE_URL}/oauth/token`, 'https://other.example.org'] },
      { aud: [] },
      { aud: undefined },
      { aud: `${BASE_URL}/mcp` },
      { iss: 'grace' },
      { sub: 'grace' },
      { iss: ['ada'], sub: ['ada'] },
      { jti: undefined },
      { jti: '' },
      { jti: 7 },
      { jti: 'j'.repeat(257) },
    ];
    for (const claims of hostile) {
      expect([claims, outcome(await ask(claims))]).toEqual([claims, '401 invalid_client']);
    }
  });

  test('does not learn whether there is such an agent', async () => {
    const keyless = await newAgent(t, { handle: 'keyless' });
    const gone = await newAgent(t, { handle: 'gone_away' });
    const own = await registerSigner(t, gone);
    await t.call('DELETE', '/api/agents/gone_away', { token: gone.token });
    const stranger = await newSigner();
    const said = new Set<string>();
    for (const [handle, by] of [
      ['ada', stranger],
      [keyless.handle, stranger],
      ['gone_away', own],
      ['nobody_here', stranger],
      ['Not A Handle', stranger],
    ] as const) {
      const { status, body } = await askToken(t, formWith(await assertionOf(t, handle, by)));
      said.add(JSON.stringify({ status, ...body, request_id: '' }));
    }
    expect(said.size).toBe(1);
  });

  test('is refused more shortly once there were twenty from an address, while a sound one is still taken', async () => {
    const limited = await openTestService({ rate_limits: true });
    const agent = await newAgent(limited, { handle: 'hammered' });
    const own = await registerSigner(limited, agent);
    const stranger = await newSigner();
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      const form = formWith(await assertionOf(limited, 'hammered', stranger));
      statuses.push((await askToken(limited, form, { ip: '192.0.2.9' })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
    const sound = formWith(await assertionOf(limited, 'hammered', own));
    expect((await askToken(limited, sound, { ip: '192.0.2.9' })).status).toBe(200);
    const elsewhere = formWith(await assertionOf(limited, 'hammered', stranger));
    expect((await askToken(limited, elsewhere, { ip: '198.51.100.9' })).status).toBe(401);
    await limited.close();
  });
});

describe('the form', () => {
  test('is told what it lacks, in the words of OAuth', async () => {
    const sound = formWith(await assertionOf(t, 'ada', signer));
    const cases: [Record<string, string> | [string, string][], string][] = [
      [{}, '400 invalid_request'],
      [{ ...sound, grant_type: 'password' }, '400 unsupported_grant_type'],
      [{ ...sound, grant_type: '' }, '400 invalid_request'],
      [{ grant_type: 'client_credentials' }, '401 invalid_client'],
      [{ ...sound, client_assertion_type: 'saml' }, '401 invalid_client'],
      [{ ...sound, client_assertion: 'x'.repeat(4097) }, '400 invalid_request'],
      [{ ...sound, scope: 'x'.repeat(1025) }, '400 invalid_request'],
      [[...Object.entries(sound), ['scope', 'agents:read'], ['scope', 'agents:write']], '400 invalid_request'],
      [[...Object.entries(sound), ['client_assertion', '']], '400 invalid_request'],
    ];
    for (const [fields, expected] of cases) {
      const answer = await askToken(t, fields);
      expect(outcome(answer)).toBe(expected);
      expect(answer.body.error_description).toBeString();
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.has('www-authenticate')).toBe(answer.status === 401);
    }
    expect(outcome(await askToken(t, sound))).toBe('200 taken');
  });

  test('is no JSON, no page of ten megabytes and no bytes that are no text', async () => {
    const sound = formWith(await assertionOf(t, 'ada', signer));
    const json = await t.call('POST', '/oauth/token', { body: sound });
    expect([outcome(json), json.body.error_description]).toEqual([
      '400 invalid_request',
      'Send the body as application/x-www-form-urlencoded.',
    ]);
    const huge = await askToken(t, { ...sound, filler: 'x'.repeat(10_000_000) });
    expect(outcome(huge)).toBe('413 payload_too_large');
    const raw = { type: 'application/x-www-form-urlencoded', text: 'grant_type=\xff' };
    expect(outcome(await t.call('POST', '/oauth/token', { raw }))).toBe('400 invalid_request');
    expect(outcome(await t.call('GET', '/oauth/token'))).toBe('405 method_not_allowed');
  });

  test('does without what a client shows beside it, also when that is over', async () => {
    const form = formWith(await assertionOf(t, 'ada', signer));
    expect(outcome(await askToken(t, form, { token: 'over.and.done' }))).toBe('200 taken');
  });
});

describe('the form face of a sign-in by code', () => {
  const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
  const begin = async () => {
    const text = new URLSearchParams({ client_id: 'a tv', scope: 'agents:read' }).toString();
    const raw = { type: 'application/x-www-form-urlencoded', text };
    return (await t.call('POST', '/oauth/device_authorization', { raw })).body;
  };
  const poll = (device_code: string): Promise<TestAnswer> =>
    askToken(t, { grant_type: GRANT, device_code, client_id: 'a tv' });

  test('answers 400 until the person has decided, then the key once', async () => {
    const { device_code, user_code } = await begin();
    expect(outcome(await poll(device_code))).toBe('400 authorization_pending');
    const hasty = await poll(device_code);
    expect([outcome(hasty), hasty.body.error_description]).toEqual(['400 slow_down', expect.any(String)]);
    const token = await signIn(t, ada.email);
    await t.call('POST', '/api/auth/device/approve', { token, body: { user_code, approve: true } });
    const given = await poll(device_code);
    expect([given.status, given.body.token_type, given.body.scope]).toEqual([200, 'Bearer', 'agents:read']);
    expect((await t.call('GET', '/api/auth/key', { token: given.body.access_token })).status).toBe(200);
    expect(outcome(await poll(device_code))).toBe('400 expired_token');
  });

  test('is told that the person refused, and that a code which nobody gave has ended', async () => {
    const { device_code, user_code } = await begin();
    const token = await signIn(t, ada.email);
    await t.call('POST', '/api/auth/device/approve', { token, body: { user_code, approve: false } });
    expect(outcome(await poll(device_code))).toBe('400 access_denied');
    expect(outcome(await poll('nobody gave this'))).toBe('400 expired_token');
    expect(outcome(await askToken(t, { grant_type: GRANT }))).toBe('400 invalid_request');
  });
});
