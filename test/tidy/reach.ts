// Dead code: files that no entry reaches, and exported names that nobody imports.

import ts from 'typescript';
import { type SourceFile, type Syntax, target, walk } from './source.ts';

/** Files of operations are found by their place (src/operations/operations.ts), not by an import. A folder below that of the noun,
 * named as an operation, holds parts of its body, which are imported as any other file is. */
const isOperation = ({ path }: SourceFile): boolean => /^src\/operations\/[^/]+\/[^/]+\.ts$/.test(path);
const isPart = (path: string): boolean => /^src\/operations\/[^/]+\/[^/]+\/[^/]+\.ts$/.test(path);

/** What the package meshwork-client exports: whoever installs it imports that. */
const PACKAGE: readonly string[] = ['src/client/package.ts', 'src/client/testing.ts'];

/** Where execution begins: the service, its operations, tests, scripts, what a script names to a tool; declarations, which tsc
 * reads. */
function isEntry(file: Syntax, scripts: string): boolean {
  const { path } = file;
  if (isOperation(file)) return true;
  if (['src/main.ts', 'src/cli/meshwork.ts', 'src/dashboard/main.tsx', ...PACKAGE].includes(path)) return true;
  if (/\.(test|config|d)\.ts$/.test(path) || /^scripts\/[^/]+$/.test(path)) return true;
  return scripts.includes(path);
}

/** Files that no entry reaches by any chain of imports. `all` holds the scripts of the shell too. */
export function deadFileProblems(files: readonly Syntax[], all: readonly SourceFile[] = []): string[] {
  const texts = all.filter(({ path }) => /^(scripts|\.ci)\//.test(path)).map(({ text }) => text);
  const scripts = texts.join('\n');
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const open = files.filter((file) => isEntry(file, scripts));
  for (let file = open.pop(); file; file = open.pop()) {
    if (reached.has(file.path)) continue;
    reached.add(file.path);
    for (const { specifier } of file.imports) {
      const next = byPath.get(target(file.path, specifier) ?? '');
      if (next) open.push(next);
    }
  }
  return files.filter(({ path }) => !reached.has(path)).map(({ path }) => `${path}: nothing reaches this file`);
}

/** Files whose names may be used by tests alone, each with its reason. */
const AHEAD: ReadonlySet<string> = new Set([
  // Journals and their reads are tried on both engines before the operations that book with them.
  'src/domain/money/ledger.ts',
  'db/queries/ledger.ts',
  // Nothing that the service offers holds money yet.
  'src/steps/money/hold.ts',
  // What asks a client of MCP before it answers is tried by the conformance suite before an operation asks.
  'src/transports/mcp/rounds.ts',
]);

const isTest = ({ path }: SourceFile): boolean => path.startsWith('test/');

/** What is taken from each file, by its path. */
function usesByFile(files: readonly Syntax[]): Map<string, Set<string> | 'all'> {
  const used = new Map<string, Set<string> | 'all'>();
  for (const file of files) {
    for (const { specifier, names } of file.imports) {
      const to = target(file.path, specifier);
      if (to === undefined || used.get(to) === 'all') continue;
      used.set(to, names === 'all' ? 'all' : new Set([...(used.get(to) ?? []), ...names]));
    }
  }
  return used;
}

/** Whether a file of operations may export the name: `src/operations/push-config/read.ts` holds what begins with `pushConfig`. */
function isOfNoun(path: string, name: string): boolean {
  const [noun = ''] = path.split('/').slice(-2);
  return name.startsWith(noun.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
}

/** Files of operations that export more than their operations. What several operations do is a step. */
export function operationProblems(files: readonly Syntax[]): string[] {
  return files.filter(isOperation).flatMap((file) => {
    const others = file.exports.filter(({ name }) => !isOfNoun(file.path, name));
    return others.map(({ name, line }) => `${file.path}:${line}: exports ${name} beside its operations`);
  });
}

/** Parts of an operation's body whose operation is not there, and those that others than operations import. */
export function partProblems(files: readonly Syntax[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const homeless = [...paths].filter(
    (path) => isPart(path) && !paths.has(`${path.slice(0, path.lastIndexOf('/'))}.ts`),
  );
  const strange = files.flatMap(({ path, imports }) => {
    if (/^(test|src\/operations)\//.test(path)) return [];
    const parts = imports.filter(({ specifier }) => isPart(target(path, specifier) ?? ''));
    return parts.map(({ line }) => `${path}:${line}: imports a part of an operation's body`);
  });
  return [...homeless.map((path) => `${path}: its folder is named as no operation`), ...strange];
}

/** Whether a file uses one of its own names beside declaring it. */
function isUsedAtHome(file: Syntax, name: string): boolean {
  let count = 0;
  walk(file.tree, (node) => {
    if (ts.isIdentifier(node) && node.text === name) count += 1;
  });
  return count > 1;
}

/**
 * Exported names that no other file imports. A test is a user of what only tests have, and of a name that its own file of the
 * service uses too: a rule is tried by itself. A type may be exported because an exported signature of its own file names it.
 */
export function unusedExportProblems(files: readonly Syntax[]): string[] {
  const used = usesByFile(files);
  const served = usesByFile(files.filter((file) => !isTest(file)));
  return files.flatMap((file) => {
    const [anywhere, names] = [used.get(file.path), served.get(file.path)];
    if (anywhere === 'all' || PACKAGE.includes(file.path) || /\.(test|config)\.ts$/.test(file.path)) return [];
    const found = (name: string): boolean => isOperation(file) && isOfNoun(file.path, name);
    const triedAlone = isTest(file) || AHEAD.has(file.path);
    const isUsed = (name: string): boolean =>
      names === 'all' || !!names?.has(name) || (!!anywhere?.has(name) && (triedAlone || isUsedAtHome(file, name)));
    const unused = file.exports.filter(
      ({ name, isType }) => !found(name) && !isUsed(name) && !(isType && isUsedAtHome(file, name)),
    );
    return unused.map(({ name, line }) => `${file.path}:${line}: nobody imports ${name}`);
  });
}
