// Passkeys: adding one and signing in by it; and what somebody gets out of an answer that was sent before, made elsewhere, made for
// another, made by a copy, or made by nobody whom the device knows.

import { describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { signIn } from '../support/agents.ts';
import { newAuthenticator, type Told } from '../support/authenticator.ts';
import { sharedService } from '../support/opened.ts';
import { addPasskey, askOptions, showPasskey } from '../support/passkeys.ts';
import { newReader, signInOn } from '../support/reader.ts';
import { openTestService } from '../support/testbed.ts';

const t = sharedService();

const list = async (token: string) => (await t.call('GET', '/api/auth/passkeys', { token })).body;
const register = (token: string, credential: unknown, name = 'Phone') =>
  t.call('POST', '/api/auth/passkeys', { token, body: { name, credential } });

describe('a passkey', () => {
  test('is added, listed, signed in by, renamed and removed; a letter tells of it', async () => {
    const token = await signIn(t, 'ada@example.org');
    const device = newAuthenticator();
    const options = await askOptions(t, token);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Meshwork' },
      user: { name: 'ada@example.org' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    const made = await register(token, device.make(options));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'Phone', copied: false, last_used_at: null });
    await t.rest();
    expect(t.mails.findLast(({ to }) => to === 'ada@example.org')?.text).toContain('Its name:\n\nPhone\n');
    expect((await askOptions(t, token)).excludeCredentials).toEqual([
      { type: 'public-key', id: device.id, transports: ['internal'] },
    ]);
    const signed = await showPasskey(t, device.show(await askOptions(t, null)));
    expect(signed.status).toBe(200);
    expect(signed.body).toMatchObject({ token_type: 'Bearer', account: { email: 'ada@example.org', plan: 'free' } });
    expect(signed.headers.get('set-cookie')).toContain('meshwork_refresh=');
    const { id } = made.body;
    const renamed = { token, body: { name: 'Old phone' } };
    expect((await t.call('PATCH', `/api/auth/passkeys/${id}`, renamed)).body).toMatchObject({ name: 'Old phone' });
    const [shown] = await list(signed.body.access_token);
    expect(shown).toMatchObject({ id, name: 'Old phone' });
    expect(shown.last_used_at).not.toBeNull();
    expect((await t.call('DELETE', `/api/auth/passkeys/${id}`, { token })).status).toBe(200);
    expect(await list(token)).toEqual([]);
    expect((await showPasskey(t, device.show(await askOptions(t, null)))).body.error).toBe('invalid_passkey');
  });

  test('of another is as absent as none, and is nobody else’s to change', async () => {
    const [owner, other] = [await signIn(t, 'owner@example.org'), await signIn(t, 'other@example.org')];
    const device = newAuthenticator();
    const id = await addPasskey(t, owner, device);
    const asked = { token: other, body: { name: 'Mine' } };
    expect((await t.call('PATCH', `/api/auth/passkeys/${id}`, asked)).status).toBe(404);
    expect((await t.call('DELETE', `/api/auth/passkeys/${id}`, { token: other })).status).toBe(404);
    expect(await list(other)).toEqual([]);
    // The same credential cannot back a second account.
    const again = await register(other, device.make(await askOptions(t, other)));
    expect([again.status, again.body.error]).toEqual([409, 'credential_in_use']);
  });

  test('is one of twenty; after one is removed there is room again', async () => {
    const token = await signIn(t, 'many@example.org');
    let first = '';
    for (let n = 0; n < 20; n++) {
      const id = await addPasskey(t, token, newAuthenticator());
      first ||= id;
    }
    const full = await register(token, newAuthenticator().make(await askOptions(t, token)));
    expect([full.status, full.body.error, full.body.limit]).toEqual([403, 'plan_limit', 20]);
    await t.call('DELETE', `/api/auth/passkeys/${first}`, { token });
    await addPasskey(t, token, newAuthenticator());
  });

  test('ends with all keys and sessions, and may be added anew', async () => {
    const token = await signIn(t, 'revoked@example.org');
    const device = newAuthenticator();
    await addPasskey(t, token, device);
    await t.call('POST', '/api/account/revoke-all', { token });
    expect((await showPasskey(t, device.show(await askOptions(t, null)))).body.error).toBe('invalid_passkey');
    const anew = await signIn(t, 'revoked@example.org');
    expect(await list(anew)).toEqual([]);
    await addPasskey(t, anew, device);
  });

  test('is none where browsers make none for the address of the app', async () => {
    const plain = await openTestService({ app_url: 'http://192.0.2.7:3000/app' });
    const token = await signIn(plain, 'ada@example.org');
    for (const [path, asked] of [
      ['/api/auth/passkeys/options', { token, body: {} }],
      ['/api/auth/session/passkey/options', { body: {} }],
    ] as const) {
      expect((await plain.call('POST', path, asked)).body.error).toBe('provider_not_configured');
    }
    expect((await newReader(plain).get('/app/login')).text).not.toContain('id="passkey"');
    await plain.close();
  });
});

