// A folder is destroyed and comes back: all that was acknowledged before the backup was begun is there, and the ledger is right. A backup
// that is cut off is none, and a restore that is refused or cut off loses nothing.
import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { noteIn } from '../../db/sqlite/copy.ts';
import { createBackup, placeOf } from '../../src/compose/backup/create.ts';
import { restoreBackup } from '../../src/compose/backup/restore.ts';
import { findBackup } from '../../src/compose/backup/unpack.ts';
import { type Config, isConfigProblem, readConfig } from '../../src/config.ts';
import { endServers, startServer } from '../support/child.ts';
import { type Ended, runVerb, spawnVerb } from '../support/meshwork.ts';
import { fundBy, matchedPair, restClient, signInBy } from '../support/rest-client.ts';
import { startTestServer } from '../support/server.ts';
import { smallDisk } from '../support/small-disk.ts';

const TOKEN = 'token-of-the-backup-test';
const PASSPHRASE = { BACKUP_PASSPHRASE: 'correct horse battery staple' };

const folder = mkdtempSync(join(tmpdir(), 'meshwork-backup-'));
const place = join(folder, 'place');
afterAll(() => {
  endServers();
  rmSync(folder, { recursive: true, force: true });
});

function backup(data_dir: string, words: string, env: Record<string, string> = {}): Promise<Ended> {
  const settings = { DATA_DIR: data_dir, BACKUP_DIR: place, ...env };
  return runVerb(folder, ['backup', ...words.split(' ')], settings);
}

function configOf(env: Record<string, string>): Config {
  const config = readConfig(env);
  if (isConfigProblem(config)) throw new Error(config.problem);
  return config;
}

/** A data folder that was served once, and is not now. */
async function servedFolder(name: string): Promise<string> {
  const server = await startTestServer();
  const data_dir = join(folder, name);
  cpSync(server.data_dir, data_dir, { recursive: true, filter: (path) => !path.endsWith('server.json') });
  await server.stop();
  return data_dir;
}

test('what was acknowledged before a backup was begun is there after the folder was destroyed and restored', async () => {
  const data_dir = join(folder, 'lost');
  mkdirSync(data_dir);
  const env = { INTERNAL_TOKEN: TOKEN, ...PASSPHRASE };
  const first = await startServer(data_dir, env);
  const client = restClient(first.url);
  const { seller, buyer, conversation_id } = await matchedPair(client, TOKEN);
  await fundBy(client, { token: await signInBy(client, TOKEN, 'kill_buyer@example.org') }, 12_300);
  const path = `/api/conversations/${conversation_id}/messages`;
  const say = (content: string) => client.ask('POST', path, seller, { content });
  for (let n = 0; n < 40; n += 1) await say(`before ${n}`);
  let going_on = true;
  const writing = (async () => {
    for (let n = 0; going_on; n += 1) await say(`beside ${n}`);
  })();
  const made = await backup(data_dir, 'create', env);
  going_on = false;
  await writing;
  expect(made).toMatchObject({ status: 0, out: expect.stringContaining(`${place}/meshwork-`) });
  expect(made.err).not.toContain('in clear');
  expect(await backup(data_dir, 'verify', env)).toMatchObject({ status: 0, out: expect.stringContaining(': ok') });
  // Nobody puts a folder in the place of one that is served.
  const beside = await backup(data_dir, 'restore latest --replace', env);
  expect(beside).toMatchObject({ status: 1, err: expect.stringContaining('another process uses') });
  await first.end('SIGKILL');
  rmSync(data_dir, { recursive: true });
  const { status, out } = await backup(data_dir, 'restore', env);
  expect(status).toBe(0);
  const again = restClient((await startServer(data_dir, env)).url);
  const { balance_cents } = await again.ask('GET', '/api/v1/wallet', buyer);
  expect(balance_cents).toBe(12_300);
  const page = await again.ask('GET', `${path}?limit=100&q=before`, seller);
  const texts = page.map(({ content }: { content: string }) => content);
  expect(texts.filter((text: string) => text.startsWith('before'))).toHaveLength(40);
  const { epoch } = await again.ask('GET', '/api/inbox?after=0', seller);
  expect(out).toContain(`epoch ${epoch}`);
  expect(epoch).toBeGreaterThan(1);
  const checked = await runVerb(folder, ['ledger', 'check'], { DATA_DIR: data_dir, ...env });
  expect(checked).toMatchObject({ status: 0, out: expect.stringContaining('The ledger is right.') });
});

