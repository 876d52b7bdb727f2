// verifyWebhook of meshwork-client takes what this service signs, in each of its ways, and nothing that was changed, is old,
// or is signed with another secret.

import { describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type WebhookHeaders } from '../../src/client/webhook.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { signHeaders, webhookSecret } from '../../src/outbound/webhook-signature.ts';

const SECRET = webhookSecret(new Uint8Array(32).fill(7));
const OTHER = webhookSecret(new Uint8Array(32).fill(9));
const BODY = JSON.stringify({ id: 'e1', seq: 1, type: 'test.ping', event: 'test.ping', data: { text: 'é \u{1F4AC}' } });
const signed = (at_ms = Date.now(), secrets: readonly string[] = [SECRET], body = BODY): Record<string, string> =>
  signHeaders(secrets, { id: 'e1', event: 'test.ping', body, at_ms });

const codeOf = async (headers: WebhookHeaders, body: string | Uint8Array = BODY, secret = SECRET): Promise<unknown> =>
  verifyWebhook(secret, headers, body).then(
    ({ type }) => type,
    (error: { code: string }) => error.code,
  );

const without = (headers: Record<string, string>, start: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(start)));

describe('it takes', () => {
  test.each([
    ['headers of fetch', new Headers(signed())],
    ['headers of Node', signed()],
    ['lists of headers', Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value] as const)],
    ['lists of values', Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name, [value]]))],
    ['a secret that is being rotated', signed(Date.now(), [OTHER, SECRET])],
    ['X-Webhook-Signature alone', without(signed(), 'webhook-')],
    ['the same without a time', without(without(signed(), 'webhook-'), 'x-webhook-timestamp')],
    ['Standard Webhooks alone', without(signed(), 'x-webhook-')],
  ])('%s', async (_what, headers) => expect(await codeOf(headers)).toBe('test.ping'));

  test('bytes as well as text, and what others sign as Standard Webhooks has it', async () => {
    const at = new Date();
    const headers = {
      'webhook-id': 'e1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign('e1', at, BODY),
    };
    expect(await codeOf(headers, new TextEncoder().encode(BODY))).toBe('test.ping');
  });
});

describe('it refuses', () => {
  test.each<[string, Record<string, string>, string?, string?]>([
    ['another body', signed(), BODY.replace('test.ping', 'test.pong')],
    ['another secret', signed(), BODY, OTHER],
    ['an empty secret', signed(), BODY, 'whsec_'],
    ['a secret that is none', signed(), BODY, '%%%'],
    ['what is old', signed(Date.now() - HOUR_MS)],
    ['what is ahead', signed(Date.now() + HOUR_MS)],
    ['another id', { ...signed(), 'webhook-id': 'e2' }],
    ['another time', { ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 1) }],
    ['a time that is none', { ...signed(), 'webhook-timestamp': 'now' }],
    ['no id', without(signed(), 'webhook-id')],
    ['no signature', without(without(signed(), 'webhook-signature'), 'x-webhook-signature')],
    [
      'a Standard signature that is wrong beside a right one of the other kind',
      {
        ...signed(),
        'webhook-signature': `v1,${btoa('x'.repeat(32))}`,
      },
    ],
    [
      'a signature of another version',
      { ...signed(), 'webhook-signature': signed()['webhook-signature']?.replace('v1', 'v2') ?? '' },
    ],
    [
      'a right signature behind a long list',
      {
        ...signed(),
        'webhook-signature': `${'v1,AA== '.repeat(100)}${signed()['webhook-signature']}`,
      },
    ],
    [
      'half a signature',
      { ...without(signed(), 'webhook-'), 'x-webhook-signature': signed()['x-webhook-signature']?.slice(0, 32) ?? '' },
    ],
    ['an old one with X-Webhook-Signature alone', without(signed(Date.now() - HOUR_MS), 'webhook-')],
    ['what is signed and no JSON', signed(Date.now(), [SECRET], 'hello'), 'hello'],
  ])('%s', async (_what, headers, body = BODY, secret = SECRET) => {
    expect(await codeOf(headers, body, secret)).toBe('invalid_signature');
  });

  test('what is older than it is told to take', async () => {
    const headers = signed(Date.now() - HOUR_MS);
    expect(await verifyWebhook(SECRET, headers, BODY, { tolerance_seconds: 7_200 })).toMatchObject({ seq: 1 });
  });
});
