// The law of src/steps: a file loads (it reads and awaits, and makes no effects) or it decides (it awaits and reads nothing, and may
// make effects). What does both is the body of an operation.
import ts from 'typescript';
import { type Syntax, target, walk } from './source.ts';

const EFFECTS = 'db/effects.ts';
const STORE = 'db/store.ts';
const STEPS = /^src\/steps\//;

/** Types that hold effects: those of db/effects.ts, what a turn decides, a journal, and each type that is declared by one of them. */
type Known = ReadonlyMap<string, ReadonlySet<string>>;

/** Where each name of a file was imported from: the file, and its name there. */
function importedIn({ path, tree }: Syntax): Map<string, readonly [file: string, name: string]> {
  const names = new Map<string, readonly [string, string]>();
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const from = target(path, statement.moduleSpecifier.text);
    const bindings = statement.importClause?.namedBindings;
    if (from === undefined || !bindings || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) names.set(name.text, [from, (propertyName ?? name).text]);
  }
  return names;
}

type Names = ReturnType<typeof importedIn>;

/** Whether a type names one that holds effects. */
function holdsEffects(type: ts.Node, path: string, names: Names, known: Known): boolean {
  let holds = false;
  walk(type, (node) => {
    let named: ts.Node;
    if (ts.isTypeReferenceNode(node)) named = node.typeName;
    else if (ts.isExpressionWithTypeArguments(node)) named = node.expression;
    // `ReturnType<typeof tell>`
    else if (ts.isTypeQueryNode(node)) named = node.exprName;
    else return;
    const name = named.getText();
    const [file, there] = names.get(name) ?? [path, name];
    if (known.get(file)?.has(there)) holds = true;
  });
  return holds;
}

/** The types and the functions of all files that hold, or return, effects. */
function effectful(files: readonly Syntax[], namesOf: ReadonlyMap<string, Names>): Known {
  const known = new Map<string, Set<string>>([
    [STORE, new Set(['Decision'])],
    ['src/domain/money/ledger.ts', new Set(['Post'])],
  ]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { path, tree } of files) {
      // What a flow is handed is no effect before it makes one.
      if (path !== EFFECTS && !STEPS.test(path)) continue;
      const own = known.get(path) ?? new Set();
      known.set(path, own);
      for (const statement of tree.statements) {
        const type =
          ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
            ? statement
            : ts.isFunctionDeclaration(statement)
              ? statement.type
              : undefined;
        const name = (statement as ts.FunctionDeclaration).name?.text;
        if (!type || name === undefined || own.has(name)) continue;
        const made = path === EFFECTS && /Effect$/.test(name);
        if (!made && !holdsEffects(type, path, namesOf.get(path) ?? new Map(), known)) continue;
        own.add(name);
        grew = true;
      }
    }
  }
  return known;
}

/** Why a file loads; undefined where it does not. */
function loads({ path, tree }: Syntax): string | undefined {
  let found: string | undefined;
  walk(tree, (node) => {
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) found ??= 'awaits';
    if (node.kind === ts.SyntaxKind.AsyncKeyword) found ??= 'awaits';
    if (ts.isTypeReferenceNode(node) && ['Promise', 'Read'].includes(node.typeName.getText(tree))) found ??= 'awaits';
  });
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const { importClause: clause } = statement;
    if (
      clause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
      !clause?.namedBindings ||
      !ts.isNamedImports(clause.namedBindings)
    )
      continue;
    const values = clause.namedBindings.elements.filter((each) => !each.isTypeOnly);
    if (values.length > 0 && /^db\/queries\//.test(target(path, statement.moduleSpecifier.text) ?? ''))
      found ??= 'reads';
  }
  return found;
}

/** What of a file makes effects; undefined where nothing does. */
function decides({ path, tree }: Syntax, names: Names, known: Known): string | undefined {
  let found: string | undefined;
  walk(tree, (node) => {
    if (ts.isTypeReferenceNode(node) && holdsEffects(node, path, names, known))
      found ??= node.getText(tree).split(/\W/)[0];
    if (ts.isPropertyAssignment(node) && node.name.getText(tree) === 'do' && ts.isStringLiteral(node.initializer))
      found ??= `do: ${node.initializer.text}`;
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'turn'
    )
      found ??= 'turn';
    if (ts.isIdentifier(node) && !ts.isImportSpecifier(node.parent) && !ts.isPropertyAccessExpression(node.parent)) {
      const at = names.get(node.text);
      if (at && known.get(at[0])?.has(at[1])) found ??= node.text;
    }
  });
  return found;
}

/** Files of src/steps that load and decide. */
export function stepProblems(files: readonly Syntax[]): string[] {
  const namesOf = new Map(files.map((file) => [file.path, importedIn(file)]));
  const known = effectful(files, namesOf);
  return files.flatMap((file) => {
    if (!STEPS.test(file.path)) return [];
    const made = decides(file, namesOf.get(file.path) ?? new Map(), known);
    const how = loads(file);
    return made === undefined || how === undefined ? [] : [`${file.path}: ${how}, and makes effects (${made})`];
  });
}