const WRONG: readonly (readonly [string, Told])[] = [
  ['on a page of another origin', { origin: 'https://localhost.evil.example' }],
  ['in a frame of another site', { cross: true }],
  ['for another name', { rp_id: 'evil.example' }],
  ['of another type', { type: 'payment.get' }],
  ['without a person whom the device knows', { flags: 0x01 }],
];

describe('an answer of a device', () => {
  test.each([
    ['that counts', undefined],
    ['that does not count', 0],
  ])('%s signs in once', async (_, count) => {
    const token = await signIn(t, 'once@example.org');
    const device = newAuthenticator();
    const made = device.make(await askOptions(t, token), count === undefined ? {} : { count });
    expect((await register(token, made)).status).toBe(201);
    const answer = device.show(await askOptions(t, null), count === undefined ? {} : { count });
    expect((await showPasskey(t, answer)).status).toBe(200);
    expect((await showPasskey(t, answer)).body.error).toBe('invalid_passkey');
  });

  test('of a device with an Ed25519 key is taken too', async () => {
    const token = await signIn(t, 'edwards@example.org');
    const device = newAuthenticator('http://localhost', 'a seed');
    await addPasskey(t, token, device);
    expect((await showPasskey(t, device.show(await askOptions(t, null)))).status).toBe(200);
  });

  test('is taken within five minutes, and for what it was asked', async () => {
    const token = await signIn(t, 'late@example.org');
    const device = newAuthenticator();
    await addPasskey(t, token, device);
    const late = device.show(await askOptions(t, null));
    await t.advance(5 * MINUTE_MS);
    expect((await showPasskey(t, late)).body.error).toBe('invalid_passkey');
    // A challenge of one's own, and one that was made for adding a passkey.
    const fresh = await signIn(t, 'late@example.org');
    const { challenge } = await askOptions(t, fresh);
    for (const each of [challenge, 'A'.repeat(43)]) {
      const answer = device.show({ challenge: each, rpId: 'localhost' });
      expect((await showPasskey(t, answer)).body.error).toBe('invalid_passkey');
    }
  });

  test.each(WRONG)('that was made %s neither signs in nor adds a passkey', async (_, told) => {
    const token = await signIn(t, 'wrong@example.org');
    const device = newAuthenticator();
    const made = newAuthenticator().make(await askOptions(t, token), told);
    expect((await register(token, made)).body.error).toBe('invalid_passkey');
    await addPasskey(t, token, device);
    expect((await showPasskey(t, device.show(await askOptions(t, null), told))).body.error).toBe('invalid_passkey');
  });

  test('for a new passkey is taken from the session that asked alone, and only where it names no maker', async () => {
    const [mine, theirs] = [await signIn(t, 'mine@example.org'), await signIn(t, 'theirs@example.org')];
    const again = await signIn(t, 'mine@example.org');
    for (const other of [theirs, again]) {
      const made = newAuthenticator().make(await askOptions(t, mine));
      expect((await register(other, made)).body.error).toBe('invalid_passkey');
    }
    const told = newAuthenticator().make(await askOptions(t, mine), { fmt: 'fido-u2f' });
    expect((await register(mine, told)).body.error).toBe('invalid_passkey');
    expect(await list(mine)).toEqual([]);
  });

  test('that says it is of another person is none', async () => {
    const token = await signIn(t, 'said@example.org');
    const device = newAuthenticator();
    await addPasskey(t, token, device);
    const user = Buffer.from('0199d3a2-7c41-7d3e-8a13-5f0c1d2e3a13').toString('base64url');
    expect((await showPasskey(t, device.show(await askOptions(t, null), { user }))).body.error).toBe('invalid_passkey');
    expect((await showPasskey(t, device.show(await askOptions(t, null), { user: null }))).status).toBe(200);
  });

  test('of a copy, whose count falls behind, ends the passkey; a forged one does not', async () => {
    const token = await signIn(t, 'copied@example.org');
    const device = newAuthenticator();
    await addPasskey(t, token, device);
    expect((await showPasskey(t, device.show(await askOptions(t, null), { count: 9 }))).status).toBe(200);
    const forged = { ...newAuthenticator().show(await askOptions(t, null), { count: 2, user: null }), id: device.id };
    expect((await showPasskey(t, forged)).body.error).toBe('invalid_passkey');
    expect((await list(token))[0].copied).toBe(false);
    const copy = device.show(await askOptions(t, null), { count: 9 });
    expect((await showPasskey(t, copy)).body.error).toBe('invalid_passkey');
    expect((await list(token))[0].copied).toBe(true);
    const later = device.show(await askOptions(t, null), { count: 20 });
    expect((await showPasskey(t, later)).body.error).toBe('invalid_passkey');
  });

  test('of a device that does not count is taken again and again', async () => {
    const token = await signIn(t, 'uncounted@example.org');
    const device = newAuthenticator();
    const made = device.make(await askOptions(t, token), { count: 0 });
    expect((await register(token, made)).status).toBe(201);
    for (let n = 0; n < 2; n++) {
      expect((await showPasskey(t, device.show(await askOptions(t, null), { count: 0 }))).status).toBe(200);
    }
  });

  test.each([
    ['no JSON', '%%%'],
    ['a list', Buffer.from('[]').toString('base64url')],
    ['no challenge', Buffer.from('{"type":"webauthn.get"}').toString('base64url')],
  ])('that holds %s is refused as any other', async (_, clientDataJSON) => {
    const response = { clientDataJSON, authenticatorData: 'AA', signature: 'AA' };
    expect((await showPasskey(t, { id: 'AA', response })).status).toBe(400);
  });
});

