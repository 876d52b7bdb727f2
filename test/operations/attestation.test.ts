// Attestations of funds: what they state, who can check them and how, and that neither they nor their refusals give a figure away.

import { beforeAll, describe, expect, test } from 'bun:test';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, newProvisional, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import { readStoredRows } from '../support/store.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();
let names = 0;

interface Asker extends TestAgent {
  readonly pays: string;
}

beforeAll(async () => {
  await newAgent(t, { handle: 'reader' });
  await newAgent(t, { handle: 'other_reader' });
});

const askerOf = async (cents: number): Promise<Asker> => {
  const agent = await newAgent(t, { handle: `asker_${++names}`, pro: true });
  if (cents > 0) await fundWallet(t, agent.id, cents);
  return { ...agent, pays: await keyWith(t, agent.email, ['payments:write', 'agents:write']) };
};
const attest = (key: string, min_amount_cents: unknown, more: object = {}): Promise<TestAnswer> =>
  t.call('POST', '/api/wallet/attest', { key, body: { min_amount_cents, audience_handle: 'reader', ...more } });
const verdict = async (token: string, audience = 'reader'): Promise<TestAnswer['body']> =>
  (await t.call('POST', '/api/attestations/verify', { body: { token, audience } })).body;
const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();

describe('an attestation', () => {
  test('says what was asked for and no more, and reserves nothing', async () => {
    const ada = await askerOf(9_876);
    const answer = await attest(ada.pays, 5_000);
    const now_ms = t.clock.now();
    expect([answer.status, answer.body.expires_at]).toEqual([200, new Date(now_ms + 600_000).toISOString()]);
    const { valid, attestation } = await verdict(answer.body.token);
    expect(valid).toBe(true);
    expect(attestation).toEqual({
      agent_handle: ada.handle,
      min_amount_cents: 5_000,
      audience: 'reader',
      issued_at: new Date(now_ms).toISOString(),
      expires_at: answer.body.expires_at,
      nonce: expect.any(String),
    });
    const text = Buffer.from(answer.body.token.split('.')[1], 'base64url').toString();
    expect(text).not.toContain('9876');
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(9_876);
    expect(await balanceOf(t, `held:${ada.id}`)).toBe(0);
  });

  test('is checked without asking, by the keys that are public at two places', async () => {
    const ada = await askerOf(100);
    const { token } = (await attest(ada.pays, 100, { ttl_seconds: 3_600 })).body;
    const keys = (await t.call('GET', '/.well-known/service-attestation-key')).body;
    const all = (await t.call('GET', '/.well-known/jwks.json')).body;
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'attestation+jwt', kid: keys.keys[0].kid });
    for (const jwks of [keys, all]) {
      const { payload } = await jwtVerify(token, createLocalJWKSet(jwks), {
        typ: 'attestation+jwt',
        audience: 'reader',
        issuer: 'http://localhost',
        currentDate: new Date(t.clock.now()),
      });
      expect(payload).toMatchObject({ agent_handle: ada.handle, min_amount_cents: 100, aud: 'reader' });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600);
      expect(payload.jti).toBe(payload['nonce'] as string);
    }
    const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
    expect(jwtVerify(changed, createLocalJWKSet(keys), { currentDate: new Date(t.clock.now()) })).rejects.toThrow();
  });

  test('says nothing to another reader, after its time, changed, or of another kind', async () => {
    const ada = await askerOf(100);
    const { token } = (await attest(ada.pays, 100, { ttl_seconds: 60 })).body;
    expect(await verdict(token, 'other_reader')).toEqual({ valid: false, reason: 'wrong_audience' });
    expect(await verdict(token, 'nobody_there')).toEqual({ valid: false, reason: 'wrong_audience' });
    const [head, body, signature] = token.split('.');
    const more = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), min_amount_cents: 1e6 }),
    );
    const forged = [
      `${head}.${more.toString('base64url')}.${signature}`,
      `${Buffer.from('{"alg":"none","typ":"attestation+jwt"}').toString('base64url')}.${body}.`,
      ada.token,
      t.service.world.documents.sign('receipt+jwt', JSON.parse(Buffer.from(body, 'base64url').toString())),
      'x',
      '...',
      `${token}.${signature}`,
    ];
    for (const each of forged) expect(await verdict(each)).toEqual({ valid: false, reason: 'bad_signature' });
    await t.advance(60_000);
    expect(await verdict(token)).toEqual({ valid: false, reason: 'expired' });
  });

  test('goes with renames on either side, and ends with its agent', async () => {
    const ada = await askerOf(100);
    const bob = await newAgent(t, { handle: 'old_reader' });
    const { token } = (await attest(ada.pays, 1, { audience_handle: 'old_reader', ttl_seconds: 3_600 })).body;
    for (const who of [ada, bob]) {
      const body = { handle: `new_${who.handle}` };
      const renamed = await t.call('PATCH', '/api/agents/rename', { key: who.key, agent: who.handle, body });
      expect([renamed.status, renamed.body.handle]).toEqual([200, body.handle]);
    }
    for (const audience of ['old_reader', '@new_old_reader']) {
      const { valid, attestation } = await verdict(token, audience);
      expect([valid, attestation.agent_handle]).toEqual([true, `new_${ada.handle}`]);
    }
    await t.call('DELETE', `/api/agents/new_${ada.handle}`, { key: ada.key });
    expect(await verdict(token, 'new_old_reader')).toEqual({ valid: false, reason: 'unknown_agent' });
  });
});

