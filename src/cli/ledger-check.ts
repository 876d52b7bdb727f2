// meshwork ledger check: proves the ledger, through the running server or straight on the database. Ends with 1 when
// something is wrong.

import { defineCommand } from 'citty';
import { callServer, internalToken, reachServer } from './running-server.ts';
import { expectArguments, leave, settings } from './settings.ts';

/** A ledger of many millions of transfers takes minutes. */
const PATIENCE_MS = 3_600_000;
const PROGRESS_MS = 2_000;
const CHECK = '/api/admin/ledger/check';

interface Checked {
  readonly ok: boolean;
  readonly accounts: number;
  readonly transfers: number;
  readonly sum_cents: number;
  readonly problems: readonly { readonly about: string; readonly problem: string }[];
}

/** The answer as people read it: figures in columns, then a line a problem. */
function tableOf({ ok, accounts, transfers, sum_cents, problems }: Checked): string {
  const figures = [
    ['accounts', accounts],
    ['transfers', transfers],
    ['sum in cents', sum_cents],
    ['problems', problems.length],
  ] as const;
  const width = Math.max(...problems.map(({ about }) => about.length), 0);
  return [
    ...figures.map(([name, figure]) => `${name.padEnd(14)}${figure.toLocaleString('en-US').padStart(16)}`),
    ok ? 'The ledger is right.' : 'The ledger is not right:',
    ...problems.map(({ about, problem }) => `  ${about.padEnd(width)}  ${problem}`),
  ].join('\n');
}

async function ask(url: string, token: string | undefined): Promise<Checked | { readonly failed: string }> {
  if (token === undefined) return { failed: 'the internal token cannot be read; set INTERNAL_TOKEN' };
  const began = Date.now();
  const progress = setInterval(() => {
    console.error(`checking the ledger for ${Math.round((Date.now() - began) / 1_000)} s`);
  }, PROGRESS_MS);
  const asked = callServer('GET', `${url}${CHECK}`, { 'X-Internal-Token': token }, undefined, PATIENCE_MS);
  const answer = await asked.catch(() => null).finally(() => clearInterval(progress));
  if (answer === null) return { failed: `nothing answers at ${url}` };
  // Our own server's answer, in its declared shape.
  return answer.status === 200
    ? (JSON.parse(answer.body) as Checked)
    : { failed: `the server answered ${answer.status}` };
}

export const ledgerCheckVerb = defineCommand({
  meta: { name: 'check', description: 'prove that every cent is where it belongs; ends with 1 where one is not' },
  run: async ({ rawArgs }) => {
    expectArguments(rawArgs, 0);
    const config = settings();
    const server = await reachServer(config);
    const checked = await ask(server.url, internalToken(config)).finally(() => server.release());
    if ('failed' in checked) leave(1, checked.failed);
    console.log(tableOf(checked));
    if (!checked.ok) process.exitCode = 1;
  },
});