describe('a backup', () => {
  test('in clear is a tar that says so, and lists by name, time and size', async () => {
    const data_dir = await servedFolder('plain');
    rmSync(place, { recursive: true, force: true });
    const made = await backup(data_dir, 'create');
    expect(made.err).toContain('BACKUP_PASSPHRASE is not set');
    const listed = await backup(data_dir, 'list');
    expect(listed.out).toMatch(/meshwork-[\dTZ-]+\.tar\.zst {2}20\d\d-.* in clear/);
    expect(await backup(data_dir, 'verify')).toMatchObject({ status: 0 });
    const { last, proof } = noteIn(join(data_dir, DATABASE_FILE), 'backup') ?? {};
    expect(last).toMatchObject({ encrypted: false, rows: { agents: 1 } });
    expect(proof).toMatchObject({ result: 'ok', problems: [] });
  });

  test('that lacks a secret of its database is wrong, and says which', async () => {
    const data_dir = await servedFolder('secretless');
    rmSync(join(data_dir, 'seal-key'));
    expect((await backup(data_dir, 'create')).err).toContain('seal-key is not in');
    const verified = await backup(data_dir, 'verify');
    expect(verified.status).toBe(1);
    expect(verified.out).toContain('seal-key is missing');
    expect(verified.out).toEndWith(': wrong');
  });

  test('of a newer version is not restored, and verifies as inconclusive', async () => {
    const data_dir = await servedFolder('newer');
    const db = new Database(join(data_dir, DATABASE_FILE));
    db.run("INSERT INTO migrations (name, applied_at) VALUES ('9999_later', 1)");
    db.close();
    expect(await backup(data_dir, 'create')).toMatchObject({ status: 0 });
    const to = join(folder, 'of-newer');
    const restored = await backup(to, 'restore');
    expect(restored).toMatchObject({ status: 1, err: expect.stringContaining('it is of a newer version') });
    expect(readdirSync(to)).toEqual(['lock']);
    expect((await backup(data_dir, 'verify')).out).toEndWith(': inconclusive');
  });

  test('that was killed in the middle is none', async () => {
    const data_dir = await servedFolder('killed');
    rmSync(place, { recursive: true, force: true });
    const child = spawnVerb(folder, ['backup', 'create'], { DATA_DIR: data_dir, BACKUP_DIR: place });
    for await (const chunk of child.stderr) if (new TextDecoder().decode(chunk).includes('copying')) break;
    child.kill('SIGKILL');
    await child.exited;
    expect((await backup(data_dir, 'list')).out).toBe('no backup is there');
    // Of what is left of old, only what a backup was to be is removed.
    const left = 'meshwork-2020-01-01T00-00-00-000Z.tar.zst.partial';
    const others = ['film.partial', left.replace('2020', '2021')];
    mkdirSync(join(place, others[1] ?? ''), { recursive: true });
    for (const name of [left, 'film.partial']) writeFileSync(join(place, name), '');
    for (const name of [left, ...others]) utimesSync(join(place, name), 0, 0);
    expect(await backup(data_dir, 'create')).toMatchObject({ status: 0 });
    expect(
      readdirSync(place)
        .filter((name) => name.endsWith('.partial'))
        .sort(),
    ).toEqual(others);
  });

  test.skipIf(process.geteuid?.() !== 0)('of a folder of another user is refused to root', async () => {
    const data_dir = join(folder, 'foreign');
    mkdirSync(data_dir);
    chownSync(data_dir, 12_345, 12_345);
    const verbs = ['backup create', 'backup verify', 'backup restore --replace', 'update'];
    const run = (verb: string) => runVerb(folder, verb.split(' '), { DATA_DIR: data_dir, BACKUP_DIR: place });
    const err = "meshwork: DATA_DIR belongs to another user; run it as that user (sudo -u '#12345' …)";
    for (const ended of await Promise.all(verbs.map(run))) expect(ended).toEqual({ status: 1, out: '', err });
    expect(readdirSync(data_dir)).toEqual([]);
  });

  const disk = smallDisk(4);
  afterAll(() => disk?.remove());
  test.skipIf(disk === null)('that finds the disk full says so and leaves nothing', async () => {
    const data_dir = await servedFolder('full');
    const there = disk?.folder ?? '';
    disk?.fill();
    const made = await backup(data_dir, 'create', { BACKUP_DIR: there });
    expect(made).toMatchObject({ status: 1, err: expect.stringContaining('the disk is full') });
    expect(readdirSync(there)).toEqual(['filler']);
    const { out } = await backup(data_dir, 'create');
    const verified = await backup(there, `verify ${out.split(' ')[0]}`);
    expect(verified.out).toMatch(/the disk is full: \d+ bytes are needed in /);
    const config = { ...configOf({ DATA_DIR: data_dir }), scratchDir: there };
    const elsewhere = createBackup(config, placeOf(config, place), Date.now(), () => {});
    await expect(elsewhere).rejects.toThrow(/^the disk is full: \d+ bytes are needed in /);
    expect(verified.out).toEndWith(': inconclusive');
    expect(readdirSync(there)).toEqual(['filler']);
    expect(readdirSync(data_dir).filter((name) => name.startsWith('backup.tmp'))).toEqual([]);
  });
});

