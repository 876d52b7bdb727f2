// Counts the steps of code that reads a stranger's text, so that a test can hold it to linear time without a clock: the
// text is doubled, and the steps may double. The module and all that it imports are copied to a folder of their own with
// counting put in (`steps/instrument.ts`); what regular expressions do inside is judged by `tidy`.
import { expect } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { instrument } from './steps/instrument.ts';
import { stepsOf } from './steps/natives.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'meshwork-steps-'));
process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true }));

const copyOf = (path: string): string => join(FOLDER, path.replaceAll('node_modules', 'packages'));

/** Copies a module and what it imports; of packages only those that are named. */
function copy(path: string, packages: readonly string[]): string {
  const to = copyOf(path);
  if (existsSync(to)) return to;
  mkdirSync(dirname(to), { recursive: true });
  // Written first, since modules may import one another in a circle.
  writeFileSync(to, '');
  const moved = (specifier: string): string | null => {
    if (specifier.startsWith('node:') || specifier.startsWith('bun:')) return null;
    const found = Bun.resolveSync(specifier, dirname(path));
    const ours = !found.includes('/node_modules/') || packages.some((name) => found.includes(`/node_modules/${name}/`));
    return ours && /\.(?:ts|js|mjs)$/.test(found) ? copy(found, packages) : found;
  };
  writeFileSync(to, instrument(path, readFileSync(path, 'utf8'), moved));
  return to;
}

/** Loads a module of which every step is counted; `packages` are libraries whose steps count too. */
export async function loadCounted<T>(path: string, packages: readonly string[] = []): Promise<T> {
  return (await import(copy(Bun.resolveSync(path, process.cwd()), packages))) as T;
}

/** Beside what grows with the text: tables that are made at the first call, and what a call costs anyway. */
const FIXED = 2_000;
/** Twice the text may take twice the steps; sorting takes a little more. */
const GROWTH_MAX = 2.2;

/** Fails when twice as many repetitions of `unit` take more than twice the steps. */
export function expectLinear(read: (text: string) => unknown, unit: string, chars = 4_096): void {
  const text = unit.repeat(Math.ceil(chars / unit.length));
  stepsOf(() => read(text));
  const [once, twice] = [stepsOf(() => read(text)), stepsOf(() => read(text + text))];
  const told = `${once} steps, then ${twice}`;
  const growth = twice <= once * GROWTH_MAX + FIXED ? 'in proportion' : told;
  expect({ unit, growth }).toEqual({ unit, growth: 'in proportion' });
}
