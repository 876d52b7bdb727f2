// Encrypting pushes, against the example of RFC 8291 (appendix A); and which keys of browsers are none.
import { expect, test } from 'bun:test';
import { encryptPush, isPushKeys } from '../../src/outbound/web-push.ts';
import { browserOf, decryptPush } from '../support/web-push.ts';

const TEXT = 'When I grow up, I want to be a watermelon';
const AUTH = 'BTBZMqHH6r4Tts7J_aSIgg';
const POINT = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
const BROWSER_KEY = 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94';
const SENDER_KEY = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw';
const SALT = 'DGv6ra1nlYgDCS1FRnbzlw';
const ENCRYPTED =
  'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';

const address = { endpoint: 'https://push.example.net/x', p256dh: POINT, auth: AUTH };
const bytes = (text: string): Uint8Array => Buffer.from(text, 'base64url');

test('a push is encrypted as the example of the RFC is, and only its browser opens it', () => {
  const dice = { salt: bytes(SALT), private_key: bytes(SENDER_KEY) };
  expect(Buffer.from(encryptPush(address, TEXT, dice)).toString('base64url')).toBe(ENCRYPTED);
  const [once, again] = [encryptPush(address, TEXT), encryptPush(address, TEXT)];
  expect(Buffer.from(once).equals(again)).toBe(false);
  expect(decryptPush(browserOf(BROWSER_KEY, AUTH), Buffer.from(once))).toBe(TEXT);
  expect(() => decryptPush(browserOf(SENDER_KEY, AUTH), Buffer.from(once))).toThrow();
});

test.each([
  ['a point that is none', `B${'A'.repeat(86)}`, AUTH],
  ['half a point', POINT.slice(0, 43), AUTH],
  ['a short secret', POINT, AUTH.slice(0, 20)],
])('%s is no key of a browser', (_, p256dh, auth) => {
  expect(isPushKeys({ p256dh: POINT, auth: AUTH })).toBe(true);
  expect(isPushKeys({ p256dh, auth })).toBe(false);
});
