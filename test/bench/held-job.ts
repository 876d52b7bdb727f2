// How long one call of a free account holds the event loop, in which nobody else is served: all operations with the widest input
// that their schemas allow, of several signs that cost readers most, and with lists as long as a body can hold.
import { join } from 'node:path';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { registry } from '../../src/operations/registry.ts';
import { fillFolder, HERE } from './checkout.ts';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { median } from './statistics.ts';
import { talksOf } from './talks.ts';
import { longLists, widest } from './widest.ts';

const UNITS = ['harbour rope ', 'ﷺ', '½@', '٣٤ ', 'one½', '1 st ', '0o', '㋿'];
const HELD_MAX_MS = 20;
/** The calls that held longest are measured again, each so often, and told by their medians. */
const AGAIN = 12;
const LAPS = 5;
const ENV = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'error', BENCH_TELLS: 'turns' } as const;

export interface Asked {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** An address with what of the input stands in it, and the rest of the input. */
function addressed(path: string, input: Record<string, unknown>, handle: string) {
  const rest = { ...input };
  const whole = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === 'handle' ? handle : rest[name];
    delete rest[name];
    return encodeURIComponent(typeof value === 'string' && value.length < 200 ? value : 'x');
  });
  return { whole, rest };
}

export function askedBy(
  { name, rest }: AnyOperation,
  input: Record<string, unknown>,
  handle: string,
  how: string,
): Asked | null {
  const binding = rest.find(({ alias }) => !alias);
  if (!binding) return null;
  const { whole, rest: body } = addressed(binding.path, input, handle);
  const bodyless = binding.method === 'GET' || binding.method === 'DELETE';
  const query = bodyless ? new URLSearchParams(Object.entries(body).map(([k, v]) => [k, String(v)])) : '';
  // A longer address is refused before anybody reads it.
  const path = `${whole}?${query}`.slice(0, 8_000);
  return { name: `${name}, ${how}`, method: binding.method, path, body: bodyless ? undefined : JSON.stringify(body) };
}

/** What ends the account or the agent would end the run. */
export function repeatable(): AnyOperation[] {
  return registry().filter(
    ({ access, effect, kind }) => access !== 'internal' && effect !== 'destroys' && kind !== 'stream',
  );
}

/** Every call that is made. */
function calls(handle: string): Asked[] {
  return repeatable().flatMap((operation) => {
    const { input, example = {} } = operation;
    const wide = UNITS.map((unit) =>
      askedBy(
        operation,
        widest(input, unit, example as Readonly<Record<string, unknown>>),
        handle,
        JSON.stringify(unit),
      ),
    );
    const long = longLists(input, example as Readonly<Record<string, unknown>>).map((one) =>
      askedBy(operation, one, handle, 'a long list'),
    );
    return [...wide, ...long].filter((asked) => asked !== null);
  });
}

/** How long a call held the server's loop. */
async function heldBy({ port, ask }: Child, key: string, { method, path, body }: Asked): Promise<number> {
  await ask({ ask: 'turns' });
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  await answer.arrayBuffer();
  const told = await ask({ ask: 'turns' });
  const [longest] = (told.told === 'done' && told.turns) || [];
  return longest?.cpu_ms ?? 0;
}

async function run(bench: Bench): Promise<Row[]> {
  const talks = talksOf(2);
  const [side] = talks[0]?.sides ?? [];
  if (!side) throw new Error('nobody calls');
  const data_dir = join(bench.folder, 'held');
  await fillFolder(HERE, data_dir, talks);
  const target = await serve(bench, './mesh-server.ts', { ...ENV, DATA_DIR: data_dir });
  const all = calls(side.handle);
  // Each operation is compiled at its first call.
  for (const asked of all.filter(({ name }) => name.includes(UNITS[0] ?? ''))) await heldBy(target, side.key, asked);
  const first: { asked: Asked; ms: number }[] = [];
  for (const [at, asked] of all.entries()) {
    if (at % 200 === 0) bench.progress((0.8 * at) / all.length, asked.name);
    first.push({ asked, ms: await heldBy(target, side.key, asked) });
  }
  const longest: { name: string; ms: number }[] = [];
  for (const { asked } of first.sort((a, b) => b.ms - a.ms).slice(0, AGAIN)) {
    const laps: number[] = [];
    for (let lap = 0; lap < LAPS; lap++) laps.push(await heldBy(target, side.key, asked));
    longest.push({ name: asked.name, ms: median(laps) });
  }
  longest.sort((a, b) => b.ms - a.ms);
  const [worst] = longest;
  return [
    {
      job: `the longest hold of ${all.length} calls`,
      ours: `${(worst?.ms ?? 0).toFixed(1)} ms`,
      target: `≤ ${HELD_MAX_MS} ms`,
      met: (worst?.ms ?? 0) <= HELD_MAX_MS,
      note: longest
        .slice(0, 5)
        .map(({ name, ms }) => `${name} ${ms.toFixed(1)}`)
        .join('; '),
    },
  ];
}

export const heldJob: Job = {
  name: 'held',
  about: 'the longest time that one call holds the event loop, of all operations with the widest inputs',
  run,
};
