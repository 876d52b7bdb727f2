// A chain on which dollars are paid out, as the service knows it. The id of our row names a transfer for ever: the same one
// again is the first.
import type { Called } from '../processor/processor.ts';

export interface ChainTransfer {
  readonly external_id: string;
  readonly status: 'pending' | 'finalized' | 'failed' | 'expired';
  readonly reason: string | null;
}

export interface ChainRail {
  readonly name: 'sandbox';
  readonly chains: readonly string[];
  /** Why an address is none of a wallet on that chain, or null when it is one. */
  addressProblem(chain: string, to_address: string): string | null;
  transfer(ask: {
    readonly id: string;
    readonly chain: string;
    readonly to_address: string;
    readonly amount_cents: number;
  }): Promise<Called<ChainTransfer>>;
  /** Null where nothing was ever sent for the row. */
  findTransfer(row: {
    readonly id: string;
    readonly to_address: string;
    readonly submitted_at: number;
  }): Promise<Called<ChainTransfer | null>>;
}
