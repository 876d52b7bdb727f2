// The web app's script and stylesheet. From a checkout they are made of src/dashboard when somebody first asks; the single
// binary holds them: scripts/build-binary.ts puts them in this file's place.
import { join } from 'node:path';
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
  /** The texts of each further language. */
  readonly words: { readonly de: DashboardFile };
}

const SCRIPT = 'text/javascript; charset=utf-8';
const FOLDER = join(import.meta.dir, '../../dashboard');

function named(name: string, ending: string, type: string, text: string): DashboardFile {
  return { name: `${name}-${Bun.hash(text).toString(36)}.${ending}`, type, text };
}

/** The texts of a language, as a module of its own. */
async function wordsFile(language: string): Promise<DashboardFile> {
  const { outputs } = await Bun.build({
    entrypoints: [join(FOLDER, `words/${language}.ts`)],
    target: 'browser',
    format: 'esm',
    minify: true,
  });
  return named(`words-${language}`, 'js', SCRIPT, (await outputs[0]?.text()) ?? '');
}

/** Makes the app for browsers; throws when it does not compile. */
export async function dashboardBundle(operations: readonly AnyOperation[]): Promise<DashboardBundle> {
  const table = JSON.stringify(clientTable(operations));
  const built = await Bun.build({
    entrypoints: [join(FOLDER, 'main.tsx')],
    target: 'browser',
    format: 'esm',
    minify: true,
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
  const output = (kind: string): Promise<string> => {
    const found = built.outputs.find(({ path }) => path.endsWith(kind));
    if (!found) throw new Error(`the web app was made without its ${kind}`);
    return found.text();
  };
  return {
    script: named('app', 'js', SCRIPT, await output('.js')),
    style: named('app', 'css', 'text/css; charset=utf-8', await output('.css')),
    words: { de: await wordsFile('de') },
  };
}
