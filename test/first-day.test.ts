// What somebody who hosts a service does on the first day, told by --help and the guide, works from an empty folder to a restored backup,
// and where there is no network at all: nothing is dialled unless a setting asks for it.
import { expect, test } from 'bun:test';
import { join } from 'node:path';

const DAY = join(import.meta.dir, 'support/first-day.ts');
/** A network of its own, with the loopback alone and no way out. */
const ALONE = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

const isolated = Bun.which('unshare') !== null && Bun.spawnSync([...ALONE, 'true']).success;
if (!isolated) console.error('first-day: no network namespace can be made here, so what is dialled is not looked at');

test('an empty folder comes to a deal, loses its data, has it again from a backup, and nothing is dialled', async () => {
  const child = Bun.spawn([...(isolated ? ALONE : []), process.execPath, '--no-env-file', DAY], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(err);
  const day = JSON.parse(out);
  for (const verb of ['serve', 'admin', 'backup', 'outbox', 'ledger']) expect(day.help).toContain(` ${verb} `);
  expect(day).toMatchObject({
    setup_link: true,
    stopped: 0,
    restored: expect.stringContaining('epoch'),
    verified: expect.stringMatching(/: ok/),
    deal: { status: 'completed', amount_cents: 60_000 },
    ledger: expect.stringContaining('The ledger is right.'),
  });
  if (isolated) expect(day.unroutable).toBe(0);
});
