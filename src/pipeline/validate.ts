// Validation, once, in the pipeline: each input schema is compiled at start; a failure names the field, says how to mend
// it, and stores nothing. Unknown fields are dropped here, so no operation ever sees them, or refused where the caller wants that.
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type Fault, type FieldProblem, invalid } from '../domain/fault.ts';
import { DAY } from '../domain/text/day.ts';
import { MUST_SHOW, VISIBLE, VISIBLE_OR_BLANK } from '../domain/text/visible.ts';
import { holdsMany, lengthProblem } from './lengths.ts';
import { memberName, unknownMembers } from './unknown-members.ts';

/** More problems than these are not told at once: nobody reads them, and a hostile body could make thousands. */
export const PROBLEMS_MAX = 8;

/** What is told of a member that the operation does not know. */
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

/** More values than these say less than the name of the field. */
const VALUES_TOLD = 20;

/** The values that a field may have, where the problem is that it has another. */
function allowedBy({ keyword, params }: Problem): readonly unknown[] | null {
  if (keyword === 'const') return [params['allowedValue']];
  return keyword === 'enum' ? ((params['allowedValues'] ?? []) as readonly unknown[]) : null;
}

/** A pattern or a list of forms tells a program what is wrong; what it stands for tells a person. */
function messageOf({ keyword, params, message }: Problem, allowed: readonly unknown[]): string {
  const { pattern } = params;
  if (keyword === 'pattern' && (pattern === VISIBLE || pattern === VISIBLE_OR_BLANK)) return MUST_SHOW;
  if (keyword === 'pattern' && pattern === DAY) return 'must be a day, such as 2026-05-31';
  if (keyword === 'format' && params['format'] === 'date-time') return 'must be a time, such as 2026-05-31T09:30:00Z';
  if (allowed.length === 0 || allowed.length > VALUES_TOLD) return message;
  return allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.join(', ')}`;
}

/** Whether it says no more than that there is something where nothing may be, and others say what is wrong within that. */
function isBeside({ keyword, params, instancePath }: Problem, problems: readonly Problem[]): boolean {
  if (keyword !== 'type' || params['type'] !== 'null') return false;
  return problems.some((other) => other.instancePath.startsWith(`${instancePath}/`));
}

/** The problems by their fields. Values that a field may have are told together, and that none of several forms fits is told
 * only where nothing says what is wrong with them. */
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
  /** Null where there is nothing to count. */
  readonly #counted: TSchema | null;

  constructor(schema: TSchema) {
    this.#schema = schema;
    this.#validator = Compile(schema);
    this.#counted = holdsMany(schema) ? schema : null;
    const properties = 'properties' in schema ? (schema.properties as Record<string, unknown>) : {};
    this.#names = Object.keys(properties);
  }

  /** What is wrong with a value, in words; null when nothing is. */
  explain(value: unknown): string | null {
    if (this.#validator.Check(value)) return null;
    return JSON.stringify(this.#validator.Errors(value).slice(0, PROBLEMS_MAX));
  }

  /** What the operation does not know: what the door found by its names, and what stands within the fields. */
  #unknown(known: Record<string, unknown>, surplus: readonly string[]): FieldProblem[] {
    const within = unknownMembers(this.#schema, known).take(PROBLEMS_MAX);
    return [...surplus.map(memberName), ...within].map((path) => ({ path, message: UNKNOWN }));
  }

  /** The input with only its declared fields, or the refusal that names what is wrong. With `surplus` nothing that is not declared
   * may have been sent; it names what the door found of that. */
  check(input: Record<string, unknown>, surplus?: readonly string[]): Record<string, unknown> | Fault {
    const known: Record<string, unknown> = {};
    for (const name of this.#names) {
      if (input[name] !== undefined && Object.hasOwn(input, name)) known[name] = input[name];
    }
    const long = this.#counted && lengthProblem(this.#counted, known);
    if (long) return invalid(long);
    const unknown = surplus ? this.#unknown(known, surplus) : [];
    if (unknown.length === 0 && this.#validator.Check(known)) return known;
    const problems = this.#validator.Errors(known) as unknown as Problem[];
    return invalid(...[...unknown, ...fieldsOf(problems.slice(0, PROBLEMS_MAX))].slice(0, PROBLEMS_MAX));
  }
}
