// Input validation: a failure names the field, says how to correct it, and stores nothing. Unknown fields are dropped here, so no
// operation ever sees them, or refused if the caller asks for that.
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { AnyOperation } from '../contract/operation.ts';
import { type Fault, type FieldProblem, fault, invalid } from '../domain/fault.ts';
import { DAY } from '../domain/text/day.ts';
import { MUST_SHOW, VISIBLE, VISIBLE_OR_BLANK } from '../domain/text/visible.ts';
import type { Call } from './call.ts';

// Counts the items of lists before any is validated: a hostile body can hold a hundred thousand of them.

/** The parts of a schema that limit a value's size and members. */
interface Node {
  readonly type?: string;
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly items?: Node;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly patternProperties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: unknown;
}

/** The forms that a value may have. */
function formsOf(node: Node): readonly Node[] {
  const parts = [...(node.anyOf ?? []), ...(node.allOf ?? [])];
  return parts.length === 0 ? [node] : parts.flatMap(formsOf);
}

const most = (limits: readonly (number | undefined)[]): number =>
  Math.max(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));

const below = (path: string, name: string | number): string => (path === '' ? `${name}` : `${path}.${name}`);

/** The lists and records of a schema, made once; null for a schema without any. */
interface Counted {
  readonly list: { readonly limit: number; readonly items: Counted | null } | null;
  /** The members that hold some, by name. */
  readonly members: readonly (readonly [name: string, inner: Counted])[];
  readonly record: { readonly limit: number; readonly inner: Counted | null } | null;
}

function countedOf(nodes: readonly Node[]): Counted | null {
  const forms = nodes.flatMap(formsOf);
  const lists = forms.filter(({ type }) => type === 'array');
  const records = forms.filter(({ patternProperties }) => patternProperties !== undefined);
  const names = new Set(forms.flatMap(({ properties }) => Object.keys(properties ?? {})));
  const members = [...names].flatMap((name): [string, Counted][] => {
    const inner = countedOf(forms.flatMap(({ properties }) => properties?.[name] ?? []));
    return inner ? [[name, inner]] : [];
  });
  if (lists.length + records.length + members.length === 0) return null;
  return {
    list: lists.length === 0 ? null : listOf(lists),
    members,
    record: records.length === 0 ? null : recordOf(records),
  };
}

function listOf(lists: readonly Node[]): Counted['list'] {
  return {
    limit: most(lists.map(({ maxItems }) => maxItems)),
    items: countedOf(lists.flatMap(({ items }) => items ?? [])),
  };
}

function recordOf(records: readonly Node[]): Counted['record'] {
  const inner = records.flatMap(({ patternProperties }) => Object.values(patternProperties ?? {}));
  return { limit: most(records.map(({ maxProperties }) => maxProperties)), inner: countedOf(inner) };
}

function inList({ limit, items }: NonNullable<Counted['list']>, value: readonly unknown[], path: string) {
  if (value.length > limit) return { path: path || 'body', message: `must not have more than ${limit} items` };
  if (!items) return null;
  for (const [at, entry] of value.entries()) {
    const found = tooLong(items, entry, below(path, at));
    if (found) return found;
  }
  return null;
}

function inRecord(
  { limit, inner }: NonNullable<Counted['record']>,
  value: Record<string, unknown>,
  path: string,
): FieldProblem | null {
  let count = 0;
  for (const _name in value) {
    count += 1;
    if (count > limit) return { path: path || 'body', message: `must not have more than ${limit} properties` };
  }
  if (!inner) return null;
  for (const [name, entry] of Object.entries(value)) {
    const found = tooLong(inner, entry, below(path, name));
    if (found) return found;
  }
  return null;
}

/** The first list or record that holds more than any form allows, or null. */
function tooLong({ list, members, record }: Counted, value: unknown, path: string): FieldProblem | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return list && inList(list, value, path);
  const inside = value as Record<string, unknown>;
  for (const [name, inner] of members) {
    const found = Object.hasOwn(inside, name) ? tooLong(inner, inside[name], below(path, name)) : null;
    if (found) return found;
  }
  return record && inRecord(record, inside, path);
}

/** Finds the problem of a list or record with more items than a schema allows, or null; items are counted before they are read. Null
 * for a schema without lists and records. */
export function lengthCheck(schema: TSchema): ((value: unknown) => FieldProblem | null) | null {
  const counted = countedOf([schema as Node]);
  return counted && ((value) => tooLong(counted, value, ''));
}

