// Signs webhooks in both ways at once: the hex HMAC of the body, and Standard Webhooks, whose signature covers id and
// time too, so that a delivery cannot be played again later (rules.md 7, protocols.md 7).
import { hmac } from './hash.ts';

const SECRET_PREFIX = 'whsec_';

/** How long the random part of a secret is, as Standard Webhooks has it. */
export const SECRET_BYTES = 32;

/** A signing secret out of 32 random bytes. */
export function webhookSecret(bytes: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(bytes).toString('base64');
}

/** The key of Standard Webhooks: the decoded base64 part of the secret. */
function secretBytes(secret: string): Uint8Array {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}

/** The signed content. `id` is the event's, `at_ms` the start of the attempt. */
export interface Signed {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly at_ms: number;
}

/** The headers of a delivery. `secrets` are `whsec_` + base64, the newest first: while one is rotated both sign as Standard
 * Webhooks has it. X-Webhook-Signature holds one signature, the newest secret's. */
export function signHeaders(secrets: readonly string[], { id, event, body, at_ms }: Signed): Record<string, string> {
  const seconds = Math.floor(at_ms / 1000);
  const content = `${id}.${seconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${new Bun.CryptoHasher('sha256', secretBytes(secret)).update(content).digest('base64')}`,
  );
  return {
    'content-type': 'application/json',
    'x-webhook-signature': hmac(secrets[0] ?? '', body),
    'x-webhook-event': event,
    'x-webhook-timestamp': new Date(at_ms).toISOString(),
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
