// The service with Stripe of a test file, opened and closed by hooks.
import { kept } from './kept.ts';
import { openStripeService, type StripeService } from './with-stripe.ts';

/** One for all tests of the file. */
export function sharedStripe(): Pick<StripeService, 't' | 'double'> {
  let service: Promise<StripeService> | undefined;
  const open = (): Promise<StripeService> => {
    service ??= openStripeService();
    return service;
  };
  return {
    t: kept(
      'all',
      async () => (await open()).t,
      async () => (await open()).close(),
    ),
    double: kept(
      'all',
      async () => (await open()).double,
      async () => {},
    ),
  };
}
