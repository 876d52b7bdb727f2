// What breaks a client between two OpenAPI documents: an operation or a field that is gone, an input that is newly required or takes
// less, an answer that may lack a field or holds another type. New operations, optional inputs and new answers break nobody.
import { isObject, type Json } from '../../src/domain/json.ts';

/** An OpenAPI 3.1 document. */
export type OpenApi = Json;

/** `input` is what clients send, `output` what they read. */
type Direction = 'input' | 'output';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'];

/** Bounds of an input: a client's value may be refused where they go up, or down. */
const FLOORS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const CEILINGS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

const object = (value: unknown): Json => (isObject(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

class Comparison {
  readonly changes: string[] = [];
  readonly #old: OpenApi;
  readonly #new: OpenApi;
  /** Pairs of references that are compared already: schemas may name themselves. */
  readonly #seen = new Set<string>();

  constructor(old: OpenApi, now: OpenApi) {
    this.#old = old;
    this.#new = now;
  }

  operations(): void {
    const paths = object(this.#new['paths']);
    for (const [path, item] of Object.entries(object(this.#old['paths']))) {
      for (const method of METHODS) {
        const was = object(item)[method];
        if (was === undefined) continue;
        const where = `${method.toUpperCase()} ${path}`;
        const now = object(paths[path])[method];
        if (now === undefined) this.changes.push(`${where}: the operation is removed`);
        else this.#operation(where, object(was), object(now));
      }
    }
  }

  #operation(where: string, was: Json, now: Json): void {
    this.#parameters(where, was, now);
    const [body, nowBody] = [
      this.#resolve(this.#old, was['requestBody']),
      this.#resolve(this.#new, now['requestBody']),
    ];
    if (nowBody['required'] === true && body['required'] !== true)
      this.changes.push(`${where}: a body is newly required`);
    this.#content(`${where} body`, body, nowBody, 'input');
    const answers = object(now['responses']);
    for (const [status, answer] of Object.entries(object(was['responses']))) {
      if (!status.startsWith('2')) continue;
      if (answers[status] === undefined) this.changes.push(`${where}: the answer ${status} is removed`);
      else {
        const [from, to] = [this.#resolve(this.#old, answer), this.#resolve(this.#new, answers[status])];
        this.#content(`${where} ${status}`, from, to, 'output');
      }
    }
  }

  #parameters(where: string, was: Json, now: Json): void {
    const keyed = (document: OpenApi, given: unknown): Map<string, Json> =>
      new Map(
        list(given).map((each) => {
          const parameter = this.#resolve(document, each);
          return [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter];
        }),
      );
    const [before, after] = [keyed(this.#old, was['parameters']), keyed(this.#new, now['parameters'])];
    for (const [name, parameter] of before) {
      const same = after.get(name);
      if (!same) this.changes.push(`${where}: the parameter ${name} is removed`);
      else this.schema(`${where} ${name}`, parameter['schema'], same['schema'], 'input');
    }
    for (const [name, parameter] of after) {
      if (parameter['required'] === true && before.get(name)?.['required'] !== true)
        this.changes.push(`${where}: the parameter ${name} is newly required`);
    }
  }

  #content(where: string, was: Json, now: Json, direction: Direction): void {
    const types = object(now['content']);
    for (const [type, media] of Object.entries(object(was['content']))) {
      if (types[type] === undefined) this.changes.push(`${where}: ${type} is removed`);
      else this.schema(where, object(media)['schema'], object(types[type])['schema'], direction);
    }
  }

  schema(where: string, was: unknown, now: unknown, direction: Direction): void {
    const pair = `${direction} ${String(object(was)['$ref'])} ${String(object(now)['$ref'])}`;
    if (object(was)['$ref'] !== undefined) {
      if (this.#seen.has(pair)) return;
      this.#seen.add(pair);
    }
    const [from, to] = [this.#resolve(this.#old, was), this.#resolve(this.#new, now)];
    this.#types(where, from, to, direction);
    this.#fields(where, from, to, direction);
    if (direction === 'input') this.#bounds(where, from, to);
    if (from['items'] !== undefined && to['items'] !== undefined)
      this.schema(`${where}[]`, from['items'], to['items'], direction);
    for (const word of ['anyOf', 'oneOf', 'allOf']) this.#forms(where, list(from[word]), list(to[word]), direction);
  }

  /** The forms of a choice are compared in order where there are as many; a choice of fewer takes less. */
  #forms(where: string, from: readonly unknown[], to: readonly unknown[], direction: Direction): void {
    if (from.length === to.length) for (const [at, form] of from.entries()) this.schema(where, form, to[at], direction);
    else if (direction === 'input' && to.length > 0 && to.length < from.length)
      this.changes.push(`${where}: takes ${to.length} forms in place of ${from.length}`);
  }

  #types(where: string, from: Json, to: Json, direction: Direction): void {
    const [old, types] = [[from['type']].flat(), [to['type']].flat()];
    if (from['type'] !== undefined && to['type'] !== undefined) {
      const [wide, narrow] = direction === 'input' ? [types, old] : [old, types];
      const gone = narrow.filter((type) => !wide.includes(type) && !(type === 'integer' && wide.includes('number')));
      if (gone.length > 0) this.changes.push(`${where}: the type ${old.join(' | ')} is now ${types.join(' | ')}`);
    }
    if (direction === 'output' || to['enum'] === undefined) return;
    const values = list(to['enum']);
    const gone =
      from['enum'] === undefined ? ['any other value'] : list(from['enum']).filter((value) => !values.includes(value));
    if (gone.length > 0) this.changes.push(`${where}: no longer takes ${gone.join(', ')}`);
  }

  #fields(where: string, from: Json, to: Json, direction: Direction): void {
    const fields = object(to['properties']);
    const [required, nowRequired] = [list(from['required']), list(to['required'])];
    for (const [name, field] of Object.entries(object(from['properties']))) {
      if (fields[name] === undefined) this.changes.push(`${where}.${name}: removed`);
      else {
        if (direction === 'output' && required.includes(name) && !nowRequired.includes(name))
          this.changes.push(`${where}.${name}: may be missing now`);
        this.schema(`${where}.${name}`, field, fields[name], direction);
      }
    }
    if (direction === 'output') return;
    for (const name of nowRequired)
      if (!required.includes(name)) this.changes.push(`${where}.${String(name)}: newly required`);
  }

  #bounds(where: string, from: Json, to: Json): void {
    const narrowed = (words: readonly string[], isNarrower: (old: number, now: number) => boolean): void => {
      for (const word of words) {
        const [old, now] = [from[word], to[word]];
        if (typeof now === 'number' && (typeof old !== 'number' || isNarrower(old, now)))
          this.changes.push(`${where}: ${word} ${old === undefined ? 'is new' : `${String(old)} is now`} ${now}`);
      }
    };
    narrowed(FLOORS, (old, now) => now > old);
    narrowed(CEILINGS, (old, now) => now < old);
    if (to['pattern'] !== undefined && to['pattern'] !== from['pattern'])
      this.changes.push(`${where}: another pattern`);
  }

  #resolve(document: OpenApi, value: unknown): Json {
    const found = object(value);
    if (typeof found['$ref'] !== 'string') return found;
    const steps = found['$ref'].split('/').slice(1);
    return object(
      steps.reduce<unknown>((at, step) => object(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')], document),
    );
  }
}

/** The changes from `old` to `now` that break a client of `old`, a line each, sorted. */
export function breakingChanges(old: OpenApi, now: OpenApi): string[] {
  const comparison = new Comparison(old, now);
  comparison.operations();
  return comparison.changes.sort();
}
