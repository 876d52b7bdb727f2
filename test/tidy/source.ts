// The files that the tidy rules judge, and what their syntax says: imports, exports and the tree itself. The compiler's
// own parser reads them, so that a word in a string or a comment is never taken for code.

import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** One file, its path relative to the root with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One use of another module. `names` is what is taken from it; 'all' when that cannot be told. */
interface Import {
  readonly specifier: string;
  readonly names: readonly string[] | 'all';
  readonly typeOnly: boolean;
  readonly line: number;
}

interface Export {
  readonly name: string;
  readonly isType: boolean;
  readonly line: number;
}

/** What the syntax of a TypeScript file says. */
export interface Syntax extends SourceFile {
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
}

/** Reads every text file under the given folders. */
export function readTree(root: string, folders: readonly string[]): SourceFile[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const texts = files.filter((file) => /(\.(ts|tsx|mjs|md|sh|toml)|\/[a-z-]+)$/.test(file));
  return texts.map((file) => ({
    path: posix.relative(root, file),
    text: readFileSync(file, 'utf8'),
  }));
}

export const isTypeScript = ({ path }: SourceFile): boolean => /\.tsx?$/.test(path);
export const isTest = ({ path }: SourceFile): boolean => path.startsWith('test/');

/** The line of a node, counted from 1. */
export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** Calls `visit` for every node below and including this one. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Whether a declaration carries a modifier such as `export`. */
export function has(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind);
}

/** The names taken from a namespace import: its members, or 'all' when the namespace itself is passed on. */
function membersUsed(tree: ts.SourceFile, namespace: ts.Identifier): string[] | 'all' {
  const members: string[] = [];
  let passedOn = false;
  walk(tree, (node) => {
    if (!ts.isIdentifier(node) || node.text !== namespace.text || node === namespace) return;
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === node) members.push(parent.name.text);
    else if (ts.isQualifiedName(parent) && parent.left === node) members.push(parent.right.text);
    else if (!(ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent))) passedOn = true;
  });
  return passedOn ? 'all' : members;
}

function namesOf(tree: ts.SourceFile, clause: ts.ImportClause | undefined): string[] | 'all' {
  const bindings = clause?.namedBindings;
  const own = clause?.name ? ['default'] : [];
  if (!bindings) return own;
  if (ts.isNamespaceImport(bindings)) return membersUsed(tree, bindings.name);
  return [...own, ...bindings.elements.map((element) => (element.propertyName ?? element.name).text)];
}

function importsOf(tree: ts.SourceFile): Import[] {
  const imports: Import[] = [];
  const declared = new Set<ts.Node>();
  walk(tree, (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      declared.add(node.moduleSpecifier);
      const clause = node.importClause;
      const typeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      const names = namesOf(tree, clause);
      imports.push({ specifier: node.moduleSpecifier.text, names, typeOnly, line: lineOf(tree, node) });
    } else if (ts.isStringLiteralLike(node) && !declared.has(node) && /^\.\.?\/.*\.tsx?$/.test(node.text)) {
      const typeOnly = ts.isLiteralTypeNode(node.parent) && ts.isImportTypeNode(node.parent.parent);
      // import(), new Worker(new URL(…)), import types: whatever names a file reaches it.
      imports.push({ specifier: node.text, names: 'all', typeOnly, line: lineOf(tree, node) });
    }
  });
  return imports;
}

function exportsOf(tree: ts.SourceFile): Export[] {
  const found: Export[] = [];
  const add = (node: ts.Node, name: string | undefined): void => {
    if (name === undefined) return;
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
    found.push({ name, isType, line: lineOf(tree, node) });
  };
  for (const statement of tree.statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      for (const element of statement.exportClause.elements) add(element, element.name.text);
    } else if (!has(statement, ts.SyntaxKind.ExportKeyword)) {
    } else if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) {
        if (ts.isIdentifier(declaration.name)) add(declaration, declaration.name.text);
      }
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isEnumDeclaration(statement)
    ) {
      add(statement, statement.name?.text);
    }
  }
  return found;
}

export function parse(file: SourceFile): Syntax {
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  return { ...file, tree, imports: importsOf(tree), exports: exportsOf(tree) };
}

/** The path that a relative specifier means, seen from a file; undefined for a package. */
export function target(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(from), specifier)) : undefined;
}
