// The web app's scripts and stylesheet. From a checkout they are made of src/dashboard when somebody first asks; the single
// binary holds them: scripts/build-binary.ts puts them in this file's place.
import { basename, join } from 'node:path';
import type { AnyOperation } from '../../contract/operation.ts';
import { clientTable } from '../openapi/client-table.ts';

/** One file that the app loads; the name changes with the text. */
export interface DashboardFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** What the app's page names, and what its service worker is. */
export interface DashboardBundle {
  readonly script: DashboardFile;
  readonly style: DashboardFile;
  /** What the script loads where it is needed, by names that the script knows. */
  readonly parts: readonly DashboardFile[];
  /** The names of those that it needs at once. */
  readonly first: readonly string[];
}

const SCRIPT = 'text/javascript; charset=utf-8';
const FOLDER = join(import.meta.dir, '../../dashboard');

function named(name: string, ending: string, type: string, text: string): DashboardFile {
  return { name: `${name}-${Bun.hash(text).toString(36)}.${ending}`, type, text };
}

/** The parts that a file imports, and those that these do; what is loaded later is called `import(…)`. */
function importedBy(file: DashboardFile, parts: readonly DashboardFile[], known = new Set<string>()): string[] {
  for (const [, name = ''] of file.text.matchAll(/(?:from|import)"\.\/(part-\w+\.js)"/g)) {
    const part = parts.find((each) => each.name === name);
    if (!part || known.has(name)) continue;
    known.add(name);
    importedBy(part, parts, known);
  }
  return [...known];
}

/** Makes the app for browsers; throws when it does not compile. */
export async function dashboardBundle(operations: readonly AnyOperation[]): Promise<DashboardBundle> {
  const table = JSON.stringify(clientTable(operations));
  const built = await Bun.build({
    entrypoints: [join(FOLDER, 'main.tsx')],
    target: 'browser',
    format: 'esm',
    minify: true,
    splitting: true,
    naming: { chunk: 'part-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'client-table',
        setup: (build) => {
          build.onLoad({ filter: /src[/\\]client[/\\]operations\.ts$/ }, () => ({
            contents: `export const OPERATIONS = ${table};`,
            loader: 'ts',
          }));
        },
      },
    ],
  });
  const output = (kind: string, ending: string): Promise<string> => {
    const found = built.outputs.find((each) => each.kind === kind && each.path.endsWith(ending));
    if (!found) throw new Error(`the web app was made without its ${ending}`);
    return found.text();
  };
  const chunks = built.outputs.filter(({ kind, path }) => kind === 'chunk' && path.endsWith('.js'));
  const parts = await Promise.all(
    chunks.map(async (chunk) => ({ name: basename(chunk.path), type: SCRIPT, text: await chunk.text() })),
  );
  const script = named('app', 'js', SCRIPT, await output('entry-point', '.js'));
  return {
    script,
    style: named('app', 'css', 'text/css; charset=utf-8', await output('asset', '.css')),
    parts,
    first: importedBy(script, parts),
  };
}