describe('on the sign-in page', () => {
  test('an answer signs in the browser that the form was shown to, with a session of its own', async () => {
    const token = await signIn(t, 'page@example.org');
    const device = newAuthenticator();
    await addPasskey(t, token, device);
    const reader = newReader(t);
    await reader.get('/app/login?next=%2Fapp%2Fwallet');
    const planted = reader.cookies.get('meshwork_page');
    const credential = JSON.stringify(device.show(await askOptions(t, null)));
    const went = await reader.post('/app/login/passkey', { credential, next: '/app/wallet' });
    expect([went.status, went.location]).toEqual([303, '/app/wallet']);
    // What the browser held before, or was made to hold, is not what shows the session now.
    expect(reader.cookies.get('meshwork_page')).not.toBe(planted);
    expect((await reader.get('/app/login')).text).toContain('You are signed in');
    const other = newReader(t);
    other.cookies.set('meshwork_page', planted ?? '');
    expect((await other.get('/app/login')).text).not.toContain('You are signed in');
  });

  test('nobody is signed in to another’s account by a form of another site or another browser', async () => {
    const token = await signIn(t, 'attacker@example.org');
    const device = newAuthenticator();
    await addPasskey(t, token, device);
    const [victim, attacker] = [newReader(t), newReader(t)];
    await victim.get('/app/login');
    await attacker.get('/app/login');
    const answer = async () => ({ credential: JSON.stringify(device.show(await askOptions(t, null))), next: '/app' });
    const foreign = await victim.post('/app/login/passkey', await answer(), { origin: 'https://evil.example' });
    const copied = await victim.post('/app/login/passkey', await answer(), { form_token: attacker.form_token() });
    const bare = await victim.post('/app/login/passkey', await answer(), { origin: null });
    expect([foreign.status, copied.status, bare.status]).toEqual([403, 403, 403]);
    expect((await victim.get('/app/login')).text).not.toContain('You are signed in');
  });

  test('a wrong answer leads back to the page, which offers a code; who was signed in stays so', async () => {
    const reader = newReader(t);
    await signInOn(t, reader, 'stays@example.org');
    await reader.get('/app/login');
    const refused = await reader.post('/app/login/passkey', { credential: 'no JSON', next: '//evil.example' });
    expect([refused.status, refused.text.includes('have a code mailed'), refused.text.includes('evil')]).toEqual([
      400,
      true,
      false,
    ]);
    expect((await reader.get('/app/login')).text).toContain('You are signed in');
  });
});
