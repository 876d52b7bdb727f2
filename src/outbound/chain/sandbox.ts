// The built-in chain, on which no real money moves. A transfer is final a minute after it was handed over, or fails or expires where
// it goes to one of two addresses that stand for that. It keeps nothing: what has become of a transfer follows from its row.
import type { Called } from '../processor/processor.ts';
import type { ChainRail, ChainTransfer } from './chain.ts';
import { walletKeyProblem } from './wallet-key.ts';

/** From the hand-over to the end. */
const SANDBOX_FINAL_MS = 60_000;
/** A transfer to it fails. */
export const FAILING_ADDRESS = 'Fai1edSandboxTransferxxxxxxxxxxxxxxxxxxxxxxx';
/** A transfer to it expires. */
export const EXPIRING_ADDRESS = 'ExpiredSandboxTransferxxxxxxxxxxxxxxxxxxxxxx';

const CHAIN = 'solana';

type End = Pick<ChainTransfer, 'status' | 'reason'>;

function endOf(to_address: string): End {
  if (to_address === FAILING_ADDRESS) return { status: 'failed', reason: 'The chain refused the transfer.' };
  if (to_address === EXPIRING_ADDRESS)
    return { status: 'expired', reason: 'The transfer expired before it was final.' };
  return { status: 'finalized', reason: null };
}

const done = <T>(value: T): Called<T> => ({ outcome: 'done', value });

/** Opens it over the service's clock. */
export function createSandboxChain({ now }: { readonly now: () => number }): ChainRail {
  const external_id = (id: string): string => `sandbox_chain_${id}`;
  return {
    name: 'sandbox',
    chains: [CHAIN],
    addressProblem: (chain, to_address) =>
      chain === CHAIN ? walletKeyProblem(to_address) : `The only chain here is ${CHAIN}.`,
    transfer: async ({ id }) => done({ external_id: external_id(id), status: 'pending', reason: null }),
    findTransfer: async ({ id, to_address, submitted_at }) => {
      const end: End =
        now() >= submitted_at + SANDBOX_FINAL_MS ? endOf(to_address) : { status: 'pending', reason: null };
      return done({ external_id: external_id(id), ...end });
    },
  };
}
