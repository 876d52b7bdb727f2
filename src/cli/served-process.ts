// The process that serves DATA_DIR: how it was started, ending it, starting one in its place.
import { spawn } from 'node:child_process';
import { openSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { callServer, serverProcess } from './running-server.ts';

export interface Served {
  readonly pid: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The systemd unit that restarts it, or null. */
  readonly unit: string | null;
  /** Where its words go. */
  readonly out: number;
  readonly err: number;
}

const STOP_MS = 20_000;
const SUPERVISOR_MS = 3_000;
const LOOK_MS = 100;

function words(pid: number, name: string): string[] {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0').filter(Boolean);
}

/** Opened for the next process; a pipe or a file that cannot be opened gives way to a file of DATA_DIR. */
function outputOf(pid: number, n: number, data_dir: string): number {
  try {
    return openSync(`/proc/${pid}/fd/${n}`, 'a');
  } catch {
    return openSync(join(data_dir, 'update.log'), 'a', 0o600);
  }
}

const UNIT = /^[\w@.:-]{1,200}$/;

/** The unit of systemd whose main process this is, by the end of its control group. */
function unitOf(pid: number): string | null {
  const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8').split('\n');
  const ends = groups.map((group) => group.slice(group.lastIndexOf('/') + 1));
  const unit = ends.find((end) => end.endsWith('.service') && UNIT.test(end));
  if (unit === undefined || Bun.which('systemctl') === null) return null;
  const { stdout } = Bun.spawnSync(['systemctl', 'show', '-p', 'MainPID', '--value', unit], { stderr: 'ignore' });
  return stdout.toString().trim() === String(pid) ? unit : null;
}

/** The process that serves a folder, or null. */
export function servedProcess(config: Config): Served | null {
  const found = serverProcess(config);
  if (!found) return null;
  const { pid } = found;
  const pairs = words(pid, 'environ').map((pair) => [
    pair.slice(0, pair.indexOf('=')),
    pair.slice(pair.indexOf('=') + 1),
  ]);
  return {
    pid,
    cwd: readlinkSync(`/proc/${pid}/cwd`),
    env: Object.fromEntries(pairs),
    unit: unitOf(pid),
    out: outputOf(pid, 1, config.dataDir),
    err: outputOf(pid, 2, config.dataDir),
  };
}

/** Why this user may not replace the process that serves the folder, or null. */
export function obstacleIn(config: Config): string | null {
  const pid = serverProcess(config)?.pid;
  if (pid === undefined) return null;
  const user = process.geteuid?.();
  if (statSync(`/proc/${pid}`).uid !== user) return 'run it as the user of the service';
  const unit = unitOf(pid);
  return unit === null || user === 0 ? null : `only root may restart ${unit}: update it by its package, or by hand`;
}

/** Returns whether the process existed. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** Ends the process that serves the folder, and resolves when it is gone. */
export async function stopServing(config: Config): Promise<void> {
  const pid = serverProcess(config)?.pid;
  if (pid === undefined) return;
  const began = performance.now();
  for (let is_there = signal(pid, 'SIGTERM'); is_there; is_there = signal(pid, 0)) {
    if (performance.now() - began > STOP_MS) signal(pid, 'SIGKILL');
    await Bun.sleep(LOOK_MS);
  }
}

/** Starts `binary serve` like the previous process, unless its supervisor does so. Returns a function that ends it. */
async function startServing(
  config: Config,
  binary: string,
  { cwd, env, unit, out, err }: Served,
): Promise<{ ended(): boolean; end(): void }> {
  if (unit !== null) {
    const { exitCode } = Bun.spawnSync(['systemctl', 'restart', unit]);
    const has_failed = (): boolean => Bun.spawnSync(['systemctl', 'is-failed', '--quiet', unit]).exitCode === 0;
    return {
      ended: () => exitCode !== 0 || has_failed(),
      end: () => void Bun.spawnSync(['systemctl', 'stop', unit]),
    };
  }
  for (const began = performance.now(); performance.now() - began < SUPERVISOR_MS; await Bun.sleep(LOOK_MS)) {
    if (serverProcess(config)) return { ended: () => false, end: () => {} };
  }
  const child = spawn(binary, ['serve'], { cwd, env: { ...env }, detached: true, stdio: ['ignore', out, err] });
  let ended = false;
  child.on('exit', () => {
    ended = true;
  });
  child.on('error', () => {
    ended = true;
  });
  child.unref();
  return { ended: () => ended, end: () => void child.kill('SIGKILL') };
}

/** Whether the service that holds the folder answers that it is ready. */
export async function isReady(config: Config): Promise<boolean> {
  const url = serverProcess(config)?.url;
  const answer = url === undefined ? null : await callServer('GET', `${url}/readyz`).catch(() => null);
  return answer?.status === 200;
}

/** Starts a binary in the place of a process that was stopped; whether it is ready in time. One that is not is ended. */
export async function serveAgain(config: Config, binary: string, before: Served, wait_ms: number): Promise<boolean> {
  const started = await startServing(config, binary, before);
  for (
    const began = performance.now();
    performance.now() - began < wait_ms && !started.ended();
    await Bun.sleep(LOOK_MS)
  ) {
    if (await isReady(config)) return true;
  }
  started.end();
  await stopServing(config);
  return false;
}
