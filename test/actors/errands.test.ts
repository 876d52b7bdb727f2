// Errands: a few at once, each kind of trouble its own, none left behind when the service stops.
import { expect, test } from 'bun:test';
import { Errands } from '../../actors/errands.ts';

const quiet = (): void => {};

/** A promise that a test resolves. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = quiet;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test('sixteen run at once; the others follow as these come home', async () => {
  const errands = new Errands(quiet);
  const { opened, open } = gate();
  let [running, most, done] = [0, 0, 0];
  for (let n = 0; n < 50; n++) {
    errands.run(`look:${n}`, async () => {
      running += 1;
      most = Math.max(most, running);
      await opened;
      running -= 1;
      done += 1;
    });
  }
  await new Promise((next) => setImmediate(next));
  expect(running).toBe(16);
  open();
  await errands.idle();
  expect([most, done]).toEqual([16, 50]);
});

test('those of one key run one after the other, in order', async () => {
  const errands = new Errands(quiet);
  const order: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    errands.run('look:1', async () => {
      order.push(`${name} begins`);
      await new Promise((next) => setImmediate(next));
      order.push(`${name} ends`);
    });
  }
  await errands.idle();
  expect(order).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('one that throws is told by its kind and gives its place back', async () => {
  const told: string[] = [];
  const errands = new Errands((kind, error) => told.push(`${kind}: ${String(error)}`));
  for (let n = 0; n < 20; n++) {
    errands.run(`look:${n}`, async () => {
      throw new Error('no answer');
    });
  }
  await errands.idle();
  expect(told).toEqual(Array.from({ length: 20 }, () => 'look: Error: no answer'));
  let ran = false;
  errands.run('look:last', async () => {
    ran = true;
  });
  await errands.idle();
  expect(ran).toBe(true);
});

test('whoever waits for one waits no longer than it wants', async () => {
  const errands = new Errands(quiet);
  const { opened, open } = gate();
  errands.run('look:slow', () => opened);
  const started_ms = performance.now();
  await errands.over('look:slow', 20);
  expect(performance.now() - started_ms).toBeGreaterThan(15);
  await errands.over('look:unknown', 60_000);
  open();
  await errands.over('look:slow', 60_000);
  await errands.idle();
});

test('stopping calls back those that run and begins none that wait', async () => {
  const errands = new Errands(quiet);
  let begun = 0;
  for (let n = 0; n < 40; n++) {
    errands.run(`look:${n}`, (gone) => {
      begun += 1;
      return new Promise((resolve) => gone.addEventListener('abort', () => resolve()));
    });
  }
  await new Promise((next) => setImmediate(next));
  await errands.stop();
  expect(begun).toBe(16);
});
