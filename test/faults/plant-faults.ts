// scripts/plant-faults: plants each fault, alone, into a copy of the checkout and runs the tests that have to notice it.
// A fault that all of them pass by lives: there is a test missing. Exit 0 when none lives, 1 when one does, 2 when the
// tests fail without any fault, a fault cannot be planted, or its tests could not be run.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { leave, wholeNumber, wordsGiven } from '../support/words-given.ts';
import { type Fault, occurrences } from './fault.ts';
import { FAULTS } from './faults.ts';

const ROOT = join(import.meta.dir, '../..');
/** How long the tests of one fault may take; the slowest of the files takes a tenth of this. */
const BOUND_SECONDS = 180;
/** A test that a fault makes wait for ever has noticed it; those that are here take a few seconds, where not, they say so. */
const TEST_MS = 20_000;

type Fate =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'lives' }
  | { readonly kind: 'broken'; readonly why: string };

interface Run {
  readonly passed: boolean;
  /** The first test that failed; null when none is named. */
  readonly failed: string | null;
  readonly late: boolean;
  readonly output: string;
}

/** Copies what the checkout holds, without what is not kept in it; packages and programs are linked. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'meshwork-faults-'));
  const listed = Bun.spawnSync(['git', '-C', ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  if (listed.exitCode !== 0) leave('the files of the checkout cannot be listed: git is needed');
  for (const path of listed.stdout.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    // What was removed and not yet committed is listed, and is not there.
    try {
      copyFileSync(join(ROOT, path), join(copy, path));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  for (const name of ['node_modules', '.bun']) symlinkSync(join(ROOT, name), join(copy, name));
  return copy;
}

/** Runs test files in the copy until the first of their tests fails. */
async function runTests(copy: string, files: readonly string[], bound_seconds: number, on: Fault['on']): Promise<Run> {
  const bound_ms = bound_seconds * 1_000;
  const child = Bun.spawn(
    [process.execPath, '--no-env-file', 'test', '--bail', '--timeout', String(TEST_MS), ...files],
    {
      cwd: copy,
      env: { ...process.env, ...(on && { TEST_STORE: on }) },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: bound_ms,
      killSignal: 'SIGKILL',
    },
  );
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const status = await child.exited;
  const output = err + out;
  const failed = /^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$/m.exec(output)?.[1] ?? null;
  return { passed: status === 0, failed, late: child.signalCode === 'SIGKILL', output };
}

async function plant(copy: string, fault: Fault, bound_seconds: number): Promise<Fate> {
  const path = join(copy, fault.file);
  const text = readFileSync(path, 'utf8');
  const times = occurrences(text, fault.find);
  if (times !== 1) return { kind: 'broken', why: `its text stands ${times} times in ${fault.file}` };
  writeFileSync(
    path,
    text.replace(fault.find, () => fault.replace),
  );
  try {
    const { passed, failed, late, output } = await runTests(copy, fault.tests, bound_seconds, fault.on);
    if (passed) return { kind: 'lives' };
    if (late) return { kind: 'killed', by: `running out of ${bound_seconds} s` };
    return failed === null ? { kind: 'broken', why: output.slice(-2_000) } : { kind: 'killed', by: failed };
  } finally {
    writeFileSync(path, text);
  }
}

/** The tests must hold without a fault, or nothing that they say of one counts. */
async function expectSound(copy: string, faults: readonly Fault[], bound_seconds: number): Promise<void> {
  for (const on of [undefined, 'postgres'] as const) {
    const files = [...new Set(faults.filter((fault) => fault.on === on).flatMap(({ tests }) => tests))];
    if (files.length === 0) continue;
    const run = await runTests(copy, files, bound_seconds * files.length, on);
    if (!run.passed) leave(`the tests fail without any fault: ${run.failed ?? run.output.slice(-2_000)}`);
  }
}

function told(fate: Fate): string {
  switch (fate.kind) {
    case 'killed':
      return `killed by "${fate.by}"`;
    case 'lives':
      return 'LIVES';
    case 'broken':
      return `CANNOT BE JUDGED: ${fate.why}`;
  }
}

function progress(done: number, all: number, doing: string): void {
  const width = 24;
  const full = Math.round((done / all) * width);
  const line = `[${'█'.repeat(full)}${'░'.repeat(width - full)}] ${done}/${all} ${doing}`;
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
}

async function main(): Promise<number> {
  const options = { only: { type: 'string', multiple: true }, bound: { type: 'string' } } as const;
  const { values } = wordsGiven({ options: { ...options, list: { type: 'boolean' } } });
  const { only = [] } = values;
  const bound = wholeNumber('--bound', values.bound, BOUND_SECONDS, 1);
  const faults = FAULTS.filter(
    ({ name, file }) => only.length === 0 || only.some((text) => name.includes(text) || file.includes(text)),
  );
  if (values.list) for (const { name, file } of faults) console.log(`${name} (${file})`);
  if (values.list) return 0;
  if (faults.length === 0) leave(`no fault is called so; --list names them`);
  const copy = copyCheckout();
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  progress(0, faults.length, 'the tests without any fault');
  await expectSound(copy, faults, bound);
  const fates: { readonly name: string; readonly fate: Fate }[] = [];
  for (const fault of faults) {
    progress(fates.length, faults.length, fault.name);
    fates.push({ name: fault.name, fate: await plant(copy, fault, bound) });
  }
  progress(fates.length, faults.length, '\n');
  const width = Math.max(...fates.map(({ name }) => name.length));
  for (const { name, fate } of fates) console.log(`${name.padEnd(width)}  ${told(fate)}`);
  const count = (kind: Fate['kind']): number => fates.filter(({ fate }) => fate.kind === kind).length;
  console.log(`${count('killed')} of ${fates.length} killed, ${count('lives')} live`);
  return count('broken') > 0 ? 2 : count('lives') > 0 ? 1 : 0;
}

process.exit(await main());
