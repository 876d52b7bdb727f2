// What waits for the world: so many calls to a host at once, each kind of trouble its own, an end for each in time, and
// none left behind when the service stops.
import { expect, test } from 'bun:test';
import { BackgroundTasks, type Task } from '../../actors/background-tasks.ts';
import { PER_HOST } from '../../actors/host-slots.ts';

const quiet = (): void => {};
const LONG_MS = 60_000;

const look = (host: string, work: Task['work'], deadline_ms = LONG_MS): Task => ({
  hosts: [host],
  deadline_ms,
  looks: true,
  work,
});

/** Waits for ever, save that it heeds its signal. */
const hanging = (gone: AbortSignal): Promise<void> =>
  new Promise((resolve) => gone.addEventListener('abort', () => resolve()));

const tick = (): Promise<void> => new Promise((next) => setImmediate(next));

test('a host gets eight calls at once; the others follow as these come home', async () => {
  const tasks = new BackgroundTasks(quiet);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let [running, most, done] = [0, 0, 0];
  for (let n = 0; n < 50; n++) {
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await opened;
      running -= 1;
      done += 1;
    };
    tasks.run(`look:${n}`, look('one.example', work));
  }
  await tick();
  expect(running).toBe(PER_HOST);
  open();
  await tasks.idle();
  expect([most, done]).toEqual([PER_HOST, 50]);
});

test('a host that hangs takes its own slots only, and its deadline gives them back', async () => {
  const tasks = new BackgroundTasks(quiet);
  for (let n = 0; n < 3 * PER_HOST; n++) {
    // These do not even heed their signal.
    tasks.run(
      `look:${n}`,
      look('hangs.example', () => new Promise(quiet), 20),
    );
  }
  let answered = 0;
  for (let n = 0; n < 3 * PER_HOST; n++) {
    tasks.run(
      `other:${n}`,
      look('answers.example', async () => {
        answered += 1;
      }),
    );
  }
  await tasks.over(`other:${3 * PER_HOST - 1}`, LONG_MS);
  expect(answered).toBe(3 * PER_HOST);
  await tasks.idle();
});

test("who has gone from a full host's line holds up nobody behind", async () => {
  const tasks = new BackgroundTasks(quiet);
  const opened = Promise.withResolvers<void>();
  for (let n = 0; n < PER_HOST; n++)
    tasks.run(
      `full:${n}`,
      look('full.example', () => opened.promise),
    );
  // Their callers have waited in vain, and many of them: those who leave call up several each.
  const short = { ...look('full.example', hanging, 1), work: async () => 'too late' };
  const gone = await Promise.all(Array.from({ length: 20 * PER_HOST }, () => tasks.call(short)));
  expect(new Set(gone)).toEqual(new Set([null]));
  let done = false;
  const last = async (): Promise<void> => {
    done = true;
  };
  tasks.run('look:last', look('full.example', last));
  opened.resolve();
  await tasks.over('look:last', 2_000);
  expect(done).toBe(true);
});

test('who waits for two hosts holds up nobody who waits for one of them', async () => {
  const tasks = new BackgroundTasks(quiet);
  const opened = Promise.withResolvers<void>();
  for (let n = 0; n < PER_HOST; n++) tasks.run(`full:${n}`, look('full.example', hanging, LONG_MS));
  // One of these ends, so that one slot is free and is offered to the first in line.
  for (let n = 0; n < PER_HOST; n++) {
    tasks.run(`soon:${n}`, look('soon.example', n === 0 ? () => opened.promise : hanging));
  }
  const order: string[] = [];
  const both = async (): Promise<void> => void order.push('both');
  tasks.run('both:1', { ...look('soon.example', both), hosts: ['soon.example', 'full.example'] });
  tasks.run(
    'one:1',
    look('soon.example', async () => void order.push('one')),
  );
  opened.resolve();
  await tasks.over('one:1', LONG_MS);
  expect(order).toEqual(['one']);
  await tasks.stop();
});