describe('a restore', () => {
  test('of a damaged, cut or locked file touches nothing and says why', async () => {
    const data_dir = await servedFolder('touched');
    const now_ms = Date.now();
    const file = join(folder, 'broken');
    const restore = (env: Record<string, string>, replace = true): Promise<unknown> => {
      const config = configOf({ DATA_DIR: data_dir, ...env });
      return restoreBackup(
        config,
        () => findBackup(config, file),
        { folder: data_dir, replace, now_ms },
        () => {},
      );
    };
    // The lock comes with the first look, and goes with nobody.
    await restore({}).catch(() => {});
    const before = readdirSync(data_dir).sort();
    for (const env of [{}, PASSPHRASE]) {
      const config = configOf({ DATA_DIR: data_dir, ...env });
      const { address } = await createBackup(config, placeOf(config, place), now_ms, () => {});
      const whole = readFileSync(address);
      const cases: (readonly [Buffer, string])[] = [
        [whole.subarray(0, whole.length - 40), 'damaged or was cut short'],
        [whole.subarray(0, 30), 'damaged or was cut short'],
        [Buffer.concat([whole.subarray(0, 9_000), Buffer.from([255, 0, 255]), whole.subarray(9_003)]), 'damaged'],
      ];
      for (const [bytes, reason] of cases) {
        writeFileSync(file, bytes);
        await expect(restore(env)).rejects.toThrow(reason);
        expect(readdirSync(data_dir).sort()).toEqual(before);
      }
      writeFileSync(file, whole);
    }
    await expect(restore({ BACKUP_PASSPHRASE: 'another' })).rejects.toThrow('another BACKUP_PASSPHRASE');
    await expect(restore({})).rejects.toThrow('BACKUP_PASSPHRASE is not set');
    await expect(restore(PASSPHRASE, false)).rejects.toThrow('is not empty; --replace');
    expect(readdirSync(data_dir).sort()).toEqual(before);
  });

  test('keeps what it replaces, and counts epochs on', async () => {
    const data_dir = await servedFolder('replaced');
    const epochs: number[] = [1];
    await backup(data_dir, 'create');
    for (const _time of [1, 2]) {
      const { out } = await backup(data_dir, 'restore --replace');
      const note = noteIn(join(data_dir, DATABASE_FILE), 'restored');
      expect(note).toMatchObject({ held: true });
      expect(out).toContain(`epoch ${note?.['epoch']}; what was there before is in ${data_dir}/replaced-`);
      epochs.push(Number(note?.['epoch']));
    }
    expect(epochs).toEqual([...new Set(epochs)].toSorted((a, b) => a - b));
    const kept = readdirSync(data_dir).filter((name) => name.startsWith('replaced-'));
    expect(kept.map((name) => existsSync(join(data_dir, name, DATABASE_FILE)))).toEqual([true, true]);
  });

  test.each(['what was there', 'what is new', 'nothing more'])(
    'that was killed while it moved %s is finished by the next',
    async (what) => {
      const data_dir = await servedFolder(`cut-${what.replaceAll(' ', '-')}`);
      // As the restore leaves it: all new files are there, and half of the files have moved.
      const [arriving, replaced] = [join(data_dir, 'restore.tmp'), join(data_dir, 'replaced-then')];
      cpSync(data_dir, join(folder, 'copy'), { recursive: true });
      renameSync(join(folder, 'copy'), arriving);
      mkdirSync(replaced);
      const [is_new, was] = [join(arriving, 'seal-key'), join(data_dir, 'seal-key')];
      writeFileSync(
        join(data_dir, 'restore.json'),
        JSON.stringify({ replaced: 'replaced-then', moved: what !== 'what was there' }),
      );
      if (what === 'nothing more') {
        // Into an empty folder, and all but the marker is gone.
        rmSync(arriving, { recursive: true });
        rmSync(replaced, { recursive: true });
      } else if (what === 'what is new') {
        for (const name of readdirSync(arriving)) renameSync(join(data_dir, name), join(replaced, name));
        renameSync(is_new, was);
      } else renameSync(was, join(replaced, 'seal-key'));
      const started = await runVerb(folder, ['serve'], { DATA_DIR: data_dir, PORT: '0' });
      const { status, out } = await backup(data_dir, 'restore');
      expect([started.status, started.err]).toEqual([
        2,
        expect.stringContaining('was cut off; meshwork backup restore'),
      ]);
      expect([status, out]).toEqual([0, expect.stringContaining('the restore that was cut off')]);
      // What is not there is not named.
      for (const text of [started.err, out]) expect(text.includes('what was there')).toBe(what !== 'nothing more');
      if (what !== 'nothing more') expect(readdirSync(replaced)).toContain(DATABASE_FILE);
      const server = await startServer(data_dir);
      await server.end('SIGTERM');
    },
  );
});
