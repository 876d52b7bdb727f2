// Who may import whom: domain ← db ← actors ← contract ← schemas ← steps ← matching, delivery ← operations ← pipeline ← transports ←
// compose, outbound beside db. The pure layer takes time, ids and randomness as arguments, and a few packages have one home
// each.

import ts from 'typescript';
import { isTest, lineOf, type Syntax, target, walk } from './source.ts';

/** The layers by the place of a file; the first that fits counts. */
const PLACES = [
  ['domain', /^src\/domain\//],
  ['db', /^db\//],
  ['outbound', /^src\/outbound\//],
  ['actors', /^actors\//],
  // What an operation is, and what it is told and can reach.
  ['contract', /^src\/contract\//],
  ['schemas', /^src\/schemas\//],
  ['steps', /^src\/steps\//],
  ['matching', /^src\/matching\//],
  ['delivery', /^src\/delivery\//],
  ['operations', /^src\/operations\//],
  ['pipeline', /^src\/pipeline\//],
  ['transports', /^src\/transports\//],
  ['dashboard', /^src\/dashboard\//],
  ['client', /^src\/client\//],
  ['cli', /^src\/cli\//],
  ['config', /^src\/config(\.ts$|\/)/],
  ['log', /^src\/log\.ts$/],
  ['compose', /^src\/(compose\/|main\.ts$)/],
] as const;

/** Of the client's package, what starts programs. */
const TESTING = 'src/client/testing.ts';

type Layer = (typeof PLACES)[number][0];

/** What stands under all that operations are made of. The world does not: it is the composition root's, which hands
 * out of it what contract/ports.ts, pipeline/core.ts and transports/door-ports.ts name. */
const GROUND: readonly Layer[] = ['domain', 'db', 'outbound', 'actors', 'contract'];

/** What each layer may import, beside itself. Settings and the log are made by compose and the CLI, and handed down. */
const MAY: Readonly<Record<Layer, readonly Layer[]>> = {
  domain: [],
  db: ['domain'],
  outbound: ['domain'],
  actors: ['domain', 'db'],
  contract: ['domain', 'db', 'outbound', 'actors'],
  schemas: GROUND,
  steps: [...GROUND, 'schemas'],
  matching: [...GROUND, 'schemas', 'steps'],
  delivery: [...GROUND, 'schemas', 'steps'],
  operations: [...GROUND, 'schemas', 'steps', 'matching', 'delivery'],
  pipeline: [...GROUND, 'schemas', 'steps'],
  // The web app is made with the client, whose table of operations the doors know.
  transports: [...GROUND, 'schemas', 'steps', 'operations', 'pipeline', 'client'],
  dashboard: ['domain', 'client'],
  // It runs at others' places, and brings nothing along.
  client: [],
  config: [],
  log: [],
  compose: [
    ...GROUND,
    'schemas',
    'steps',
    'matching',
    'delivery',
    'operations',
    'pipeline',
    'transports',
    'dashboard',
    'config',
    'log',
  ],
  // The commands of a developer go by the client, and sign deliveries as the service does.
  cli: ['compose', 'config', 'log', 'client', 'domain', 'outbound', 'delivery'],
};

/** What is handed down may be named as a type; the log's own pure functions may be called as well. */
function isHandedDown(from: Layer, layer: Layer, use: Syntax['imports'][number]): boolean {
  if (layer === 'log') return from !== 'domain' && !use.names.includes('createLog');
  // What operations take and answer is told to the app by their types.
  if (from === 'dashboard' && layer === 'operations') return use.typeOnly;
  return layer === 'config' && use.typeOnly && (from === 'outbound' || from === 'transports');
}

/** The packages that the pure layer may use: schemas as data, tables of letters and of public suffixes. They compute and do
 * nothing else. */
const PURE_PACKAGES = /^(typebox|any-ascii|tldts)(\/|$)/;

/** Packages that belong to certain layers: elsewhere they would be a second way to do the same. */
const HOMES: readonly (readonly [RegExp, readonly Layer[]])[] = [
  [/^(bun:sqlite|drizzle-orm|sqlite-vec)/, ['db']],
  [/^(elysia|@elysiajs\/)/, ['transports']],
  [/^citty$/, ['cli']],
  [/^pino$/, ['log']],
  [/^(nodemailer|jose|libphonenumber-js)/, ['outbound']],
];

/** What a pure rule must be given instead of fetching it itself. */
const IMPURE = ['process', 'Bun', 'fetch', 'crypto', 'performance', 'setTimeout', 'setInterval', 'setImmediate'];

/** The layer of a path; undefined outside the service (tests, scripts, assets). */
function layerOf(path: string): Layer | undefined {
  return PLACES.find(([, place]) => place.test(path))?.[0];
}

function wrongImport(from: Layer, path: string, use: Syntax['imports'][number]): string | undefined {
  const to = target(path, use.specifier);
  if (to === undefined) {
    const impure = from === 'domain' && !PURE_PACKAGES.test(use.specifier);
    if (impure) return `domain is pure and imports no package that can do more than compute, as ${use.specifier}`;
    if (from === 'client' && path !== TESTING)
      return `client runs everywhere and imports no package, as ${use.specifier}`;
    const home = HOMES.find(([name]) => name.test(use.specifier))?.[1];
    return home && !home.includes(from) ? `${use.specifier} belongs to ${home.join(', ')}, not to ${from}` : undefined;
  }
  const layer = layerOf(to);
  if (/^(test|scripts)\//.test(to)) return `the service imports ${to}`;
  if (layer === undefined || layer === from || MAY[from].includes(layer)) return undefined;
  if (isHandedDown(from, layer, use)) return undefined;
  return `${from} may not import ${layer} (${to})`;
}

/** Imports against the direction of the layers. */
export function layerProblems(files: readonly Syntax[]): string[] {
  return files.flatMap((file) => {
    const from = layerOf(file.path);
    if (from === undefined) return [];
    return file.imports.flatMap((use) => {
      const wrong = wrongImport(from, file.path, use);
      return wrong === undefined ? [] : [`${file.path}:${use.line}: ${wrong}`];
    });
  });
}

/** A name that is read as a value, not one that a type, a member or a declaration happens to share. */
function isFreeValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node;
}

function impurity(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) && IMPURE.includes(node.text) && isFreeValue(node)) return node.text;
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) return 'new Date()';
  const text = ts.isPropertyAccessExpression(node) ? node.getText() : '';
  return text === 'Date.now' || text === 'Math.random' ? text : undefined;
}

/** Clocks, randomness and the outer world in the pure layer. */
export function purityProblems(files: readonly Syntax[]): string[] {
  const problems: string[] = [];
  for (const file of files.filter(({ path }) => layerOf(path) === 'domain')) {
    walk(file.tree, (node) => {
      const found = impurity(node);
      if (found) problems.push(`${file.path}:${lineOf(file.tree, node)}: domain is pure, but uses ${found}`);
    });
  }
  return problems;
}

/** Readers of the environment beside src/config.ts. */
export function environmentProblems(files: readonly Syntax[]): string[] {
  const problems: string[] = [];
  for (const file of files.filter((each) => layerOf(each.path) !== undefined && !isTest(each))) {
    // The entry for tests runs in its user's process.
    if (['src/config.ts', TESTING].includes(file.path)) continue;
    walk(file.tree, (node) => {
      if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'env') return;
      if (!['process', 'Bun', 'import.meta'].includes(node.expression.getText())) return;
      problems.push(`${file.path}:${lineOf(file.tree, node)}: only src/config.ts reads the environment`);
    });
  }
  return problems;
}
