// The recorder of system calls (recorder.c): made with the machine's C compiler, loaded into a job of its own, told there what to do.
import { dlopen } from 'bun:ffi';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dir, 'recorder.c');
const COMPILER = ['cc', 'gcc', 'clang'].find((name) => Bun.which(name) !== null);

/** Why no calls can be recorded here; null where they can. */
export const NO_RECORDER =
  process.platform !== 'linux' ? 'this is not Linux' : COMPILER === undefined ? 'there is no C compiler' : null;

/** In the order of the recorder. */
export const ALL_KINDS = ['open', 'read', 'write', 'truncate', 'sync', 'unlink'] as const;
export type Kind = (typeof ALL_KINDS)[number];
export const EIO = 5;
export const ENOSPC = 28;

/** The calls that fail, by their number from 1 on among those of these kinds. */
export interface Failing {
  readonly first: number;
  readonly last: number;
  readonly error: number;
  readonly kinds: readonly Kind[];
}

/** Compiles the recorder into a folder; answers its library. */
export function makeRecorder(folder: string): string {
  const library = join(folder, 'recorder.so');
  const words = [COMPILER ?? 'cc', '-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-pthread', '-o', library, SOURCE];
  const made = Bun.spawnSync(words, { stderr: 'pipe' });
  if (made.exitCode !== 0) throw new Error(`the recorder cannot be compiled: ${made.stderr.toString()}`);
  return library;
}

/** The answers of a job that runs with the recorder, one a line. */
export async function* answersOf<T>(job: string, library: string, asked: unknown): AsyncGenerator<T> {
  const program = join(import.meta.dir, job);
  const child = Bun.spawn([process.execPath, program, library, JSON.stringify(asked)], {
    env: { ...process.env, LD_PRELOAD: library },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  try {
    let text = '';
    for await (const bytes of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (text + bytes).split('\n');
      text = lines.pop() ?? '';
      // Written by the job.
      for (const line of lines) yield JSON.parse(line) as T;
    }
    if ((await child.exited) !== 0) throw new Error(`${job} has ended with ${child.exitCode ?? child.signalCode}`);
  } finally {
    child.kill();
  }
}

/** Within a job: the recorder that was loaded into it. */
export function recorderOf(library: string) {
  const { symbols } = dlopen(library, {
    recorder_watch: { args: ['cstring'], returns: 'void' },
    recorder_record: { args: ['cstring'], returns: 'void' },
    recorder_fail: { args: ['i64', 'i64', 'i32', 'u32'], returns: 'void' },
    recorder_pause: { args: ['i32'], returns: 'void' },
    recorder_calls: { args: [], returns: 'i64' },
    recorder_entries: { args: [], returns: 'i64' },
    recorder_failed_syncs: { args: [], returns: 'i64' },
  });
  const text = (of: string) => Buffer.from(`${of}\0`);
  return {
    watch: (folder: string): void => symbols.recorder_watch(text(folder)),
    record: (file: string): void => symbols.recorder_record(text(file)),
    fail: ({ first, last, error, kinds }: Failing): void =>
      symbols.recorder_fail(
        first,
        last,
        error,
        kinds.reduce((bits, kind) => bits | (1 << ALL_KINDS.indexOf(kind)), 0),
      ),
    /** Does something of the test's own, which never fails. */
    aside<T>(work: () => T): T {
      symbols.recorder_pause(1);
      try {
        return work();
      } finally {
        symbols.recorder_pause(0);
      }
    },
    calls: (): number => Number(symbols.recorder_calls()),
    entries: (): number => Number(symbols.recorder_entries()),
    failedSyncs: (): number => Number(symbols.recorder_failed_syncs()),
  };
}

export interface Entry {
  readonly kind: Kind;
  readonly error: number;
  readonly offset: number;
  readonly name: string;
  readonly data: Uint8Array;
}

const HEAD_BYTES = 24;
const NAME_BYTES = 64;

/** What a recorder wrote, in its order. */
export function* entriesIn(file: string): Generator<Entry> {
  const all = readFileSync(file);
  for (let at = 0; at < all.length; ) {
    const kind = ALL_KINDS[all.readInt32LE(at)];
    if (kind === undefined) throw new Error(`no entry at ${at}`);
    const [error, offset] = [all.readInt32LE(at + 4), Number(all.readBigInt64LE(at + 8))];
    const bytes = Number(all.readBigInt64LE(at + 16));
    const name = all.toString('utf8', at + HEAD_BYTES, all.indexOf(0, at + HEAD_BYTES));
    const data = all.subarray(at + HEAD_BYTES + NAME_BYTES, at + HEAD_BYTES + NAME_BYTES + bytes);
    at += HEAD_BYTES + NAME_BYTES + data.length;
    yield { kind, error, offset, name, data };
  }
}
