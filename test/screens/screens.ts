// scripts/screens: takes a picture of every page and state in every look into dist/screens, and says what changed against an earlier
// folder of pictures.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { progressBar } from '../bench/report.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { leave, wordsGiven } from '../support/words-given.ts';
import { openCamera } from './camera.ts';
import { difference, type Sheet, sheetOf } from './compare.ts';
import { LOOKS, shotsOf } from './pages.ts';
import { openWorld } from './world.ts';

const FOLDER = join(import.meta.dir, '../../dist/screens');
/** Below it two pictures are the same: letters are drawn a little differently from run to run. */
const SAME = 0.0005;

/** What of a picture changed against the earlier one. */
async function changeOf(file: string, picture: Uint8Array, against: string | null): Promise<Sheet['changed']> {
  if (against === null) return null;
  const before = Bun.file(join(against, file));
  if (!(await before.exists())) return undefined;
  const { share, picture: shown } = difference(await before.bytes(), picture);
  if (share <= SAME) return 0;
  writeFileSync(join(FOLDER, 'changed', file), shown);
  return share;
}

/** The earlier folder, copied aside: it may be the one that is written now. */
function earlier(folder: string | undefined): string | null {
  if (folder === undefined) return null;
  if (!existsSync(folder)) leave(`there is no folder ${folder}`);
  const aside = mkdtempSync(join(tmpdir(), 'meshwork-screens-'));
  cpSync(folder, aside, { recursive: true });
  return aside;
}

async function run(): Promise<void> {
  const { values } = wordsGiven({ options: { against: { type: 'string' }, only: { type: 'string' } } });
  if (!hasBrowser) leave('there is no browser to take pictures with');
  const against = earlier(values.against);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'changed'), { recursive: true });
  const tell = progressBar('screens');
  tell(0, 'making the world');
  const world = await openWorld();
  const camera = await openCamera(await openBrowser(), world);
  const shots = shotsOf(world).filter(({ name }) => name.includes(values.only ?? ''));
  const taken: Sheet[] = [];
  for (const [at, shot] of shots.entries()) {
    tell(at / shots.length, shot.name);
    for (const look of LOOKS) {
      const file = `${shot.name}-${look.name}.png`;
      const picture = await camera.take(shot, look, true);
      writeFileSync(join(FOLDER, file), picture);
      taken.push({ name: `${shot.name} ${look.name}`, file, changed: await changeOf(file, picture, against) });
    }
  }
  await camera.close();
  await world.close();
  if (against !== null) rmSync(against, { recursive: true });
  writeFileSync(join(FOLDER, 'index.html'), sheetOf(taken));
  const changed = taken.filter((each) => each.changed !== null && each.changed !== 0);
  for (const each of changed) {
    console.log(
      `${each.changed === undefined ? 'new    ' : `${(each.changed ?? 0) * 100}`.slice(0, 5).padEnd(7)} ${each.name}`,
    );
  }
  console.log(`${taken.length} pictures, ${changed.length} changed: ${join(FOLDER, 'index.html')}`);
}

await run();
process.exit(0);
