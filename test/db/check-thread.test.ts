// Whoever asks for a check of the ledger waits for a thread, and nobody else waits for anything: one check at a time, its answer for all who
// asked meanwhile, and a thread that fails or is left behind ends nothing but its own check.
import { describe, expect, test } from 'bun:test';
import { type CheckAnswered, type CheckAsked, CheckThread } from '../../db/check-thread.ts';
import type { LedgerChecked } from '../../db/ledger-check/problems.ts';

const CHECKED: LedgerChecked = { ok: true, accounts: 0, transfers: 0, sum_cents: 0, problems: [] };

/** A thread that answers when the test says so. */
class HeldThread {
  onmessage: ((event: { data: CheckAnswered }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  readonly asked: CheckAsked[] = [];
  terminated = 0;
  postMessage(asked: CheckAsked): void {
    this.asked.push(asked);
  }
  terminate(): void {
    this.terminated += 1;
  }
}

function opened() {
  const threads: HeldThread[] = [];
  const ledger = new CheckThread('ledger', 'where', () => {
    const thread = new HeldThread();
    threads.push(thread);
    // What is used of a thread is what stands above.
    return thread as unknown as Worker;
  });
  return { ledger, threads };
}

describe('a check that is held', () => {
  test('holds up nobody: the thread that asked goes on, and who asks too gets the same answer', async () => {
    const { ledger, threads } = opened();
    const both = Promise.all([ledger.check(1), ledger.check(2)]);
    let turns = 0;
    for (; turns < 5; turns++) await new Promise((next) => setImmediate(next));
    expect([turns, threads.length, threads[0]?.asked]).toEqual([
      5,
      1,
      [{ check: 'ledger', where: 'where', now_ms: 1 }],
    ]);
    threads[0]?.onmessage?.({ data: { checked: CHECKED } });
    expect(await both).toEqual([CHECKED, CHECKED]);
    expect(threads[0]?.terminated).toBe(1);
  });

  test('is followed by one of its own once it is answered', async () => {
    const { ledger, threads } = opened();
    const first = ledger.check(1);
    threads[0]?.onmessage?.({ data: { checked: CHECKED } });
    await first;
    const second = ledger.check(2);
    threads[1]?.onmessage?.({ data: { checked: CHECKED } });
    await second;
    expect(threads.map(({ asked }) => asked[0]?.now_ms)).toEqual([1, 2]);
  });

  test.each([
    ['fails', (thread: HeldThread) => thread.onmessage?.({ data: { failed: 'no such table' } }), 'no such table'],
    ['dies', (thread: HeldThread) => thread.onerror?.({ message: 'out of memory' }), 'out of memory'],
  ] as const)('and %s is told to who asked, and ended', async (_what, end, why) => {
    const { ledger, threads } = opened();
    const asked = ledger.check(1);
    if (threads[0]) end(threads[0]);
    expect(asked).rejects.toThrow(why);
    await asked.catch(() => {});
    expect(threads[0]?.terminated).toBe(1);
  });

  test('ends with the store', async () => {
    const { ledger, threads } = opened();
    const asked = ledger.check(1);
    ledger.close();
    expect(asked).rejects.toThrow('closed');
    await asked.catch(() => {});
    expect(threads[0]?.terminated).toBe(1);
  });
});
