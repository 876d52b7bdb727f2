// The built-in chain, which moves no real money. A transfer is final a minute after submission; two test addresses make it fail or
// expire. It stores nothing: the state of a transfer follows from its row.

import type { Config } from '../../config.ts';
import type { Called } from '../processor/processor.ts';
import type { ChainRail, ChainTransfer } from './chain.ts';

// Checks whether a text is a Solana wallet's address: 32 bytes in base58 that are a point of the curve Ed25519, as a wallet is a
// public key. Token accounts are off the curve, and transfers to one are lost.

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BYTES = 32;
/** 32 bytes in base58. */
const SHAPE = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const P = 2n ** 255n - 19n;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base % P;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % P;
    factor = (factor * factor) % P;
  }
  return result;
}

const D = ((P - 121665n) * power(121666n, P - 2n)) % P;

/** The number that base58 writes, and how many bytes that takes: each `1` in front is one of nothing. */
function decode(text: string): { readonly value: bigint; readonly bytes: number } {
  let value = 0n;
  for (const letter of text) value = value * 58n + BigInt(ALPHABET.indexOf(letter));
  const zeros = text.length - text.replace(/^1+/, '').length;
  const hex = value === 0n ? '' : value.toString(16);
  return { value, bytes: zeros + Math.ceil(hex.length / 2) };
}

/** The bytes are the number's, the highest first; a point has its lowest first, without the sign of x in the highest bit. */
function isPoint(value: bigint): boolean {
  let y = 0n;
  for (let left = value, place = BYTES - 1; place >= 0; place -= 1, left >>= 8n) {
    y |= (left & 0xffn) << BigInt(8 * place);
  }
  y &= 2n ** 255n - 1n;
  if (y >= P) return false;
  const x2 = ((y * y + P - 1n) * power(D * y * y + 1n, P - 2n)) % P;
  return x2 === 0n || power(x2, (P - 1n) / 2n) === 1n;
}

/** Why a text is no wallet's address; null when it is one. */
export function walletKeyProblem(text: string): string | null {
  if (!SHAPE.test(text)) return 'An address is 32 to 44 letters and digits of base58.';
  const { value, bytes } = decode(text);
  if (bytes !== BYTES) return 'An address is 32 bytes; some of this one are missing or too much.';
  return isPoint(value) ? null : 'That is no wallet key; give the address of the wallet, not of its token account.';
}

/** From the hand-over to the end. */
const SANDBOX_FINAL_MS = 60_000;
/** A transfer to it fails. */
export const FAILING_ADDRESS = 'Fai1edSandboxTransferxxxxxxxxxxxxxxxxxxxxxxx';
/** A transfer to it expires. */
export const EXPIRING_ADDRESS = 'ExpiredSandboxTransferxxxxxxxxxxxxxxxxxxxxxx';

const CHAIN = 'solana';

type End = Pick<ChainTransfer, 'status' | 'reason'>;

function endOf(to_address: string): End {
  if (to_address === FAILING_ADDRESS) return { status: 'failed', reason: 'chain_refused' };
  if (to_address === EXPIRING_ADDRESS) return { status: 'expired', reason: 'chain_expired' };
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

// The chain that CHAIN_RAIL names, or null.

export function openChain({ chainRail }: Pick<Config, 'chainRail'>, now: () => number): ChainRail | null {
  return chainRail === 'off' ? null : createSandboxChain({ now });
}
