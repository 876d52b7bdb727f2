// The first day of somebody who hosts a service, in an empty folder with nothing but the program: the first answer, an administrator, a
// deal, a backup, the folder lost and brought back. Prints what was done and seen as JSON. A program of its own, so that it can be run
// where there is no network; its argument names a built program to be tried instead of the source.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fundBy, matchedPair, type RestClient, restClient, signInBy } from './rest-client.ts';

const AMOUNT_CENTS = 60_000;
const OWNER = 'owner@example.org';

const [, , binary] = process.argv;
const program = binary
  ? [resolve(binary)]
  : [process.execPath, '--no-env-file', join(import.meta.dir, '../../src/cli/meshwork.ts')];
const folder = mkdtempSync(join(tmpdir(), 'meshwork-first-day-'));
const env = {
  PATH: process.env['PATH'] ?? '',
  PORT: '0',
  LOG_LEVEL: 'error',
  BACKUP_DIR: join(folder, 'copies'),
  BACKUP_PASSPHRASE: 'correct horse battery staple',
};

/** Runs a verb in the empty folder; throws where it ends with anything but 0. */
async function meshwork(...words: string[]): Promise<string> {
  const child = Bun.spawn([...program, ...words], {
    cwd: folder,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`meshwork ${words.join(' ')} failed: ${out}${err}`);
  return out.trim();
}

interface Serving {
  readonly client: RestClient;
  /** All that it has said so far. */
  said(): string;
  stop(): Promise<number>;
}

async function serve(): Promise<Serving> {
  const child = Bun.spawn([...program, 'serve'], {
    cwd: folder,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const listening = Promise.withResolvers<string>();
  let text = '';
  (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      const url = /listening on (\S+)\n/.exec(text)?.[1];
      if (url) listening.resolve(url);
    }
    listening.reject(new Error(`it ended, and said: ${text}`));
  })();
  const stop = (): Promise<number> => {
    child.kill('SIGTERM');
    return child.exited;
  };
  return { client: restClient(await listening.promise), said: () => text, stop };
}

/** Packets that had no way out; null outside of Linux. */
function unroutable(): number | null {
  const file = '/proc/net/snmp';
  if (!existsSync(file)) return null;
  const [names = '', figures = ''] = readFileSync(file, 'utf8').split('\n');
  return Number(figures.split(' ')[names.split(' ').indexOf('OutNoRoutes')]);
}

/** Two agents meet, agree, pay and release; answers the deal and the key of its buyer. */
async function firstDeal(client: RestClient) {
  const token = readFileSync(join(folder, 'data', 'internal-token'), 'utf8').trim();
  const { seller, buyer, conversation_id } = await matchedPair(client, token);
  const person = { token: await signInBy(client, token, `${buyer.handle}@example.org`) };
  await fundBy(client, person, AMOUNT_CENTS);
  const talk = `/api/conversations/${conversation_id}`;
  await client.ask('POST', `${talk}/messages`, seller, { content: 'The audit can begin on Monday.' });
  const selling = { token: await signInBy(client, token, `${seller.handle}@example.org`) };
  await client.ask('POST', `${talk}/propose`, selling, { amount_cents: AMOUNT_CENTS, terms: 'One audit.' });
  const { deal_id, escrow_id } = await client.ask('POST', `${talk}/approve`, person, {});
  await client.ask('POST', `/api/wallet/escrow/${escrow_id}/release`, person, { milestone_index: 0 });
  return { deal_id, key: { key: buyer.key ?? '' } };
}

/** How the service answers for what a built program holds packed: the app, the script of the reference, and the reading of a mail. */
async function packed({ url }: RestClient): Promise<readonly number[]> {
  const headers = {
    'Content-Type': 'message/rfc822',
    'X-Internal-Token': readFileSync(join(folder, 'data', 'internal-token'), 'utf8').trim(),
    'X-Envelope-To': 'nobody@localhost',
  };
  const answers = await Promise.all([
    fetch(`${url}/app/worker.js`),
    fetch(`${url}/docs/reference.js`),
    fetch(`${url}/internal/mail/inbound`, { method: 'POST', headers, body: 'From: a@example.com\r\n\r\nText\r\n' }),
  ]);
  return answers.map(({ status }) => status);
}

async function firstDay() {
  const help = await meshwork('--help');
  const first = await serve();
  const ready = await first.client.ask('GET', '/readyz');
  const unpacked = await packed(first.client);
  // A mail that was read, and is for nobody.
  if (unpacked.join() !== '200,200,404') throw new Error(`what is packed was answered ${unpacked.join()}`);
  await meshwork('admin', 'create', OWNER);
  await first.client.ask('POST', '/api/auth/session/start', {}, { email: OWNER });
  const letter = await meshwork('outbox', OWNER);
  const code = /^\d{6}$/m.exec(letter)?.[0];
  const session = await first.client.ask('POST', '/api/auth/session/verify', {}, { email: OWNER, code });
  const overview = await first.client.ask('GET', '/api/admin/overview', { token: session.access_token });
  const setup_link = /open http\S+/.test(first.said());
  const { deal_id, key } = await firstDeal(first.client);
  await meshwork('backup', 'create');
  const stopped = await first.stop();
  rmSync(join(folder, 'data'), { recursive: true });
  const restored = await meshwork('backup', 'restore');
  const verified = await meshwork('backup', 'verify', 'latest');
  const again = await serve();
  const deal = await again.client.ask('GET', `/api/deals/${deal_id}`, key);
  if (deal.status !== 'completed') throw new Error(`the deal came back ${deal.status}`);
  const ledger = await meshwork('ledger', 'check');
  await again.stop();
  return { help, ready, setup_link, overview, stopped, restored, verified, deal, ledger, unroutable: unroutable() };
}

try {
  console.log(JSON.stringify(await firstDay()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
