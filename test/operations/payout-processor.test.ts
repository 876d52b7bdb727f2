// A payout is asked of, and handed to, the processor that it began with and no other: after PAYMENTS was changed it waits.
import { expect, test } from 'bun:test';
import type { Row } from '../../db/schema/tables.ts';
import type { Processor } from '../../src/outbound/processor/processor.ts';
import { createSandbox } from '../../src/outbound/processor/sandbox.ts';
import { lookAt } from '../../src/steps/payout/look.ts';

const books = { decided: async () => null, submittedAt: async () => 0 };
const options = { base_url: 'http://localhost', key: new Uint8Array(32), hold_ms: 0, books, now: () => 1 };

const payout = (status: Row<'payouts'>['status'], payee: string, transfer_id: string | null): Row<'payouts'> => ({
  ...{ id: 'p', agent_id: 'a', account_id: 'b', rail: 'bank', amount_cents: 5000, status, payee, transfer_id },
  ...{ reason: null, needs_action: 0, to_address: null, bank: null, request_key: null, payout_id: null },
  ...{ submitted_at: null, ended_at: null, created_at: 0, version: 1 },
});

test.each([
  ['stripe', 'sandbox_1'],
  ['sandbox', 'acct_1'],
] as const)('%s is neither asked of a payout to %s nor handed one', async (name, payee) => {
  let calls = 0;
  const counted = new Proxy({ ...createSandbox(options), name } as Processor, {
    get: (of, key) => {
      if (key !== 'name') calls += 1;
      return Reflect.get(of, key);
    },
  });
  const tasks = { call: async <T>({ work }: { readonly work: () => Promise<T> }) => work() };
  const ports = { processor: counted, chain: null, tasks } as unknown as Parameters<typeof lookAt>[1];
  for (const [status, transfer_id] of [
    ['pending', null],
    ['submitted', 'tr_1'],
    ['failed', 'tr_1'],
    ['finalized', 'tr_1'],
  ] as const) {
    expect((await lookAt(payout(status, payee, transfer_id), ports)).is).toBe('unknown');
  }
  expect(calls).toBe(0);
  const own = name === 'sandbox' ? 'sandbox_1' : 'acct_1';
  expect((await lookAt(payout('pending', own, null), ports)).is).toBe('transferred');
});
