// Starts the processes that are measured, on the first core, and ends them again: those that it started and no others.

import { cpus } from 'node:os';
import { resolve as pathOf } from 'node:path';
import type { Subprocess } from 'bun';
import type { Turn } from './hold-watch.ts';
import type { Bench } from './job.ts';
import type { Target } from './load.ts';
import type { Spent } from './stage-watch.ts';

const READY_MS = 60_000;
const STOP_MS = 10_000;

/** Whether servers and client have a core each. */
export const PINNED = Bun.which('taskset') !== null && cpus().length > 1;

/** A command on the servers' core. */
export function onServerCore(command: readonly string[]): string[] {
  return PINNED ? ['taskset', '-c', '0', ...command] : [...command];
}

/** Lets a server that was started onto the client's core too: for what has a thread of its own so that it may run beside the rest. */
export async function onBothCores({ pid }: Child): Promise<void> {
  if (PINNED) await Bun.spawn(['taskset', '-a', '-p', '-c', '0,1', String(pid)], { stdout: 'ignore' }).exited;
}

export interface Child extends Target {
  /** Sends a message to a server that takes them, and resolves with what it answers. */
  ask(message: Ask): Promise<Told>;
  /** Sets who hears what the server tells unasked. */
  tells(listener: (told: Told) => void): void;
  stop(): Promise<void>;
}

/** What the bench asks of its own servers: see mesh-server.ts and https-caller.ts. */
export type Ask =
  | { readonly ask: 'collect' }
  | { readonly ask: 'turns' }
  | { readonly ask: 'spent' }
  | { readonly ask: 'tell'; readonly agent_ids: readonly string[] }
  | { readonly ask: 'call'; readonly count: number; readonly port: number };

/** What that server tells; times are those of monotonic.ts. */
export type Told =
  | {
      readonly told: 'done';
      readonly started_ms: number;
      readonly ended_ms: number;
      readonly turns?: readonly Turn[];
      readonly spent?: Spent;
    }
  | { readonly told: 'committed'; readonly at_ms: number; readonly events: number };

async function stopped(child: Subprocess): Promise<void> {
  child.kill('SIGTERM');
  const gone = await Promise.race([child.exited.then(() => true), Bun.sleep(STOP_MS).then(() => false)]);
  if (!gone) child.kill('SIGKILL');
  await child.exited;
}

async function portFrom(output: ReadableStream<Uint8Array>): Promise<number> {
  let text = '';
  const decoder = new TextDecoder();
  const deadline = Date.now() + READY_MS;
  const reader = output.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    const port = /listening on (?:\S*:)?(\d+)\s/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
    if (Date.now() > deadline) break;
  }
  throw new Error(`a server did not start: ${text}`);
}

/** Runs a TypeScript file, of this folder or by its whole path, as a server; resolves once it listens. It ends with the
 * job. */
export async function serve(
  bench: Bench,
  file: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<Child> {
  let listener: (told: Told) => void = () => {};
  let answered: ((told: Told) => void) | null = null;
  const child = Bun.spawn(onServerCore([process.execPath, '--no-env-file', pathOf(import.meta.dir, file), ...args]), {
    cwd: bench.folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdout: 'pipe',
    stderr: 'inherit',
    // Our own servers tell only what is listed in Told.
    ipc: (message: Told) => {
      if (message.told === 'done') answered?.(message);
      else listener(message);
    },
  });
  bench.after(() => stopped(child));
  const port = await portFrom(child.stdout);
  return {
    port,
    pid: child.pid,
    ask: (message) => {
      const { promise, resolve } = Promise.withResolvers<Told>();
      answered = resolve;
      child.send(message);
      return promise;
    },
    tells: (next) => {
      listener = next;
    },
    stop: () => stopped(child),
  };
}
