// meshwork copy --to WHERE: moves a service to the other engine, from DATA_DIR to PostgreSQL or back.

import { resolve } from 'node:path';
import { defineCommand } from 'citty';
import { copyService, isPostgres } from '../compose/copy.ts';
import { expectOptions, leave, refuseForeign, settings } from './settings.ts';

const BAR = 24;
/** Between two lines where there is no terminal. */
const LINE_MS = 10_000;

const say = (what: string): void => console.error(`meshwork: ${what}`);

/** A bar on a terminal; elsewhere a line now and then. */
function progressBar(): { progress(done: number, all: number, table: string): void; end(): void } {
  const on_terminal = process.stderr.isTTY;
  let [told_ms, drawn] = [Date.now(), false];
  return {
    progress: (done, all, table) => {
      const now_ms = Date.now();
      if (now_ms - told_ms < (on_terminal ? 100 : LINE_MS)) return;
      told_ms = now_ms;
      const share = all === 0 ? 1 : Math.min(1, done / all);
      const text = `${Math.floor(100 * share)} % ${table}`;
      if (!on_terminal) return say(text);
      const full = Math.round(BAR * share);
      process.stderr.write(`\r\x1b[2K[${'█'.repeat(full)}${'░'.repeat(BAR - full)}] ${text}`);
      drawn = true;
    },
    end: () => {
      if (drawn) process.stderr.write('\r\x1b[2K');
      drawn = false;
    },
  };
}

export const copy = defineCommand({
  meta: { name: 'copy', description: 'copy the stopped service to another database: DATA_DIR to PostgreSQL, or back' },
  args: {
    to: {
      type: 'string',
      description:
        'postgres://user:password@host/database, which is empty and reached past a pooler, or a folder that does not exist yet',
      required: true,
    },
  },
  run: async ({ args, rawArgs }) => {
    expectOptions(rawArgs, ['to'], 0);
    const config = settings();
    if (config.databaseUrl === undefined) refuseForeign(config.dataDir);
    const to = args.to.includes('://') ? args.to : resolve(args.to);
    const bar = progressBar();
    const told = {
      progress: bar.progress,
      say: (what: string) => {
        bar.end();
        say(what);
      },
    };
    const began_ms = Date.now();
    const rows = await copyService(config, to, began_ms, told).catch((error: unknown) => {
      bar.end();
      return leave(1, `nothing was copied: ${error instanceof Error ? error.message : String(error)}`);
    });
    bar.end();
    const all = Object.values(rows).reduce((sum, n) => sum + n, 0);
    const seconds = Math.ceil((Date.now() - began_ms) / 1_000);
    console.log(`${all.toLocaleString('en-US')} rows and the secrets were copied and proved in ${seconds} s`);
    console.log(
      isPostgres(to) ? 'set DATABASE_URL to it, and start' : `unset DATABASE_URL, set DATA_DIR=${to}, and start`,
    );
  },
});
