// The web app's scripts and stylesheet. In a checkout they are built from src/dashboard at the first request; the single binary
// contains them: scripts/build-binary.ts replaces this file.
import { basename, join } from 'node:path';
import type { AnyOperation } from '../../contract/operation.ts';
import { clientTable } from '../openapi/client-table.ts';

/** A file of the app; its name contains a hash of its text. */
export interface DashboardFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** The files that the app's page names, and its service worker. */
export interface DashboardBundle {
  readonly script: DashboardFile;
  readonly style: DashboardFile;
  /** The chunks that the script loads on demand. */
  readonly parts: readonly DashboardFile[];
  /** The names of the chunks that it needs at once. */
  readonly first: readonly string[];
}

const SCRIPT = 'text/javascript; charset=utf-8';
const FOLDER = join(import.meta.dir, '../../dashboard');

function named(name: string, ending: string, type: string, text: string): DashboardFile {
  return { name: `${name}-${Bun.hash(text).toString(36)}.${ending}`, type, text };
}

/** The chunks that a file imports statically, with their imports; `import(…)` is loaded later. */
function importedBy(file: DashboardFile, parts: readonly DashboardFile[], known = new Set<string>()): string[] {
  for (const [, name = ''] of file.text.matchAll(/(?:from|import)"\.\/(part-\w+\.js)"/g)) {
    const part = parts.find((each) => each.name === name);
    if (!part || known.has(name)) continue;
    known.add(name);
    importedBy(part, parts, known);
  }
  return [...known];
}

/** Builds the app for browsers; throws when it does not compile. */
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
        // The specifications of events bring their schemas along, which the app does not use: a tenth of what it would load first.
        name: 'no-schemas',
        setup: (build) => {
          build.onResolve({ filter: /^typebox$/ }, () => ({ path: 'typebox', namespace: 'no-schemas' }));
          build.onLoad({ filter: /^typebox$/, namespace: 'no-schemas' }, () => ({
            contents: 'export const Type = new Proxy({}, { get: () => () => ({}) });',
            loader: 'js',
          }));
        },
      },
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
