// Whether the configured processor may be used with the money that the wallets hold.
import { firstCheckoutPaid, firstFundingPaid } from '../../../db/queries/processor.ts';
import type { Store } from '../../../db/store.ts';
import { ORIGIN_WORDS, originOf, originOfPage } from '../../domain/money/origin.ts';
import type { Processor } from '../../outbound/processor/processor.ts';

/** Why not; null where all that was ever paid in is of this processor, or nothing was. */
export async function strangeMoney(
  read: Store['read'],
  processor: Pick<Processor, 'name' | 'livemode'> | null,
): Promise<string | null> {
  if (!processor) return null;
  const first = await Promise.all([read(firstFundingPaid, {}), read(firstCheckoutPaid, {})]);
  const asked = originOf(processor);
  const other = first.flatMap((row) => (row ? [originOfPage(row)] : [])).find((held) => held !== asked);
  if (other === undefined) return null;
  return (
    `this database holds money of ${ORIGIN_WORDS[other]}, which is never mixed with that of ${ORIGIN_WORDS[asked]}; ` +
    'take a database of its own, or the payments that it began with'
  );
}
