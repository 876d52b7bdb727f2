// The package meshwork-client as somebody gets it who installs it: built, packed by npm, and installed out of the tarball
// into an empty folder, without a network. Made once for all tests of a run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

/** Runs a program to its end; throws with what it said unless it ended well. */
export async function run(command: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([child.stdout, child.stderr].map((pipe) => new Response(pipe).text()));
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} ended with ${child.exitCode}: ${out}${err}`);
  return out ?? '';
}

async function install(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-client-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const built = join(folder, 'built');
  await run([process.execPath, join(ROOT, 'scripts/build-client.ts'), '--out', built], ROOT);
  const tarball = (await run(['npm', 'pack', '--silent', '--pack-destination', folder], built)).trim();
  const consumer = join(folder, 'consumer');
  await Bun.write(join(consumer, 'package.json'), '{"private": true, "type": "module"}\n');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run(['npm', 'install', ...quiet, join(folder, tarball)], consumer);
  return consumer;
}

let installed: Promise<string> | undefined;

/** The folder of a project that has the package installed, and nothing else. */
export function installedClient(): Promise<string> {
  installed ??= install();
  return installed;
}