// Finds members that a schema does not name, for callers that want them refused (RFC 7240, handling=strict). Objects with free
// members, such as records, have no unknown ones.

/** Whether a form takes an object with members that it does not name. */
function isOpen({ type, properties, patternProperties, additionalProperties }: Node): boolean {
  if (type === undefined && !properties) return true;
  return type === 'object' && (!properties || patternProperties !== undefined || Boolean(additionalProperties));
}

/** The schemas of a member in a form. */
function memberOf({ properties, patternProperties }: Node, name: string): readonly Node[] {
  const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return own ? [own] : Object.values(patternProperties ?? {});
}

/** How a member is named; one without a name as JSON writes it, since a path names something. */
const memberName = (name: string): string => (name === '' ? '""' : name);

const memberBelow = (path: string, name: string | number): string =>
  path === '' ? memberName(`${name}`) : `${path}.${memberName(`${name}`)}`;

function* unknownIn(nodes: readonly Node[], value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const forms = nodes.flatMap(formsOf);
  if (Array.isArray(value)) {
    const items = forms.flatMap((form) => form.items ?? []);
    if (items.length > 0)
      for (const [at, entry] of value.entries()) yield* unknownIn(items, entry, memberBelow(path, at));
    return;
  }
  const open = forms.some(isOpen);
  // No object is allowed there; validation reports that.
  if (!open && !forms.some(({ type, properties }) => type === 'object' || properties)) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = forms.flatMap((form) => memberOf(form, name));
    if (inner.length > 0) yield* unknownIn(inner, member, memberBelow(path, name));
    else if (!open) yield memberBelow(path, name);
  }
}

/** The paths of the members of a value, at any depth, that its schema does not name. */
export function unknownMembers(schema: TSchema, value: unknown): Generator<string> {
  return unknownIn([schema as Node], value, '');
}

/** The most problems in one answer: a hostile body could make thousands. */
export const PROBLEMS_MAX = 8;

/** The problem of an unknown member. */
const UNKNOWN = 'is not known here; leave it out';

interface Problem {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Record<string, unknown>;
  readonly message: string;
}

