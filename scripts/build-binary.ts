// Compiles the service into dist/meshwork with all that it needs inside: the build of sqlite-vec for this platform,
// the operations, migrations, the embedder's table, the web app, the threads that copy the log, make backups and read mails. Run by scripts/build.

import { join } from 'node:path';
import { type BunPlugin, Glob } from 'bun';
import { getLoadablePath } from 'sqlite-vec';
import { registry } from '../src/operations/registry.ts';
import { dashboardBundle } from '../src/transports/dashboard/bundle.ts';

const ROOT = join(import.meta.dir, '..');

/** Puts the shared object of sqlite-vec in the place that db/sqlite/vec-asset.ts keeps for it. */
const embedVec: BunPlugin = {
  name: 'embed-sqlite-vec',
  setup: (build) => {
    build.onLoad({ filter: /db[/\\]sqlite[/\\]vec-asset\.ts$/ }, () => ({
      contents: `import object from ${JSON.stringify(getLoadablePath())} with { type: 'file' };
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
  compile: { outfile: join(ROOT, 'dist/meshwork'), autoloadBunfig: false, autoloadDotenv: true },
});
for (const message of built.logs) console.error(String(message));
