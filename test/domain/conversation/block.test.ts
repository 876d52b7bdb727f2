// Blocks: who may still write in a thread.
import { describe, expect, test } from 'bun:test';
import { writeFault } from '../../../src/domain/conversation/conversation.ts';

const OPEN = { status: 'open' as const, updated_at: 0, opener_blocks: 0, other_blocks: 0 };

describe('writing in a thread', () => {
  test.each([
    ['neither blocks: both may', OPEN, null, null],
    ['the other blocks the opener', { ...OPEN, other_blocks: 1 }, 'blocked', null],
    ['the opener blocks the other', { ...OPEN, opener_blocks: 1 }, null, 'blocked'],
    [
      'a closed thread takes no words',
      { ...OPEN, status: 'closed' as const },
      'conversation_closed',
      'conversation_closed',
    ],
    [
      'a block is told before the end',
      { ...OPEN, status: 'closed' as const, opener_blocks: 1, other_blocks: 1 },
      'blocked',
      'blocked',
    ],
  ])('%s', (_, thread, opener, other) => {
    const faults: unknown[] = [true, false].map((opener) => writeFault(thread, opener, 0)?.fault ?? null);
    expect(faults).toEqual([opener, other]);
  });
});
