// Signs what is sent to providers of capabilities (interface.md "Marketplace and router"): the hex HMAC-SHA256 over the timestamp, a dot and
// the raw body, keyed by the provider's secret as a text.
import { hmac } from './hash.ts';

/** How long the random part of a secret is. */
export const PROVIDER_SECRET_BYTES = 32;

/** A provider's secret out of 32 random bytes. */
export function providerSecret(bytes: Uint8Array): string {
  return `prs_${Buffer.from(bytes).toString('base64url')}`;
}

/** What is signed: `call_id` names the call, so that a provider knows a repetition, and `at_ms` is when the attempt begins. */
export interface SignedDispatch {
  readonly call_id: string;
  readonly body: string;
  readonly at_ms: number;
  /** A provider that is tried out is told so. */
  readonly test: boolean;
}

/** The headers of a dispatch; the timestamp is in whole seconds. */
export function dispatchHeaders(
  secret: string,
  { call_id, body, at_ms, test }: SignedDispatch,
): Record<string, string> {
  const timestamp = String(Math.floor(at_ms / 1_000));
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'x-service-timestamp': timestamp,
    'x-service-signature': hmac(secret, `${timestamp}.${body}`),
    'x-service-call-id': call_id,
    ...(test && { 'x-service-test': 'true' }),
  };
}
