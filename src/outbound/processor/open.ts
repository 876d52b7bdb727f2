// The processor that PAYMENTS names; null where the service takes no money.
import type { Config } from '../../config.ts';
import type { Processor } from './processor.ts';
import { createSandbox, type SandboxOptions } from './sandbox.ts';

const DAY_MS = 86_400_000;

/** Opens the configured processor. `FUNDING_HOLD_DAYS` is 0 with the sandbox and 7 with Stripe unless set. */
export function openProcessor(
  { payments, fundingHoldDays }: Pick<Config, 'payments' | 'fundingHoldDays'>,
  sandbox: Omit<SandboxOptions, 'hold_ms'>,
): Processor | null {
  if (payments === 'none') return null;
  return createSandbox({ ...sandbox, hold_ms: (fundingHoldDays ?? 0) * DAY_MS });
}
