// How long `startMeshwork()` of the client takes, from the call to two agents that are verified and have money: what each test file waits.
import { startMeshwork } from '../../src/client/testing.ts';
import { BINARY, buildBinary } from './binary.ts';
import { onServerCore } from './children.ts';
import type { Job } from './job.ts';
import { monotonicMs } from './monotonic.ts';
import { spread } from './statistics.ts';

const MOST_MS = 400;

export const testingJob: Job = {
  name: 'testing',
  about: 'startMeshwork() of the client, until two agents have money',
  run: async (bench) => {
    bench.progress(0, 'building the binary');
    await buildBinary();
    const rounds = Math.max(bench.effort.rounds, 5);
    const took: number[] = [];
    for (let round = 0; round < rounds; round++) {
      bench.progress(0.5 + round / (2 * rounds), 'starting');
      const began_ms = monotonicMs();
      await using _mesh = await startMeshwork({ command: onServerCore([BINARY]) });
      took.push(monotonicMs() - began_ms);
    }
    const { mid, min, max } = spread(took);
    const ours = `${mid.toFixed(0)} ms (${min.toFixed(0)}–${max.toFixed(0)})`;
    return [{ job: 'startMeshwork()', ours, target: `≤ ${MOST_MS} ms`, met: mid <= MOST_MS }];
  },
};
