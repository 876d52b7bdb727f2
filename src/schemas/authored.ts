// Marks the fields of replies that hold words of another party. A reader that is a model must be able to tell them from the
// service's own words: a listing that says "ignore your instructions" is data. A schema marks the fields and the object that
// names their author; transports for models take them out of the reply and show them apart (transports/tools.ts).
import type { TSchema } from 'typebox';
import { copyWith } from './named.ts';

/** The author of an object's words: a handle; null for the reader or the service; undefined for another party without a known handle. */
export type Author = string | null | undefined;

type AuthorOf = (value: Readonly<Record<string, unknown>>) => Author;

/** The marks; an OpenAPI document leaves out keys with this prefix. */
const WORDS = '~words';
const AUTHOR = '~author';

/** Whether a text is one of the service's own: a label, or a value of a fixed list. */
type IsKnown = (text: string) => boolean;

/** The parts of a schema that this file reads. */
interface Node {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly [WORDS]?: 'all' | 'texts' | IsKnown;
  readonly [AUTHOR]?: AuthorOf;
}

function mark<T extends TSchema>(schema: T, name: string, value: unknown): T {
  return copyWith(schema, { [name]: { value, enumerable: true, configurable: true, writable: true } });
}

/** Marks a field that its author wrote entirely. */
export function words<T extends TSchema>(schema: T): T {
  return mark(schema, WORDS, 'all');
}

/** Marks a text or a list of texts, where those for which `isKnown` holds are the service's own. */
export function wordsUnless<T extends TSchema>(isKnown: IsKnown, schema: T): T {
  return mark(schema, WORDS, isKnown);
}

/** Marks an open object whose texts are its author's, except those under names of the service's own facts. */
export function textsWithin<T extends TSchema>(schema: T): T {
  return mark(schema, WORDS, 'texts');
}

/** Marks an object whose words are those of `author`; nested objects with a mark override it. */
export function authored<T extends TSchema>(author: AuthorOf, schema: T): T {
  return mark(schema, AUTHOR, author);
}

/** The author is the handle in a field. */
export function byField(name: string): AuthorOf {
  return ({ [name]: handle }) => (typeof handle === 'string' ? handle : undefined);
}

/** Names of facts that the service puts into open objects: ids, handles, times, states, roles. Every other text there counts as
 * words of another party. */
const FACT =
  /(?:^|_)(?:ids?|handles?|at|role|side|by|code|bound|model)$|^(?:sender|phase|status|kind|type|event|action|currency|fields|credentials|timestamp)$/;

/** Replaces words; null keeps them. `path` is their place, such as `matches.0.reasons`. */
export type Replace = (author: Author, path: string, value: unknown) => string | null;

type Walk = (value: unknown, path: string, author: Author, replace: Replace) => unknown;

function within(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`;
}

/** Whether a value holds no words. */
function isWordless(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean' || value === '') return true;
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

const takeAll: Walk = (value, path, author, replace) =>
  isWordless(value) ? value : (replace(author, path, value) ?? value);

const takeTexts: Walk = (value, path, author, replace) => {
  if (typeof value === 'string') return takeAll(value, path, author, replace);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, at) => takeTexts(item, within(path, at), author, replace));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const isFact = FACT.test(name) && (typeof field !== 'object' || Array.isArray(field));
      return [name, isFact ? field : takeTexts(field, within(path, name), author, replace)];
    }),
  );
};

function takeUnknown(isKnown: IsKnown): Walk {
  return (value, path, author, replace) => {
    if (Array.isArray(value))
      return value.map((item, at) => takeUnknown(isKnown)(item, within(path, at), author, replace));
    return typeof value === 'string' && isKnown(value) ? value : takeAll(value, path, author, replace);
  };
}

function walkItems(walk: Walk): Walk {
  return (value, path, author, replace) =>
    Array.isArray(value) ? value.map((item, at) => walk(item, within(path, at), author, replace)) : value;
}

function walkFields(fields: readonly (readonly [string, Walk])[], authorOf: AuthorOf | undefined): Walk {
  return (value, path, author, replace) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const given = value as Readonly<Record<string, unknown>>;
    const own = authorOf ? authorOf(given) : author;
    let shown = given;
    for (const [name, walk] of fields) {
      const field = given[name];
      const told = field === undefined ? field : walk(field, within(path, name), own, replace);
      if (told !== field) shown = { ...shown, [name]: told };
    }
    return shown;
  };
}

/** Tries the forms of a union in turn; a form that does not fit returns the value unchanged. */
function walkEither(walks: readonly Walk[]): Walk {
  return (value, path, author, replace) => {
    for (const walk of walks) {
      const told = walk(value, path, author, replace);
      if (told !== value) return told;
    }
    return value;
  };
}

/** By schema; null where it marks no words. */
const walks = new WeakMap<object, Walk | null>();

function walkOf(schema: TSchema): Walk | null {
  const known = walks.get(schema);
  if (known !== undefined) return known;
  const made = makeWalk(schema as Node);
  walks.set(schema, made);
  return made;
}

function makeWalk({ type, properties, items, anyOf, ...marks }: Node): Walk | null {
  const marked = marks[WORDS];
  if (typeof marked === 'function') return takeUnknown(marked);
  if (marked) return marked === 'all' ? takeAll : takeTexts;
  if (anyOf) {
    const each = anyOf.flatMap((form) => walkOf(form) ?? []);
    return each.length > 0 ? walkEither(each) : null;
  }
  if (type === 'array' && items) {
    const walk = walkOf(items);
    return walk && walkItems(walk);
  }
  const fields = Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const walk = walkOf(property);
    return walk ? [[name, walk] as const] : [];
  });
  return fields.length > 0 ? walkFields(fields, marks[AUTHOR]) : null;
}

/** Whether values of a schema may hold words of another party. */
export function holdsWords(schema: TSchema): boolean {
  return walkOf(schema) !== null;
}

/** Replaces all words of other parties in a value. Words without a marked author belong to an unknown party. */
export function replaceWords(schema: TSchema, value: unknown, replace: Replace): unknown {
  return walkOf(schema)?.(value, '', undefined, replace) ?? value;
}

/** The fields of an open object that hold words of others, by the rule of `textsWithin`. */
export function wordedFields(value: Readonly<Record<string, unknown>>): readonly string[] {
  const fields: string[] = [];
  takeTexts(value, '', undefined, (_author, path) => {
    fields.push(path);
    return null;
  });
  return fields;
}
