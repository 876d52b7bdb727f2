// meshwork resume: after a restore, lists the work that was due before it, and continues it once confirmed.

import { defineCommand } from 'citty';
import { callServer, internalToken, reachServer } from './running-server.ts';
import { expectArguments, leave, settings } from './settings.ts';

interface Waiting {
  readonly held: boolean;
  readonly restored_at: string | null;
  readonly backup_at: string | null;
  readonly waits: readonly {
    readonly kind: string;
    readonly count: number;
    readonly oldest: string;
    readonly newest: string;
    readonly amount_cents: number | null;
  }[];
}

function tableOf({ restored_at, backup_at, waits }: Waiting): string {
  const width = Math.max(...waits.map(({ kind }) => kind.length), 4);
  const rows = waits.map(({ kind, count, oldest, newest, amount_cents }) => {
    const money = amount_cents === null ? '' : `  ${(amount_cents / 100).toFixed(2)} USD`;
    return `${kind.padEnd(width)}  ${String(count).padStart(8)}  ${oldest}  ${newest}${money}`;
  });
  const since =
    backup_at === null
      ? `A loss of writes was accepted at ${restored_at}. Some of this may have been done by what was lost:`
      : `Restored at ${restored_at} from a backup of ${backup_at}. Some of this may have been done since that backup:`;
  return [
    since,
    `${'kind'.padEnd(width)}  ${'count'.padStart(8)}  ${'oldest'.padEnd(24)}  newest`,
    ...rows,
    'Payouts and payments are compared with the processor first; letters and webhooks may arrive twice.',
  ].join('\n');
}

/** Asks on the terminal; without a terminal --yes is required. */
function confirm(): boolean {
  if (!process.stdin.isTTY) leave(2, 'nothing was resumed; pass --yes without a terminal');
  return /^y(es)?$/i.test(prompt('Let it go on? [y/N]')?.trim() ?? '');
}

export const resume = defineCommand({
  meta: { name: 'resume', description: 'after a restore: list what waits since, and let it go on' },
  args: { yes: { type: 'boolean', description: 'do not ask' } },
  run: async ({ args, rawArgs }) => {
    expectArguments(
      rawArgs.filter((argument) => argument !== '--yes'),
      0,
    );
    const config = settings();
    const server = await reachServer(config);
    const token = internalToken(config);
    if (token === undefined) leave(1, 'the internal token cannot be read; set INTERNAL_TOKEN');
    const headers = { 'Content-Type': 'application/json', 'X-Internal-Token': token };
    const ask = async (method: 'GET' | 'POST', act: string): Promise<unknown> => {
      const body = method === 'POST' ? '{}' : undefined;
      const answer = await callServer(method, `${server.url}/internal/admin/${act}`, headers, body);
      if (answer.status !== 200) leave(1, `the server answered ${answer.status}`);
      return JSON.parse(answer.body);
    };
    try {
      // Our own server's answer, in its declared shape.
      const waiting = (await ask('GET', 'waiting')) as Waiting;
      if (!waiting.held) {
        console.log('nothing waits');
        return;
      }
      const due = waiting.waits.length > 0;
      console.log(due ? tableOf(waiting) : 'nothing that was due waits');
      if (due && args.yes !== true && !confirm()) leave(1, 'nothing was resumed');
      await ask('POST', 'resume');
      console.log('it goes on');
    } finally {
      await server.release();
    }
  },
});
