// The built-in chain: which addresses are wallets of Solana, and what becomes of transfers.
import { describe, expect, test } from 'bun:test';
import {
  createSandboxChain,
  EXPIRING_ADDRESS,
  FAILING_ADDRESS,
  walletKeyProblem,
} from '../../src/outbound/chain/sandbox.ts';

describe('an address', () => {
  test.each([
    ['a wallet', 'vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg', null],
    ['one that stands for failing', FAILING_ADDRESS, null],
    ['one that stands for expiring', EXPIRING_ADDRESS, null],
    ['the system program, all zeros', '11111111111111111111111111111111', null],
    ['letters that base58 has not', 'O0Il'.repeat(9), 'base58'],
    ['too short', 'vines1vzrYbzLMRdu58ou5XTby4qAqVRLm', '32 bytes'],
    ['too large for 32 bytes', 'z'.repeat(44), '32 bytes'],
    ['nothing', '', 'base58'],
  ])('%s', (_what, address, problem) => {
    if (problem === null) expect(walletKeyProblem(address)).toBeNull();
    else expect(walletKeyProblem(address)).toContain(problem);
  });

  test('of a token account is refused, and says which to give', () => {
    // Half of all numbers are no points; of these the last letter differs.
    const others = [...'23456789ABCDEFGH'].map((last) => `vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPT${last}`);
    const problems = others.map(walletKeyProblem);
    expect(problems).toContain(null);
    expect(problems.find((problem) => problem?.includes('token account'))).toBeDefined();
  });
});

test('of another chain is refused', () => {
  const chain = createSandboxChain({ now: () => 0 });
  expect(chain.addressProblem('ethereum', FAILING_ADDRESS)).toContain('solana');
  expect(chain.addressProblem('solana', FAILING_ADDRESS)).toBeNull();
});
