// The lists of the interface as they stand in its documents: tools, endpoints, methods of A2A, kinds of events. They are read, so that a
// row that is added there is asked for here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

export const INTERFACE = readFileSync(join(ROOT, 'src/docs/spec/interface.md'), 'utf8');
export const RULES = readFileSync(join(ROOT, 'src/docs/spec/rules.md'), 'utf8');

/** A method and the path that it is of, as the document spells it, without a query; any method where it names none. */
export interface Endpoint {
  readonly method: string | null;
  readonly path: string;
}

const METHODS = 'GET|POST|PATCH|PUT|DELETE';
const PATH = /\/(?:api|a2a|mcp|\.well-known)(?:\/[\w.{}-]+)*\/?/;
/** `GET /api/inbox`, also with a mark of code around either; `and` leads to another path of the method. */
const NAMED = new RegExp(
  `(?:\`?(${METHODS})\`? |\\b(and) )?(?:\`(${METHODS}) )?\`?(${PATH.source}|…(?:/[\\w.{}-]+)+|\`?of it\\b)`,
  'g',
);

/** A part of a document: from the heading of that name to the next of its rank or above. */
export function section(text: string, heading: string): string {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (from < 0) throw new Error(`no heading is named ${heading}`);
  const rank = lines[from]?.indexOf(' ') ?? 0;
  const length = lines.slice(from + 1).findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= rank);
  return lines.slice(from, length < 0 ? undefined : from + 1 + length).join('\n');
}

/** The rows of all tables of a part, cell by cell, with the heads of their tables. */
function rowsOf(text: string): { head: readonly string[]; cells: readonly string[] }[] {
  let head: readonly string[] = [];
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (!line.startsWith('|')) return [];
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    const trimmed = cells.map((cell) => cell.trim());
    if (/^\|[-|]+\|$/.test(lines[at + 1] ?? '')) head = trimmed;
    else if (!/^\|[-|]+\|$/.test(line)) return [{ head, cells: trimmed }];
    return [];
  });
}

function pathsIn(text: string): string[] {
  return [...text.matchAll(new RegExp(PATH, 'g'))].map(([path]) => path.replace(/\.$/, ''));
}

/** As many paths as methods belong together one by one; else each method is of each path. */
function paired(methods: readonly string[], paths: readonly string[]): Endpoint[] {
  if (methods.length > 1 && methods.length === paths.length) {
    return paths.map((path, at) => ({ method: methods[at] ?? null, path }));
  }
  return paths.flatMap((path) => methods.map((method) => ({ method, path })));
}

/** The rows of the tables of endpoints; a row without one is an error. */
export function endpointRows(text: string): Endpoint[] {
  return rowsOf(section(text, 'Endpoints')).flatMap(({ head, cells }) => {
    const at = head.indexOf('Path');
    if (at < 0) return [];
    const methods = (cells[at - 1] ?? '').split(', ');
    const found = paired(methods, pathsIn(cells[at] ?? ''));
    if (found.length === 0) throw new Error(`no endpoint is read from the row ${cells.join(' | ')}`);
    return found;
  });
}

/** `…/meetings/{id}`, with what it goes on from put before it. */
function whole(path: string, before: string): string {
  if (!path.startsWith('…')) return path.replace(/\.$/, '');
  const tail = path.slice(1);
  const [, first = ''] = tail.split('/');
  const from = before.indexOf(`/${first}`);
  if (from < 0) throw new Error(`nothing before says where ${path} stands`);
  return before.slice(0, from) + tail;
}

/** What the running text of a part names, beside the tables: a method with a path, or a path alone. */
export function endpointsNamed(text: string): Endpoint[] {
  const found: Endpoint[] = [];
  const joined = text.replaceAll(/\n\s*/g, ' ');
  for (const [, outside, and, inside, path = ''] of joined.matchAll(NAMED)) {
    const last = found.at(-1);
    const own = outside ?? inside ?? null;
    if (path.endsWith('of it')) {
      if (own !== null && last) found.push({ method: own, path: last.path });
      continue;
    }
    found.push({ method: own ?? (and ? (last?.method ?? null) : null), path: whole(path, last?.path ?? '') });
  }
  return found;
}

const FULL = /\/(?:api|a2a|mcp|oauth|internal|webhooks|\.well-known)(?:\/[\w.{},-]+)*/g;
/** `…/pause`, which goes on from a path that stands before it. */
const GOES_ON = /(?:…|\.\.\.)((?:\/[\w.{}-]+)+)/g;

/** A path without the names of its parameters. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{\w*\}/g, '{}').replace(/[/.,]+$/, '');
}

/** `/export/{listings,matches}` are two paths. */
function told(path: string): string[] {
  const [found, list = ''] = /\{(\w+,[\w,]+)\}/.exec(path) ?? [];
  return found === undefined ? [path] : list.split(',').flatMap((each) => told(path.replace(found, each)));
}

/** The shapes of all paths that a document names anywhere. One that goes on from another counts from each part of that. */
export function pathsNamed(text: string): Set<string> {
  const found = new Set<string>();
  for (const part of text.split(/\n(?=[-|#\n])/)) {
    const line = part.replaceAll(/\n\s*/g, ' ');
    const whole = [...line.matchAll(FULL)].flatMap(([path]) => told(path)).map(shapeOf);
    for (const path of whole) found.add(path);
    for (const [, tail = ''] of line.matchAll(GOES_ON)) {
      for (const path of whole) {
        const parts = path.split('/');
        for (let n = 2; n <= parts.length; n += 1) found.add(parts.slice(0, n).join('/') + shapeOf(tail));
      }
    }
  }
  return found;
}

/** The names of the table of tools. */
export function toolNames(text: string): string[] {
  return rowsOf(section(text, 'Tool server')).flatMap(({ cells }) => (cells[1] ?? '').split(', '));
}

/** The kinds of the table of events. */
export function eventKinds(text: string): string[] {
  return rowsOf(section(text, 'Event kinds')).flatMap(({ cells }) => (cells[0] ?? '').split(', '));
}

/** The methods of A2A, with their other names. */
export function a2aMethods(text: string): string[] {
  const [, list = ''] = /^- Methods: ([\s\S]*?)\n- /m.exec(section(text, 'Agent-to-agent JSON-RPC')) ?? [];
  return [...new Set([...list.matchAll(/`([\w/]+)`/g)].map(([, name = '']) => name))];
}
