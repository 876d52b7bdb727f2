// Rewrites a source text so that it counts its own steps: one for each round of a loop and each call of a function, and the
// length of what is spread. What it does stays the same.
import ts from 'typescript';

/** The name under which rewritten code finds the counter. */
export const COUNTER = '__steps';

interface Insertion {
  readonly at: number;
  readonly text: string;
}

const COUNT = `${COUNTER}.n++`;

const isLoop = (node: ts.Node): node is ts.IterationStatement => ts.isIterationStatement(node, false);

function aroundStatement(tree: ts.SourceFile, body: ts.Statement): Insertion[] {
  if (ts.isBlock(body)) return [{ at: body.getStart(tree) + 1, text: `${COUNT};` }];
  return [
    { at: body.getStart(tree), text: `{${COUNT};` },
    { at: body.end, text: '}' },
  ];
}

function inFunction(tree: ts.SourceFile, { body }: ts.FunctionLikeDeclaration): Insertion[] {
  if (!body) return [];
  if (ts.isBlock(body)) return [{ at: body.getStart(tree) + 1, text: `${COUNT};` }];
  return [
    { at: body.getStart(tree), text: `(${COUNT},` },
    { at: body.end, text: ')' },
  ];
}

function insertionsOf(tree: ts.SourceFile): Insertion[] {
  const found: Insertion[] = [];
  const visit = (node: ts.Node): void => {
    // What lies further in comes later, so that at one place the outer opens before the inner and closes after it.
    if (isLoop(node)) found.push(...aroundStatement(tree, node.statement));
    if (ts.isFunctionLike(node) && 'body' in node) found.push(...inFunction(tree, node as ts.FunctionLikeDeclaration));
    if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) {
      found.push({ at: node.expression.getStart(tree), text: `${COUNTER}.spread(` });
      found.push({ at: node.expression.end, text: ')' });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const opensBody = ({ text }: Insertion): boolean => text !== ')' && text !== '}';

/** The text with counting put in; `moved` says where an imported module stands, null where it stays as it is. */
export function instrument(path: string, text: string, moved: (specifier: string) => string | null): string {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const insertions = insertionsOf(tree);
  const edits = insertions.map(({ at, text }, order) => ({
    from: at,
    to: at,
    text,
    // At one place ends come before beginnings, inner ends before outer ones.
    order: opensBody({ at, text }) ? insertions.length + order : -order,
  }));
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const { moduleSpecifier: specifier } = statement;
    if (!specifier || !ts.isStringLiteral(specifier)) continue;
    const to = moved(specifier.text);
    if (to === null) continue;
    edits.push({ from: specifier.getStart(tree), to: specifier.end, text: JSON.stringify(to), order: 0 });
  }
  edits.sort((a, b) => a.from - b.from || a.order - b.order);
  let made = `const ${COUNTER} = globalThis.${COUNTER};\n`;
  let kept = 0;
  for (const { from, to, text: edit } of edits) {
    made += text.slice(kept, from) + edit;
    kept = to;
  }
  return made + text.slice(kept);
}
