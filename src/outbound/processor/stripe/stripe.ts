// The payment processor Stripe, by its own SDK, which is loaded with the first call: it has no part in a start. Its answers
// are awaited for seconds by the clock on the wall; what comes later, or not at all, is asked for.
import type Stripe from 'stripe';
import type { Processor } from '../processor.ts';
import { stripeBooks } from './books.ts';
import { stripeFundings, stripePlans } from './checkout.ts';
import { stripePayees } from './connect.ts';
import { readStripeWebhook } from './hints.ts';
import { stripePayouts, stripeTransfers } from './out.ts';

export interface StripeOptions {
  readonly secret_key: string;
  readonly webhook_secret: string;
  /** Where an emulator stands; Stripe itself unless set. */
  readonly api_base?: string | undefined;
  readonly hold_ms: number;
  /** Stripe's time, which is the one on the wall: what our service time is moved to says nothing of when a webhook was signed. */
  readonly now: () => number;
  /** One answer's deadline. */
  readonly timeout_ms?: number;
  /** How often a lost connection is tried again, under the same key. */
  readonly retries?: number;
}

const TIMEOUT_MS = 8000;

/** Keys of an account that moves real money; a restricted one is as good. */
const LIVE = /^[sr]k_live_/;

/** Whether a key moves real money. */
function isLiveKey(secret_key: string): boolean {
  return LIVE.test(secret_key);
}

function where(api_base: string): Pick<Stripe.StripeConfig, 'protocol' | 'host' | 'port'> {
  const { protocol, hostname, port } = new URL(api_base);
  const secure = protocol === 'https:';
  return { protocol: secure ? 'https' : 'http', host: hostname, port: port || (secure ? 443 : 80) };
}

async function connect({ secret_key, api_base, timeout_ms, retries }: StripeOptions): Promise<Stripe> {
  const { default: Sdk } = await import('stripe');
  return new Sdk(secret_key, {
    httpClient: Sdk.createFetchHttpClient(),
    telemetry: false,
    timeout: timeout_ms ?? TIMEOUT_MS,
    maxNetworkRetries: retries ?? 1,
    ...(api_base !== undefined && where(api_base)),
  });
}

export function createStripe(options: StripeOptions): Processor {
  let connected: Promise<Stripe> | undefined;
  const client = (): Promise<Stripe> => {
    connected ??= connect(options);
    return connected;
  };
  const { secret_key, webhook_secret: secret, hold_ms, now } = options;
  return {
    name: 'stripe',
    livemode: isLiveKey(secret_key),
    hold_ms,
    ...stripeFundings(client, now),
    ...stripePlans(client, now),
    ...stripePayees(client),
    ...stripeTransfers(client),
    ...stripePayouts(client),
    ...stripeBooks(client),
    readWebhook: async (body, signature) =>
      readStripeWebhook(await client(), { body, signature, secret, now_ms: now() }),
  };
}
