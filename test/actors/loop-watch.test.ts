// The watch over the event loop: a turn that takes too long is told with the operation that took it. Time is handed in.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Type } from 'typebox';
import { type Held, LoopWatch } from '../../actors/loop-watch.ts';
import { portsOf } from '../../src/compose/ports.ts';
import { query } from '../../src/contract/operation.ts';
import { createLog } from '../../src/log.ts';
import { failedForGood } from '../../src/outbound/send-result.ts';
import { type Call, NO_CREDENTIALS } from '../../src/pipeline/call.ts';
import { Pipeline } from '../../src/pipeline/pipeline.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

/** A watch on a clock that only the test moves, with what it told. */
function watched() {
  let [now, cpu] = [0, 0];
  const told: Held[] = [];
  const watch = new LoopWatch(
    () => now,
    () => cpu,
  );
  watch.onHeld((held) => told.push(held));
  const pass = (ms: number, cpu_ms = ms): void => {
    now += ms;
    cpu += cpu_ms;
  };
  return { watch, told, pass };
}

describe('a turn of the event loop', () => {
  test('that takes too long is told once, with the operation that began it', () => {
    const { watch, told, pass } = watched();
    watch.noteBegin('message.list');
    pass(1);
    watch.noteBegin('listing.create');
    pass(300);
    watch.noteBegin('inbox.pull');
    pass(10);
    watch.beat();
    expect(told).toEqual([{ operation: 'listing.create', ms: 300, cpu_ms: 300 }]);
  });

  test("is nobody's when no operation had begun since the last beat", () => {
    const { watch, told, pass } = watched();
    watch.noteBegin('message.list');
    pass(40);
    watch.beat();
    pass(250);
    watch.beat();
    expect(told).toEqual([{ operation: null, ms: 250, cpu_ms: 250 }]);
  });

  test('that waited for the disk is told with the CPU time that it took', () => {
    const { watch, told, pass } = watched();
    pass(50);
    watch.beat();
    watch.noteBegin('commit');
    pass(500, 3);
    watch.beat();
    expect(told).toEqual([{ operation: 'commit', ms: 500, cpu_ms: 3 }]);
  });

  test('of two hundred milliseconds is none that is told, and the lag is', () => {
    const { watch, told, pass } = watched();
    for (const ms of [50, 50, 200, 50]) {
      pass(ms);
      watch.beat();
    }
    expect(told).toEqual([]);
    expect([watch.takeLag(), watch.takeLag()]).toEqual([150, 0]);
  });
});

describe('an operation that holds the loop', () => {
  let t: TestService;
  beforeAll(async () => {
    t = await openTestService();
  });
  afterAll(() => t.close());

  test('is named, whatever came before and after it', async () => {
    const { watch, told, pass } = watched();
    const planted = query({
      name: 'label.search',
      summary: 'Hold the loop',
      input: Type.Object({}),
      output: Type.Object({}),
      access: 'public',
      run: async () => {
        pass(400);
        return {};
      },
    });
    const world = { ...t.service.world, loop: watch };
    const pipeline = new Pipeline(
      world,
      portsOf(world, { mailer: { send: async () => failedForGood('no mail here') }, log: createLog('silent') }),
      { check_replies: true, report: () => {} },
    );
    const call: Call = {
      operation: planted,
      input: {},
      bytes: 0,
      credential: NO_CREDENTIALS,
      acting: null,
      origin: { ip: '192.0.2.1', browser: false },
      idempotency_key: null,
      request_id: 'r',
    };
    expect(await pipeline.run(call)).toMatchObject({ status: 'ok' });
    expect(told).toEqual([{ operation: 'label.search', ms: 400, cpu_ms: 400 }]);
  });
});
