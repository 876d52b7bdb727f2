// The command line as a process of its own.
import { join } from 'node:path';

const ENTRY = join(import.meta.dir, '../../src/cli/meshwork.ts');

export type Child = Bun.Subprocess<'ignore', 'pipe', 'pipe'>;

export interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Starts a verb in a folder, with nothing but these settings. */
export function spawnVerb(cwd: string, words: readonly string[], env: Readonly<Record<string, string>>): Child {
  return Bun.spawn([process.execPath, '--no-env-file', ENTRY, ...words], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', LOG_LEVEL: 'error', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

export async function runVerb(
  cwd: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawnVerb(cwd, words, env);
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out: out.trim(), err: err.trim() };
}
