// Runs in a process of its own, since it takes away the room that files may take: writes until the database file may not
// grow any more while the log still may, goes on writing, gives the room back, and prints what it saw.
import { dlopen, ptr } from 'bun:ffi';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Effect, insert } from '../../db/effects.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';

export interface Seen {
  /** Turns that were begun, and turns that were answered, while the file was full. */
  readonly turns: number;
  readonly answered: number;
  /** What was told, with how many turns had been answered by then of those that stood. */
  readonly troubles: readonly string[];
  readonly counted: number;
  readonly grew: { readonly full: boolean; readonly after: boolean };
}

const RLIMIT_FSIZE = 1;
const SIGXFSZ = 25;
const UNLIMITED = 0xffff_ffff_ffff_ffffn;

const { symbols: libc } = dlopen('libc.so.6', {
  setrlimit: { args: ['i32', 'ptr'], returns: 'i32' },
  signal: { args: ['i32', 'usize'], returns: 'usize' },
});

/** Lets no file grow beyond so many bytes. Only the soft limit, so that it can be lifted again. */
function limit(bytes: bigint): void {
  if (libc.setrlimit(RLIMIT_FSIZE, ptr(new BigUint64Array([bytes, UNLIMITED]))) !== 0) throw new Error('no limit');
}

const data_dir = process.argv[2] ?? '';
const size = (): number => statSync(join(data_dir, DATABASE_FILE)).size;
const open = () =>
  openSqliteStore({
    data_dir,
    sealer: { seal: (plain) => plain },
    dimensions: 256,
    model: 'm',
    now_ms: 0,
    log_frames: 64,
  });

let ids = 0;
/** A row of two pages. */
const row = (): Effect<never> =>
  insert('codes', { id: `code-${++ids}`, hash: 'h'.repeat(6_000), data: {}, sent_at: 1, expires_at: 2 });

// A file that is larger than the log will get.
const first = open();
for (let i = 0; i < 30; i++) {
  await first.turn({ attempt: async () => ({ reply: null, effects: Array.from({ length: 100 }, row) }) });
}
await first.close();

const store = open();
const troubles: string[] = [];
let answered = 0;
store.onTrouble((trouble) => troubles.push(trouble));
const write = async (turns: number): Promise<void> => {
  for (let n = 0; n < turns; n += 10) {
    const group = Array.from({ length: 10 }, () =>
      store.turn({ attempt: async () => ({ reply: null, effects: [row()] }) }),
    );
    for (const turn of group) void turn.then(() => (answered += 1));
    await Promise.all(group);
    // The thread's answer comes by the event loop.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

libc.signal(SIGXFSZ, 1);
const before = size();
limit(BigInt(before));
await write(900);
const full = {
  turns: 900,
  answered,
  counted: store.troubles.checkpoint,
  troubles: [...troubles],
  grew: size() > before,
};
limit(UNLIMITED);
for (let n = 0; n < 20 && size() === before; n++) await write(500);
const seen: Seen = { ...full, grew: { full: full.grew, after: size() > before } };
await store.close();
process.stdout.write(JSON.stringify(seen));
process.exit(0);
