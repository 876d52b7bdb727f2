// Compiles the service into one file with all that it needs inside: the build of sqlite-vec for the target, the operations, migrations,
// the embedder's table, the web app, the threads that copy the log, make backups and read mails. Run by scripts/build; prints the file.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BunPlugin, Glob } from 'bun';
import { getLoadablePath } from 'sqlite-vec';
import manifest from '../package.json' with { type: 'json' };
import { registry } from '../src/operations/registry.ts';
import { dashboardBundle } from '../src/transports/dashboard/bundle.ts';

const ROOT = join(import.meta.dir, '..');
const OWN = `${process.platform}-${process.arch}`;

type Target = 'linux-x64' | 'linux-arm64';
const isTarget = (name: string): name is Target => name === 'linux-x64' || name === 'linux-arm64';

function stop(why: string, status: number): never {
  console.error(`meshwork: ${why}`);
  process.exit(status);
}

const { target: named = OWN } = parseArgs({ options: { target: { type: 'string' } } }).values;
/** Null for this machine. */
const target = named === OWN ? null : isTarget(named) ? named : stop(`there is no target ${named}`, 2);

/** The shared object of sqlite-vec; that for another machine is got through npm's registry, as it is locked. */
function vecObject(): string {
  if (target === null) return getLoadablePath();
  const folder = join(ROOT, '.bun', `packages-${target}`);
  const name = `sqlite-vec-${target}`;
  mkdirSync(folder, { recursive: true });
  const dependencies = { [name]: manifest.dependencies['sqlite-vec'] };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const [os = '', cpu = ''] = target.split('-');
  const options = ['--ignore-scripts', '--save-text-lockfile', '--os', os, '--cpu', cpu];
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'install', ...options], { cwd: folder });
  if (exitCode !== 0) stop(`npm's registry did not give ${name}:\n${stderr}`, 1);
  const sum = /"(sha512-[^"]+)"/.exec(readFileSync(join(folder, 'bun.lock'), 'utf8'))?.[1];
  if (!sum || !readFileSync(join(ROOT, 'bun.lock'), 'utf8').includes(sum)) stop(`${name} is not what is locked`, 1);
  return join(folder, 'node_modules', name, 'vec0.so');
}

const VEC = vecObject();

/** Puts the shared object of sqlite-vec in the place that db/sqlite/vec-asset.ts keeps for it. */
const embedVec: BunPlugin = {
  name: 'embed-sqlite-vec',
  setup: (build) => {
    build.onLoad({ filter: /db[/\\]sqlite[/\\]vec-asset\.ts$/ }, () => ({
      contents: `import object from ${JSON.stringify(VEC)} with { type: 'file' };
        export const VEC_ASSET = object;`,
      loader: 'ts',
    }));
  },
};

/** Names the files of all operations in the place of src/operations/operations.ts, which reads their folders. */
const embedOperations: BunPlugin = {
  name: 'embed-operations',
  setup: (build) => {
    build.onLoad({ filter: /src[/\\]operations[/\\]operations\.ts$/ }, () => {
      const paths = [...new Glob('*/*.ts').scanSync(join(ROOT, 'src/operations'))].sort();
      const imports = paths.map((path, at) => `import * as file${at} from './${path}';`);
      const entries = paths.map((path, at) => `${JSON.stringify(path.replace(/\.ts$/, ''))}: file${at},`);
      return {
        contents: [...imports, 'export const OPERATION_FILES = {', ...entries, '};'].join('\n'),
        loader: 'ts',
      };
    });
  },
};

// Made before the build begins: one build within another waits for itself.
const MADE = JSON.stringify(await dashboardBundle(registry()));

/** Puts the web app in the place of what makes it from the files of a checkout. */
const embedDashboard: BunPlugin = {
  name: 'embed-dashboard',
  setup: (build) => {
    build.onLoad({ filter: /src[/\\]transports[/\\]dashboard[/\\]bundle\.ts$/ }, () => ({
      contents: `const MADE = ${MADE};
        export const dashboardBundle = async () => MADE;`,
      loader: 'ts',
    }));
  },
};

const outfile = join(ROOT, 'dist', target === null ? 'meshwork' : `meshwork-${target}`);

const built = await Bun.build({
  // A thread's file is an entry of its own: no import reaches it. Inside the binary the code that starts it lies at the
  // top, so that `./checkpoint-worker.ts` is found only when this lies there too.
  entrypoints: [
    'src/cli/meshwork.ts',
    'db/sqlite/checkpoint-worker.ts',
    'db/sqlite/check-worker.ts',
    'db/postgres/postgres-check-worker.ts',
    'src/outbound/reading/reading-worker.ts',
    'src/compose/backup/backup-worker.ts',
  ].map((path) => join(ROOT, path)),
  naming: { entry: '[name].[ext]' },
  format: 'esm',
  minify: true,
  // Parsed ahead of time: it halves the time to the first answer.
  bytecode: true,
  plugins: [embedVec, embedOperations, embedDashboard],
  // A bunfig.toml in the folder that the binary is started from must not change it; a .env file there may.
  compile: {
    ...(target && { target: `bun-${target}` }),
    outfile,
    autoloadBunfig: false,
    autoloadDotenv: true,
  },
}).catch((error: unknown) => stop(`could not make ${outfile}: ${Bun.inspect(error)}`, 1));
for (const message of built.logs) console.error(String(message));
console.log(outfile);
