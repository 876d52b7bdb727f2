// The order around a group's COMMIT: what the disk has is answered before anything else is done, and what needs a moment
// without a transaction gets one.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { GroupCommit, type GroupHooks } from '../../db/sqlite/group.ts';

const HOOKS: GroupHooks = { opening() {}, flush() {}, committed() {}, undone() {}, failed() {} };

function groups(hooks: Partial<GroupHooks>): { group: GroupCommit; db: Database } {
  const db = new Database(':memory:');
  return { db, group: new GroupCommit(db, { ...HOOKS, ...hooks }, false) };
}

test('what is done between two groups waits for the replies of the last one, and for a moment without a transaction', async () => {
  const order: string[] = [];
  const { group, db } = groups({
    committed: () => {
      order.push('listeners');
      if (!order.includes('copy')) group.between(() => order.push(db.inTransaction ? 'copy in a transaction' : 'copy'));
    },
  });
  const turn = async (name: string): Promise<void> => {
    await group.join()?.waitForSettled;
    order.push(name);
  };
  const [first, second] = [turn('reply 1'), turn('reply 2')];
  await first;
  // One that had begun before the pause still joins; the copy then waits for its group too.
  const third = turn('reply 3');
  await Promise.all([second, third]);
  await group.pause;
  expect(order).toEqual(['listeners', 'reply 1', 'reply 2', 'listeners', 'reply 3', 'copy']);
  expect(group.pause).toBeNull();
});

test('what is asked for twice before there is a moment for it is done once, and nobody waits for ever', async () => {
  const order: string[] = [];
  const { group } = groups({});
  group.between(() => order.push('first'));
  const waiting = group.pause?.then(() => order.push('told'));
  group.between(() => order.push('second'));
  await group.pause;
  await Promise.race([waiting, new Promise((resolve) => setImmediate(resolve))]);
  expect(order).toEqual(['second', 'told']);
});

test('a group that cannot even be rolled back tells its turns so', async () => {
  const { group, db } = groups({
    flush: () => {
      if (broken) throw new Error('the disk is full');
    },
  });
  let broken = false;
  await group.join()?.waitForSettled;
  broken = true;
  const doomed = group.join()?.waitForSettled;
  db.run = () => {
    throw new Error('no way back');
  };
  expect((await Promise.allSettled([doomed]))[0]).toMatchObject({
    status: 'rejected',
    reason: { message: 'the disk is full' },
  });
});
