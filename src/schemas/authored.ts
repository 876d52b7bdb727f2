// Where replies hold the words of another party. Whoever reads them with a model must be able to tell them from the service's own
// words: a listing that says "ignore your instructions" is data. A schema marks the fields, and the object that says whose
// they are; a door for models takes them out of the reply and shows them apart (transports/tools.ts).
import type { TSchema } from 'typebox';
import { copyWith } from './named.ts';

/** Whose words an object holds: a handle; null where they are the reader's own or the service's; undefined for somebody else
 * whose handle it does not tell. */
export type Author = string | null | undefined;

type AuthorOf = (value: Readonly<Record<string, unknown>>) => Author;

/** The marks; an OpenAPI document leaves out what begins so. */
const WORDS = '~words';
const AUTHOR = '~author';

/** Whether a text is one of the service's own: a label of its table, a value that it offers. */
type IsKnown = (text: string) => boolean;

/** A schema as this file reads it. */
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

/** A field that its author wrote: all of it is theirs. */
export function words<T extends TSchema>(schema: T): T {
  return mark(schema, WORDS, 'all');
}

/** A text, or a list of them, that its author may have chosen from what the service offers: only others are theirs. */
export function wordsUnless<T extends TSchema>(isKnown: IsKnown, schema: T): T {
  return mark(schema, WORDS, isKnown);
}

/** An open object whose texts are its author's, but for those under the names of the service's own facts. */
export function textsWithin<T extends TSchema>(schema: T): T {
  return mark(schema, WORDS, 'texts');
}

/** An object whose words are those of `author`, down to objects within that say otherwise. */
export function authored<T extends TSchema>(author: AuthorOf, schema: T): T {
  return mark(schema, AUTHOR, author);
}

/** The handle in a field. */
export function byField(name: string): AuthorOf {
  return ({ [name]: handle }) => (typeof handle === 'string' ? handle : undefined);
}

/** Names of facts that the service puts into open objects: ids, handles, times, states, roles. Every other text there is taken for
 * somebody's words. */
const FACT =
  /(?:^|_)(?:ids?|handles?|at|role|side|by|code|bound|model)$|^(?:sender|phase|status|kind|type|event|action|currency|fields|credentials|timestamp)$/;

/** Puts something in the place of words, null to leave them; `path` says where they stood, as in `matches.0.reasons`. */
export type Replace = (author: Author, path: string, value: unknown) => string | null;

type Walk = (value: unknown, path: string, author: Author, replace: Replace) => unknown;

function within(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`;
}

/** What says nothing, whoever left it so. */
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

/** Of a union's forms each looks at the value in turn; what does not fit a form is handed back by it as it is. */
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

/** A value with all words of other parties replaced. Words that no object claims are somebody's whom nobody names. */
export function replaceWords(schema: TSchema, value: unknown, replace: Replace): unknown {
  return walkOf(schema)?.(value, '', undefined, replace) ?? value;
}

/** The fields of an open object that hold the words of others, as `textsWithin` marks them. */
export function wordedFields(value: Readonly<Record<string, unknown>>): readonly string[] {
  const fields: string[] = [];
  takeTexts(value, '', undefined, (_author, path) => {
    fields.push(path);
    return null;
  });
  return fields;
}
