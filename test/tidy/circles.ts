// Files that import each other in a circle, types included: neither can be read, moved or loaded without the other.
import ts from 'typescript';
import { type Syntax, target } from './source.ts';

/** The files that each file imports when it is read. What starts another file later (a thread, a program) names no circle. */
function graphOf(files: readonly Syntax[]): Map<string, readonly string[]> {
  const paths = new Set(files.map(({ path }) => path));
  return new Map(
    files.map(({ path, tree }) => {
      const specifiers = tree.statements.filter(ts.isImportDeclaration).map(({ moduleSpecifier }) => moduleSpecifier);
      const targets = specifiers.map((each) => (ts.isStringLiteral(each) && target(path, each.text)) || '');
      return [path, targets.filter((to) => paths.has(to) && to !== path)];
    }),
  );
}

/** A way from a file back to itself, as the paths on it; null when there is none. */
function circleFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const cameFrom = new Map<string, string>();
  const open = [start];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    for (const next of graph.get(path) ?? []) {
      if (next === start) {
        const way = [path];
        for (let at = path; at !== start; at = way[0] ?? start) way.unshift(cameFrom.get(at) ?? start);
        return way;
      }
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, path);
      open.push(next);
    }
  }
  return null;
}

/** Circles under the first of their files in the order of the alphabet, by the shortest way round; of those that share a file
 * one at a time. */
export function circleProblems(files: readonly Syntax[]): string[] {
  const graph = graphOf(files);
  const told = new Set<string>();
  return [...graph.keys()].sort().flatMap((path) => {
    if (told.has(path)) return [];
    const circle = circleFrom(path, graph);
    if (!circle || circle.some((each) => told.has(each))) return [];
    for (const each of circle) told.add(each);
    return [`${[...circle, path].join(' → ')}: a circle of imports`];
  });
}