test('those of one key run one after the other, and what waits gives way to what is asked for later', async () => {
  const tasks = new BackgroundTasks(quiet);
  const order: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const work = async (): Promise<void> => {
      order.push(`${name} begins`);
      await tick();
      order.push(`${name} ends`);
    };
    tasks.run('look:1', look('one.example', work));
  }
  await tasks.idle();
  expect(order).toEqual(['a', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('one that throws is told by its kind and gives its place back', async () => {
  const told: string[] = [];
  const tasks = new BackgroundTasks((kind, error) => told.push(`${kind}: ${String(error)}`));
  const work = async (): Promise<void> => {
    throw new Error('no answer');
  };
  for (let n = 0; n < 2 * PER_HOST; n++) tasks.run(`look:${n}`, look('one.example', work));
  await tasks.idle();
  expect(told).toEqual(Array.from({ length: 2 * PER_HOST }, () => 'look: Error: no answer'));
  let ran = false;
  tasks.run(
    'look:last',
    look('one.example', async () => {
      ran = true;
    }),
  );
  await tasks.idle();
  expect(ran).toBe(true);
});

test('whoever waits for one waits no longer than it wants', async () => {
  const tasks = new BackgroundTasks(quiet);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  tasks.run(
    'look:slow',
    look('one.example', () => opened),
  );
  await tasks.over('look:slow', 1);
  await tasks.over('look:unknown', LONG_MS);
  open();
  await tasks.over('look:slow', LONG_MS);
  await tasks.idle();
});

test('a call that somebody waits for has an answer, an error or, when it is late, none; then it is cut off', async () => {
  const tasks = new BackgroundTasks(quiet);
  const to = { hosts: ['one.example'], looks: true };
  expect(await tasks.call({ ...to, deadline_ms: LONG_MS, work: async () => 'here' })).toBe('here');
  const broken = tasks.call({ ...to, deadline_ms: LONG_MS, work: () => Promise.reject(new Error('no answer')) });
  expect(broken).rejects.toThrow('no answer');
  let cut = false;
  const late = (gone: AbortSignal): Promise<string> =>
    hanging(gone).then(() => {
      cut = true;
      return 'late';
    });
  expect(await tasks.call({ ...to, deadline_ms: 5, work: late })).toBeNull();
  await tasks.idle();
  expect(cut).toBe(true);
  for (let n = 0; n < PER_HOST; n++) tasks.run(`look:${n}`, look('one.example', hanging));
  expect(await tasks.call({ ...to, deadline_ms: 5, work: async () => 'no slot' })).toBeNull();
  await tasks.stop();
});

test('a stop cuts looks off at once, gives what others receive a moment, and begins none that wait', async () => {
  const tasks = new BackgroundTasks(quiet);
  let begun = 0;
  const counted: Task['work'] = (gone) => {
    begun += 1;
    return hanging(gone);
  };
  for (let n = 0; n < 5 * PER_HOST; n++) tasks.run(`look:${n}`, look('one.example', counted));
  const sent = Promise.withResolvers<void>();
  let arrived = false;
  const letter = async (gone: AbortSignal): Promise<void> => {
    await sent.promise;
    arrived = !gone.aborted;
  };
  tasks.run('send:1', { hosts: ['mail'], deadline_ms: LONG_MS, work: letter });
  await tick();
  const stopped = tasks.stop();
  await tasks.idle('send');
  sent.resolve();
  await stopped;
  tasks.run('look:late', look('one.example', counted));
  await tasks.idle();
  expect([begun, arrived]).toEqual([PER_HOST, true]);
});

test('a stop ends what hangs', async () => {
  const tasks = new BackgroundTasks(quiet);
  tasks.run('send:1', { hosts: ['mail'], deadline_ms: LONG_MS, work: () => new Promise(quiet) });
  const call = tasks.call({ hosts: ['one.example'], deadline_ms: LONG_MS, work: () => new Promise<string>(quiet) });
  await tick();
  await tasks.stop();
  expect(await call).toBeNull();
  expect(tasks.cut.aborted).toBe(true);
});
