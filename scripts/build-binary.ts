// Compiles the service into one file with all that it needs inside: the build of sqlite-vec for the target, the operations, migrations,
// the embedder's table, the web app, the threads that copy the log, make backups and read mails. Run by scripts/build; prints the file.

import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BunPlugin } from 'bun';
import { getLoadablePath } from 'sqlite-vec';
import { POSTGRES_MIGRATIONS } from '../db/migrations/postgres.ts';
import { SQLITE_MIGRATIONS } from '../db/migrations/sqlite.ts';
import manifest from '../package.json' with { type: 'json' };
import { documents } from '../src/docs/documents.ts';
import { OPERATION_FILES } from '../src/operations/operations.ts';
import { registry } from '../src/operations/registry.ts';
import { dashboardBundle } from '../src/transports/dashboard/bundle.ts';
import { referenceScript } from '../src/transports/reference-script.ts';
import { packed, packPackages } from './binary/packed.ts';

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

const OPERATIONS = registry();

/** Names all operations in the place of src/operations/registry.ts, which reads their folders and checks them: this build has. */
const embedOperations: BunPlugin = {
  name: 'embed-operations',
  setup: (build) => {
    build.onLoad({ filter: /src[/\\]operations[/\\]registry\.ts$/ }, () => {
      const imports: string[] = [];
      for (const [path, exported] of Object.entries(OPERATION_FILES)) {
        for (const [name, value] of Object.entries(exported)) {
          const place = OPERATIONS.findIndex((operation) => operation === value);
          if (place >= 0) imports[place] = `import { ${name} as operation${place} } from './${path}.ts';`;
        }
      }
      const names = OPERATIONS.map((_, place) => `operation${place}`);
      const contents = `${imports.join('\n')}
        const OPERATIONS = [${names.join(', ')}];
        export const registry = () => OPERATIONS;`;
      return { contents, loader: 'ts' };
    });
  },
};

/** The text of a thread's program, for the one that few start: bytecode makes it four times as large. */
async function threadText(path: string): Promise<string> {
  const made = await Bun.build({ entrypoints: [join(ROOT, path)], target: 'bun', format: 'esm', minify: true });
  return made.outputs.map((each) => each.text())[0] ?? '';
}

const PACKED_THREADS = [
  'src/outbound/reading/reading-worker.ts',
  'db/sqlite/check-worker.ts',
  'db/postgres/postgres-check-worker.ts',
];

/** The program of a thread that few start, unpacked in the thread, where nobody waits for it; what is said to it meanwhile is kept. */
const packedThread = async (path: string): Promise<string> =>
  (await packed(basename(path, '.ts'), await threadText(path))) +
  `const early = [];
    self.onmessage = (event) => early.push(event);
    await import(URL.createObjectURL(new Blob([unpack()], { type: 'text/javascript' })));
    for (const event of early) self.onmessage(event);`;

const { default: block }: { readonly default: (number: number) => string } = await import(
  join(ROOT, 'node_modules/any-ascii/block.js')
);
const BLOCKS = Array.from({ length: 0x1100 }, (_, number) => block(number)).join('\n');

// Made before the build begins: one build within another waits for itself.
/** What is large and seldom read, by the end of the path that it takes the place of. */
const PACKED: Readonly<Record<string, string>> = {
  'src/transports/dashboard/bundle.ts':
    (await packed('dashboard', JSON.stringify(await dashboardBundle(OPERATIONS)))) +
    'export const dashboardBundle = async () => JSON.parse(unpack());',
  'src/transports/reference-script.ts': `${await packed('reference', await referenceScript())}export const referenceScript = async () => unpack();`,
  'src/docs/documents.ts':
    (await packed('documents', JSON.stringify(documents()))) + 'export const documents = () => JSON.parse(unpack());',
  'db/migrations/postgres.ts':
    (await packed('postgres', JSON.stringify(POSTGRES_MIGRATIONS))) +
    'export const POSTGRES_MIGRATIONS = JSON.parse(unpack());',
  'db/migrations/sqlite.ts':
    (await packed('sqlite', JSON.stringify(SQLITE_MIGRATIONS))) +
    'export const SQLITE_MIGRATIONS = JSON.parse(unpack());',
  ...Object.fromEntries(
    await Promise.all(PACKED_THREADS.map(async (path) => [path, await packedThread(path)] as const)),
  ),
  'node_modules/any-ascii/block.js':
    (await packed('letters', BLOCKS)) +
    `let blocks;
    export default (number) => (blocks ??= unpack().toString('latin1').split('\\n'))[number] ?? '';`,
};

/** Modules that packages load for what we do not use: types of uploaded files and checks of schemas (elysia), traces of samples
 * (prom-client). A route with a schema of Elysia's does not start without them. */
const LEFT_OUT = /^(file-type|exact-mirror|@sinclair\/typebox\/(compiler|system|value)|@opentelemetry\/api)$/;

/** Errors are compared with the class. */
const LEFT = 'module.exports = { TransformDecodeError: class extends Error {} };';

const leaveOut: BunPlugin = {
  name: 'leave-out',
  setup: (build) => {
    build.onResolve({ filter: LEFT_OUT }, ({ path }) => ({ path, namespace: 'left-out' }));
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: LEFT, loader: 'js' }));
  },
};

const packing = await packPackages();

const embedPacked: BunPlugin = {
  name: 'embed-packed',
  setup: (build) => {
    const paths = Object.keys(PACKED).map((path) => path.replaceAll('.', '\\.').replaceAll('/', '[/\\\\]'));
    build.onLoad({ filter: new RegExp(`(${paths.join('|')})$`) }, ({ path }) => {
      const [, contents] = Object.entries(PACKED).find(([end]) => path.replaceAll('\\', '/').endsWith(end)) ?? [];
      return { contents: contents ?? '', loader: 'js' };
    });
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
  plugins: [embedVec, embedOperations, embedPacked, packing, leaveOut],
  // A bunfig.toml in the folder that the binary is started from must not change it; a .env file there may.
  compile: {
    ...(target && { target: `bun-${target}` }),
    outfile,
    autoloadBunfig: false,
    autoloadDotenv: true,
  },
}).catch((error: unknown) => stop(`could not make ${outfile}: ${Bun.inspect(error)}`, 1));
for (const message of built.logs) console.error(String(message));

/** Notes in the binary where the embedder's table lies in it, for src/outbound/embedder/table-bytes.ts. */
async function notePlace(): Promise<void> {
  const folder = join(ROOT, 'src/outbound/embedder');
  const [table, note] = [readFileSync(join(folder, 'table.bin')), readFileSync(join(folder, 'table-place.txt'))];
  const binary = Buffer.from(await Bun.file(outfile).arrayBuffer());
  const [table_at, note_at] = [binary.indexOf(table), binary.indexOf(note)];
  if (table_at < 0 || note_at < 0 || binary.indexOf(note, note_at + 1) >= 0) {
    stop(`${outfile} does not hold the embedder's table and the note of its place once each`, 1);
  }
  const written = [table_at, table.length].map((number) => String(number).padStart(12, '0')).join(' ');
  const file = openSync(outfile, 'r+');
  writeSync(file, written, note_at);
  closeSync(file);
}

await notePlace();

/** Where it goes stands in src/docs/benchmarks.md. */
const BYTES_ABOVE_BUN_MAX = 30_000_000;
const above = Bun.file(outfile).size - Bun.file(process.execPath).size;
if (target === null && above > BYTES_ABOVE_BUN_MAX) stop(`${outfile} is ${above} bytes larger than Bun`, 1);
console.log(outfile);
