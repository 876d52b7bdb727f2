// Checks whether Stripe accepts a key, by one free read. Null when it does, else the reason, without the key.
import { connectStripe } from './stripe.ts';

const LIMIT_MS = 5_000;

export async function reachStripe(secret_key: string, api_base: string | undefined): Promise<string | null> {
  try {
    const stripe = await connectStripe({ secret_key, api_base, timeout_ms: LIMIT_MS, retries: 0 });
    await stripe.balance.retrieve();
    return null;
  } catch (error) {
    const { statusCode, type } = Object(error);
    return typeof statusCode === 'number' ? `it answered ${statusCode}` : `no answer (${String(type ?? 'error')})`;
  }
}
