// The chain that CHAIN_RAIL names; null where none is on.
import type { Config } from '../../config.ts';
import type { ChainRail } from './chain.ts';
import { createSandboxChain } from './sandbox.ts';

export function openChain({ chainRail }: Pick<Config, 'chainRail'>, now: () => number): ChainRail | null {
  return chainRail === 'off' ? null : createSandboxChain({ now });
}
