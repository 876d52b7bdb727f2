// No rule, step or operation speaks for a door: what callers are told to do next is an operation and its input
// (src/domain/next-step.ts), which each door says in its own way. Only what declares a door's own call may spell it.
import ts from 'typescript';
import { lineOf, type Syntax, walk } from './source.ts';

/** Where nothing knows by which door it was called. */
const BEHIND_THE_DOORS = /^src\/(domain|schemas|matching|delivery|steps|operations|pipeline)\//;

/** A route, a method with an address, the name of a tool. */
const CALL = /\/api\/|\b(GET|POST|PUT|PATCH|DELETE) \/|\bmesh_[a-z]/;

/** The properties of a head that say how a door reaches it, or why one does not, and what a document says of it. */
const DECLARED = ['path', 'tools', 'name', 'no_tool', 'description'];

function isDeclared(node: ts.Node): boolean {
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (ts.isFunctionLike(parent)) return false;
    if (ts.isPropertyAssignment(parent) && DECLARED.includes(parent.name.getText())) return true;
  }
  return false;
}

/** Texts that spell the call of some door where any door may have called. */
export function spelledCallProblems(files: readonly Syntax[]): string[] {
  const problems: string[] = [];
  for (const file of files.filter(({ path }) => BEHIND_THE_DOORS.test(path))) {
    walk(file.tree, (node) => {
      const text = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) ? node.text : '';
      if (!CALL.test(text) || isDeclared(node)) return;
      problems.push(`${file.path}:${lineOf(file.tree, node)}: spells a door's call; name the operation instead`);
    });
  }
  return problems;
}