function dottedPath(pointer: string): string {
  return pointer
    .split('/')
    .filter(Boolean)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

/** The most allowed values that are listed; more help less than the field's name. */
const VALUES_TOLD = 20;

/** The allowed values of a field, if the problem is its value. */
function allowedBy({ keyword, params }: Problem): readonly unknown[] | null {
  if (keyword === 'const') return [params['allowedValue']];
  return keyword === 'enum' ? ((params['allowedValues'] ?? []) as readonly unknown[]) : null;
}

/** A problem's message in words, in place of a pattern or a list of forms. */
function messageOf({ keyword, params, message }: Problem, allowed: readonly unknown[]): string {
  const { pattern } = params;
  if (keyword === 'pattern' && (pattern === VISIBLE || pattern === VISIBLE_OR_BLANK)) return MUST_SHOW;
  if (keyword === 'pattern' && pattern === DAY) return 'must be a day, such as 2026-05-31';
  if (keyword === 'format' && params['format'] === 'date-time') return 'must be a time, such as 2026-05-31T09:30:00Z';
  if (allowed.length === 0 || allowed.length > VALUES_TOLD) return message;
  return allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.join(', ')}`;
}

/** Whether it says only that a value is not null, while others name problems within that value. */
function isBeside({ keyword, params, instancePath }: Problem, problems: readonly Problem[]): boolean {
  if (keyword !== 'type' || params['type'] !== 'null') return false;
  return problems.some((other) => other.instancePath.startsWith(`${instancePath}/`));
}

/** The problems by field. A field's allowed values are joined, and "no form fits" is reported only when no form's own problem
 * is. */
function fieldsOf(problems: readonly Problem[]): { path: string; message: string }[] {
  const allowed = new Map<string, readonly unknown[]>();
  for (const problem of problems) {
    const values = allowedBy(problem);
    if (values) allowed.set(problem.instancePath, [...(allowed.get(problem.instancePath) ?? []), ...values]);
  }
  const told = problems.flatMap((problem, n) => {
    const { keyword, instancePath } = problem;
    if (keyword === 'anyOf' && problems.some((other, m) => m !== n && other.instancePath === instancePath)) return [];
    if (isBeside(problem, problems)) return [];
    const at = dottedPath(instancePath);
    if (keyword !== 'required') {
      const values = allowedBy(problem) && allowed.get(instancePath);
      return [{ path: at || 'body', message: messageOf(problem, values ?? []) }];
    }
    const missing = (problem.params['requiredProperties'] ?? []) as readonly string[];
    return missing.map((name) => ({ path: at ? `${at}.${name}` : name, message: 'is required' }));
  });
  return told.filter(({ path, message }, n) => told.findIndex((t) => t.path === path && t.message === message) === n);
}

export class InputCheck {
  readonly #schema: TSchema;
  readonly #validator: Validator;
  readonly #names: readonly string[];
  /** Null when there is nothing to count. */
  readonly #long: ReturnType<typeof lengthCheck>;

  constructor(schema: TSchema) {
    this.#schema = schema;
    this.#validator = Compile(schema);
    this.#long = lengthCheck(schema);
    const properties = 'properties' in schema ? (schema.properties as Record<string, unknown>) : {};
    this.#names = Object.keys(properties);
  }

  /** A value's problems in words; null when it is valid. */
  explain(value: unknown): string | null {
    if (this.#validator.Check(value)) return null;
    return JSON.stringify(this.#validator.Errors(value).slice(0, PROBLEMS_MAX));
  }

  /** The unknown members: those that the transport found, and those within the fields. */
  #unknown(known: Record<string, unknown>, surplus: readonly string[]): FieldProblem[] {
    const within = unknownMembers(this.#schema, known).take(PROBLEMS_MAX);
    return [...surplus.map(memberName), ...within].map((path) => ({ path, message: UNKNOWN }));
  }

  /** The input with only its declared fields, or a refusal that names the problems. With `surplus` undeclared fields are refused; it
   * holds those that the transport found. */
  check(input: Record<string, unknown>, surplus?: readonly string[]): Record<string, unknown> | Fault {
    const known: Record<string, unknown> = {};
    for (const name of this.#names) {
      if (input[name] !== undefined && Object.hasOwn(input, name)) known[name] = input[name];
    }
    const long = this.#long?.(known);
    if (long) return invalid(long);
    const unknown = surplus ? this.#unknown(known, surplus) : [];
    if (unknown.length === 0 && this.#validator.Check(known)) return known;
    const problems = this.#validator.Errors(known) as unknown as Problem[];
    return invalid(...[...unknown, ...fieldsOf(problems.slice(0, PROBLEMS_MAX))].slice(0, PROBLEMS_MAX));
  }
}

// Rules for any input of any transport: a maximum size, and text that both engines store unchanged. Transports decode; only this
// file decides whether the decoded input is accepted.

/** rules.md 1. */
export const INPUT_MAX = 262_144;

/** The most bytes that an operation takes; a transport reads no further. */
export function inputLimit({ raw, form }: Pick<AnyOperation, 'raw' | 'form'>): number {
  return (raw ?? form)?.bytes_max ?? INPUT_MAX;
}

/** Whether a text is valid: no NUL, which PostgreSQL refuses, and no lone surrogate. */
export function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The path of the first invalid text in a value, or null. The path is built only on the way back: most of a hostile body is valid,
 * and has sixty thousand places. */
function improperPath(value: unknown): string | null {
  if (typeof value === 'string') return isText(value) ? null : '';
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    // By index: the names of a hundred thousand entries would be as many texts.
    for (const [at, entry] of value.entries()) {
      const found = improperPath(entry);
      if (found !== null) return found === '' ? `${at}` : `${at}.${found}`;
    }
    return null;
  }
  const inside = value as Record<string, unknown>;
  for (const key in inside) {
    const found = isText(key) ? improperPath(inside[key]) : '';
    if (found !== null) return found === '' ? key : `${key}.${found}`;
  }
  return null;
}

/** Why an input is refused before validation; null when it is not. */
export function inputProblem(
  { operation, bytes, named = [] }: Pick<Call, 'operation' | 'bytes' | 'named'>,
  input: Record<string, unknown>,
): Fault | null {
  const limit_bytes = inputLimit(operation);
  if (bytes > limit_bytes) return fault('payload_too_large', undefined, { limit_bytes });
  for (const name of named) if (improperPath(input[name]) !== null) return fault('not_found');
  // A raw body is bytes, one character each, and is not checked as text.
  const path = improperPath(operation.raw ? { ...input, raw: null } : input);
  if (path === null) return null;
  return invalid({
    path: path.toWellFormed().replaceAll('\0', ''),
    message: 'must be well-formed Unicode without NUL',
  });
}
