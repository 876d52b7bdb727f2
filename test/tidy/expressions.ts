// Regular expressions that take longer than linear on some text: one that a stranger writes would stop the service. Each in
// the source is judged by recheck, whose verdicts are kept in a ledger, since they take a minute and never change.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSync } from 'recheck/lib/browser.js';
import ts from 'typescript';
import { lineOf, type Syntax, walk } from './source.ts';

export interface Expression {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Those that recheck does not find linear and that may stay, each with the reason. */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/outbound/reading/reply-text.ts QUOTED': 'is tried on lines of 998 characters at most',
  'src/outbound/reading/reply-text.ts ADDRESS': 'is tried on lines of 998 characters at most',
  'src/outbound/reading/reply-text.ts BRACKETED': 'is tried on lines of 998 characters at most',
  'src/outbound/reading/reply-text.ts ATTRIBUTES': 'is tried on lines of 998 characters at most',
  'src/outbound/reading/reply-text.ts LABELLED': 'is tried on lines of 998 characters at most',
  'src/domain/mail/mailbox.ts REPLY_ADDRESS': 'begins behind another sign, and looks 320 characters ahead at most',
  'src/outbound/page/read.ts META': 'is tried on the first 1,024 bytes of a page',
  'src/domain/disclosure/credential.ts SHAPES': 'begin behind another sign, and look 2,000 characters ahead at most',
  'src/domain/disclosure/credential.ts FIRST_PART': 'begins where no such sign stands before it: each is read twice',
  'src/domain/disclosure/phone.ts PLAIN': 'begin behind another sign, and look 60 characters ahead at most',
  'src/domain/disclosure/calendar.ts (new RegExp)': 'begins behind another sign, and looks 80 characters ahead at most',
  'src/domain/negotiation/price.ts NO_OFFER': 'is tried on the 48 characters before a price',
  'src/domain/disclosure/credential.ts SEED': 'looks at 24 words of 8 letters at most',
};

const isTested = ({ path }: Syntax): boolean => /^(?:src|actors|db)\//.test(path);

/** The name of the constant at the top of its file that holds an expression, alone or among others. */
function nameOf(node: ts.Node): string {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isFunctionLike(at)) return '';
    if (ts.isVariableDeclaration(at) && ts.isIdentifier(at.name)) return ` ${at.name.text}`;
  }
  return '';
}

/** A pattern that is put together at run time stands at the top of its file, where `constructed` finds it. */
function isConstructed(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
}

function isAtTop(node: ts.Node): boolean {
  for (let at = node.parent; at; at = at.parent) if (ts.isFunctionLike(at)) return false;
  return true;
}

/** Every literal of the files, and what is wrong with how others are made. */
export function expressionsIn(files: readonly Syntax[]): { found: Expression[]; made: string[]; problems: string[] } {
  const found: Expression[] = [];
  const made = new Set<string>();
  const problems: string[] = [];
  for (const { path, tree } of files.filter(isTested)) {
    walk(tree, (node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const where = `${path}${nameOf(node)}:${lineOf(tree, node)}`;
        found.push({ where, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      }
      if (!isConstructed(node)) return;
      made.add(path);
      if (!isAtTop(node)) problems.push(`${path}:${lineOf(tree, node)}: a RegExp is made in a function`);
    });
  }
  return { found, made: [...made], problems };
}

/** What a module makes by `new RegExp` while it is loaded; `load` must load it anew. */
export async function constructed(path: string, load: () => Promise<unknown>): Promise<Expression[]> {
  const found: Expression[] = [];
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, given: [string, string?], self) => {
      const made = Reflect.construct(target, given, self) as RegExp;
      found.push({ where: `${path} (new RegExp)`, source: made.source, flags: made.flags });
      return made;
    },
  });
  try {
    await load();
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}

/** The patterns of a JSON Schema, which are expressions too. */
export function patternsIn(where: string, schema: unknown): Expression[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string'
      ? [{ where: `${where} pattern`, source: value, flags: 'u' }]
      : patternsIn(where, value),
  );
}

/** The slowest to judge take some eight seconds; what is not judged in this time counts as slow. */
const TIMEOUT_MS = 60_000;

function verdictOn({ source, flags }: Expression): string {
  // Which indices and which matches are wanted changes nothing in how it searches.
  const told = checkSync(source, flags.replace(/[dv]/g, ''), { timeout: TIMEOUT_MS });
  if (told.status === 'safe') return 'linear';
  return told.status === 'vulnerable' ? `${told.complexity.summary}: ${told.attack.pattern}` : 'it cannot be judged';
}

const HEADER =
  '# Regular expressions that recheck found linear, or that stand where their text is bounded. Written by UPDATE_LEDGER=1.\n';
const LEDGER = join(import.meta.dir, 'linear-expressions.txt');

const written = ({ source, flags }: Expression): string => `/${source}/${flags}`;

const isBounded = ({ where }: Expression): boolean =>
  Object.keys(BOUNDED).some((entry) => `${where}:`.startsWith(`${entry}:`));

/** The line of one that is not linear, and stands where its text is bounded. */
const bounded = (expression: Expression): string => `bounded ${written(expression)}`;

/** The lines of the ledger whose expressions still stand somewhere. */
function present(expressions: readonly Expression[], known: ReadonlySet<string>): string[] {
  const lines = expressions.flatMap((expression) => [written(expression), bounded(expression)]);
  return [...new Set(lines)].filter((line) => known.has(line)).toSorted();
}

/** What one may not be, be its text as short as it likes: thirty signs then take minutes. */
const isEndless = (verdict: string): boolean => verdict.startsWith('exponential');

/** The line by which the ledger lets an expression stand, null where none may. */
function lineFor(expression: Expression, verdict: string): string | null {
  if (verdict === 'linear') return written(expression);
  return isBounded(expression) && !isEndless(verdict) ? bounded(expression) : null;
}

/** What is not linear. Judges those that the ledger does not know; with `update` it also writes down which are linear, and
 * which are not and stand where their text is bounded: without that, nobody has looked at a new one there. */
export function slowExpressions(expressions: readonly Expression[], update = false): string[] {
  const ledger = existsSync(LEDGER) ? readFileSync(LEDGER, 'utf8') : '';
  const known = new Set(ledger.split('\n'));
  const problems: string[] = [];
  for (const expression of expressions) {
    if (known.has(written(expression)) || (isBounded(expression) && known.has(bounded(expression)))) continue;
    const verdict = verdictOn(expression);
    const line = lineFor(expression, verdict);
    if (line !== null && (update || verdict === 'linear')) {
      known.add(line);
      // One by one: it takes minutes, and a run that is ended early goes on where it was.
      if (update) appendFileSync(LEDGER, `${line}\n`);
    } else problems.push(`${expression.where}: ${verdict.slice(0, 160)}`);
  }
  if (update) writeFileSync(LEDGER, `${HEADER}${present(expressions, known).join('\n')}\n`);
  return problems;
}
