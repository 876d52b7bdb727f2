// A chain that behaves badly: it loses questions before it does what they ask, and answers after; it refuses; transfers fail or
// expire. What it sent it keeps, by our ids.
import type { ChainRail, ChainTransfer } from '../../src/outbound/chain/chain.ts';
import type { Called } from '../../src/outbound/processor/processor.ts';
import type { Trouble } from './faulty-processor.ts';

const FINAL_MS = 60_000;

export type ChainEnd = 'finalized' | 'failed' | 'expired';

export interface FaultyChainOptions {
  now(): number;
  trouble(call: 'transfer' | 'findTransfer', id: string): Trouble;
  end(id: string): ChainEnd;
}

export interface FaultyChain {
  readonly chain: (sandbox: ChainRail) => ChainRail;
  /** What has reached its address of a payout, or may still do so. */
  outside(id: string): number;
}

const done = <T>(value: T): Called<T> => ({ outcome: 'done', value });

/** A chain with the troubles that a test asks for. */
export function faultyChain({ now, trouble, end }: FaultyChainOptions): FaultyChain {
  const sent = new Map<string, { readonly amount_cents: number; readonly at: number }>();

  function stateOf(id: string): ChainTransfer | null {
    const known = sent.get(id);
    if (!known) return null;
    const status = now() < known.at + FINAL_MS ? 'pending' : end(id);
    return { external_id: `ch_${id}`, status, reason: status === 'failed' ? 'No funds for the fee.' : null };
  }

  async function call<T>(name: 'transfer' | 'findTransfer', id: string, work: () => T): Promise<Called<T>> {
    const which = trouble(name, id);
    if (which === 'lost') return { outcome: 'unknown', reason: 'The node was away.' };
    if (which === 'refused' && name === 'transfer' && !sent.has(id)) return { outcome: 'refused', reason: 'refused' };
    const answer = work();
    return which === 'unanswered' ? { outcome: 'unknown', reason: 'The answer was lost.' } : done(answer);
  }

  return {
    chain: (sandbox) => ({
      ...sandbox,
      transfer: ({ id, amount_cents }) =>
        call('transfer', id, () => {
          if (!sent.has(id)) sent.set(id, { amount_cents, at: now() });
          return stateOf(id) as ChainTransfer;
        }),
      findTransfer: ({ id }) => call('findTransfer', id, () => stateOf(id)),
    }),
    outside: (id) => {
      const status = stateOf(id)?.status;
      return status === 'pending' || status === 'finalized' ? (sent.get(id)?.amount_cents ?? 0) : 0;
    },
  };
}
