// The developers' scripts as somebody meets them who has just cloned: each says what it does, what it takes and how long,
// before anything is got or started, and refuses what it does not know.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '..');
const SCRIPTS = readdirSync(join(ROOT, 'scripts')).filter((name) => {
  const found = statSync(join(ROOT, 'scripts', name));
  return found.isFile() && (found.mode & 0o111) !== 0;
});

/** Those that hand every word but a first --help to another program, which refuses by itself. */
const GOES_ON = ['meshwork', 'test'];

let folder = '';
/** A clone in which nothing is ready, and programs that neither get Bun nor run it. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'meshwork-scripts-'));
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  for (const program of ['cat', 'dirname']) symlinkSync(Bun.which(program) ?? '', join(folder, 'bin', program));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: readonly string[], PATH = join(folder, 'bin')): Promise<[number, string, string]> {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { PATH },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return [await child.exited, out, err];
}

const script = (name: string, ...words: string[]): Promise<[number, string, string]> =>
  run([join(folder, 'scripts', name), ...words]);

const help = async (name: string): Promise<string> => (await script(name, '--help'))[1];

/** Words at the start of the help's lines, indented as options, jobs and verbs are. */
const listed = (text: string): string[] => [...text.matchAll(/^ {2}([a-z0-9-]+) /gm)].map(([, word]) => word ?? '');

describe('in a clone without Bun, packages and npm', () => {
  test.each(SCRIPTS)('%s --help says what it does, how long it takes and one example', async (name) => {
    const [status, out, err] = await script(name, '--help');
    expect([status, err]).toEqual([0, '']);
    expect(out).toStartWith(`usage: ./scripts/${name}`);
    expect(out).toMatch(/^ {2}--help /m);
    expect(out).toMatch(/^takes: \S/m);
    expect(out).toMatch(new RegExp(`^example: .*\\./scripts/${name}\\b`, 'm'));
    expect(out.split('\n').filter((line) => line.length > 120)).toEqual([]);
    expect(await script(name, '-h')).toEqual([0, out, '']);
    expect(readdirSync(folder).toSorted()).toEqual(['bin', 'scripts']);
  });

  test.each(SCRIPTS.filter((name) => !GOES_ON.includes(name)))('%s refuses an option that it lacks', async (name) => {
    const [status, out, err] = await script(name, '--surf=1');
    expect([status, out]).toEqual([2, '']);
    expect(err).toBe(`meshwork: there is no option --surf\n\n${await help(name)}`);
  });

  test('the options that a script has go further, to where Bun is missing', async () => {
    for (const words of [
      ['sim', '7', '--steps=3', '--trace'],
      ['cluster', '--seconds', '-1'],
      ['test', '--bail'],
    ]) {
      const [status, out, err] = await script(words[0] ?? '', ...words.slice(1));
      expect([status, out, err]).toEqual([1, '', 'meshwork: needs Bun 1.4 or newer, or npm to get it\n']);
    }
  });
});

describe('the help is true', () => {
  const own = (path: string, ...words: string[]): Promise<[number, string, string]> =>
    run([process.execPath, join(ROOT, path), ...words], process.env['PATH']);

  test('the jobs of bench are those that it runs', async () => {
    const [status, , err] = await own('test/bench/bench.ts', 'surf');
    expect([status, listed(err).length]).toEqual([2, 24]);
    const text = await help('bench');
    for (const line of err.split('\n').filter((each) => each.startsWith('  '))) expect(text).toContain(line);
  });

  test('the options of demo are those of the command line', async () => {
    const [, out] = await own('src/cli/meshwork.ts', 'demo', '--help');
    const options = [...out.matchAll(/^ +--([a-z-]+)/gm)].map(([, name]) => `--${name}`);
    expect(options.length).toBeGreaterThan(4);
    expect(listed(await help('demo'))).toEqual([...options, '--help']);
  });

  test('the verbs of meshwork are those of the command line', async () => {
    const [, out] = await own('src/cli/meshwork.ts', 'help');
    const verbs = [...out.matchAll(/^ +([a-z]+) {2,}\S/gm)].map(([, name]) => name ?? '');
    expect(verbs.length).toBeGreaterThan(5);
    expect(listed(await help('meshwork'))).toEqual([...verbs, 'help', '--help']);
  });

  test.each([
    ['test/sim/run.ts', ['seven'], 'SEED takes a whole number from 0 on, not "seven"'],
    ['test/sim/run.ts', ['--steps'], "Option '--steps <value>' argument missing"],
    ['test/bench/bench.ts', ['--rounds', '0'], '--rounds takes a whole number from 1 on, not "0"'],
    ['test/cluster/main.ts', ['--pace', '1.5'], '--pace takes a whole number from 1 on, not "1.5"'],
    ['test/cluster/failover.ts', ['--seed', 'x'], '--seed takes a whole number from 0 on, not "x"'],
    ['test/faults/plant-faults.ts', ['--bound', '0'], '--bound takes a whole number from 1 on, not "0"'],
    ['test/disk-faults/main.ts', ['--turns', '1'], '--turns takes a whole number from 10 on, not "1"'],
    ['test/deliveries/run.ts', ['fast'], 'EVENTS_A_SECOND takes a whole number from 1 on, not "fast"'],
  ])('%s %j runs nothing and exits 2 with one line', async (path, words, line) => {
    expect(await own(path, ...words)).toEqual([2, '', `meshwork: ${line}\n`]);
  });
});