describe('is refused', () => {
  test('a short wallet, without any figure', async () => {
    const ada = await askerOf(4_321);
    const short = await attest(ada.pays, 4_322);
    expect(said(short)).toBe('409 insufficient_funds');
    expect(Object.keys(short.body).sort()).toEqual(['error', 'message', 'request_id']);
    expect(short.body.message).not.toMatch(/\d/);
    expect((await attest(ada.pays, 4_321)).status).toBe(200);
  });

  test('a fourth asking a minute for one reader, and an eleventh in all, whatever came of the others', async () => {
    const ada = await askerOf(10);
    const first = [11, 11, 10].map((cents) => attest(ada.pays, cents));
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([409, 409, 200]);
    const fourth = await attest(ada.pays, 1);
    expect(said(fourth)).toBe('429 rate_limited');
    const wait = Number(fourth.headers.get('retry-after'));
    expect([wait >= 1 && wait <= 60, fourth.body.retry_after_seconds]).toEqual([true, wait]);
    const readers = ['other_reader'];
    for (let n = 0; n < 2; n++) readers.push((await newAgent(t, { handle: `reader_${++names}` })).handle);
    const rest = readers.flatMap((audience_handle) => [1, 2, 3].map(() => attest(ada.pays, 1, { audience_handle })));
    const statuses = (await Promise.all(rest)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    await t.advance(MINUTE_MS);
    expect((await attest(ada.pays, 1)).status).toBe(200);
  });

  test('what is asked for wrongly, and who may not ask, and nothing is booked', async () => {
    const ada = await askerOf(10);
    const { key: provisional } = await newProvisional(t, 'agent_asks');
    for (const min_amount_cents of [0, -1, 0.5, 2 ** 53, '10', null, undefined]) {
      const wrong = await attest(ada.pays, min_amount_cents);
      expect([said(wrong), wrong.body.fields[0].path]).toEqual(['400 invalid_request', 'min_amount_cents']);
    }
    for (const ttl_seconds of [0, 3_601, 1.5]) {
      expect(said(await attest(ada.pays, 1, { ttl_seconds }))).toBe('400 invalid_request');
    }
    expect(said(await attest(ada.pays, 1, { audience_handle: 'nobody_there' }))).toBe('404 not_found');
    expect(said(await attest(ada.key, 1))).toBe('403 insufficient_scope');
    expect(said(await attest(provisional, 1))).toBe('403 insufficient_scope');
    const sql = `select count(*) as n from transfers where debit = 'wallet:${ada.id}'`;
    const [row] = await readStoredRows(t.service.world.settings.data_dir, sql);
    expect(Number(row?.['n'])).toBe(0);
  });
});
