// Validation, once, in the pipeline: each input schema is compiled at start; a failure names the field, says how to mend
// it, and stores nothing. Unknown fields are dropped here, so no operation ever sees them.
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type Fault, invalid } from '../domain/fault.ts';
import { MUST_SHOW, VISIBLE, VISIBLE_OR_BLANK } from '../domain/text/visible.ts';

/** More problems than these are not told at once: nobody reads them, and a hostile body could make thousands. */
const PROBLEMS_MAX = 20;

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

/** A pattern tells a program what is wrong; what it stands for tells a person. */
function messageOf({ keyword, params, message }: Problem): string {
  const { pattern } = params;
  return keyword === 'pattern' && (pattern === VISIBLE || pattern === VISIBLE_OR_BLANK) ? MUST_SHOW : message;
}

function fieldsOf(problem: Problem): { path: string; message: string }[] {
  const at = dottedPath(problem.instancePath);
  if (problem.keyword !== 'required') return [{ path: at || 'body', message: messageOf(problem) }];
  const missing = (problem.params['requiredProperties'] ?? []) as readonly string[];
  return missing.map((name) => ({ path: at ? `${at}.${name}` : name, message: 'is required' }));
}

export class InputCheck {
  readonly #validator: Validator;
  readonly #names: readonly string[];

  constructor(schema: TSchema) {
    this.#validator = Compile(schema);
    const properties = 'properties' in schema ? (schema.properties as Record<string, unknown>) : {};
    this.#names = Object.keys(properties);
  }

  /** What is wrong with a value, in words; null when nothing is. */
  explain(value: unknown): string | null {
    if (this.#validator.Check(value)) return null;
    return JSON.stringify(this.#validator.Errors(value).slice(0, PROBLEMS_MAX));
  }

  /** The input with only its declared fields, or the refusal that names what is wrong. */
  check(input: Record<string, unknown>): Record<string, unknown> | Fault {
    const known: Record<string, unknown> = {};
    for (const name of this.#names) {
      if (input[name] !== undefined && Object.hasOwn(input, name)) known[name] = input[name];
    }
    if (this.#validator.Check(known)) return known;
    const problems = this.#validator.Errors(known) as unknown as Problem[];
    return invalid(...problems.slice(0, PROBLEMS_MAX).flatMap(fieldsOf));
  }
}
