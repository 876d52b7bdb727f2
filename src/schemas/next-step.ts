// Where replies carry next steps, and how a door puts its own calls there. A reply holds operation and input; its schema
// marks the place, so that a door looks only where a marked schema says, and not at all into the replies of the many
// operations that tell of no call. It is done after the commit: what is kept for a repeated request is the step, and the
// door that is asked again says it in its own words.
import { type TObject, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';
import type { Code, Fault } from '../domain/fault.ts';
import { liftOf } from '../domain/lift.ts';
import type { Description, Guidance, NextOperation, NextStep, StepForm } from '../domain/next-step.ts';

/** Steps as replies hold them, before a door says them. */
export const UNSAID: StepForm = {
  door: 'http',
  text: (step) => JSON.stringify(step),
  fields: ({ operation, input }) => ({ operation, input }),
};

/** The marks of the places; an OpenAPI document leaves out what begins so. */
const GUIDANCE = '~guidance';
const NEXT_STEP = '~next_step';
const TOOLS = '~tools';

/** A schema as this file reads it. */
interface Node {
  readonly type?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly [GUIDANCE]?: true;
  readonly [TOOLS]?: string;
  /** Whether every call that may stand there takes input beyond its address, as a POST does. */
  readonly [NEXT_STEP]?: 'with_body' | 'with_or_without';
}

const OPERATION = {
  operation: Type.Unsafe<NextOperation>(Type.String()),
  input: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
};

const Step = Type.Object({
  ...OPERATION,
  fill: Type.Optional(Type.Array(Type.String())),
  credential: Type.Optional(Type.Literal(true)),
});

/** A text that may hold calls; every door shows it as a string. */
export function guidanceShape(options: { readonly description?: string } = {}): TUnsafe<Guidance> {
  const either = Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Step]))]);
  return Type.Unsafe<Guidance>({ ...either, ...options, [GUIDANCE]: true });
}

/** An object that is a call: between the fields `before` and `after` stand those of the door's own. `takes` says whether all
 * calls that may stand there have a body over HTTP. */
export function stepShape<B extends TProperties, A extends TProperties>(
  description: string,
  before: B,
  after: A,
  takes: 'with_body' | 'with_or_without',
): TObject<B & typeof OPERATION & A> {
  return Type.Object({ ...before, ...OPERATION, ...after }, { description, [NEXT_STEP]: takes });
}

/** A guidance as a door says it. */
export function guidanceText(guidance: Guidance, form: StepForm): string {
  if (typeof guidance === 'string') return guidance;
  return guidance.map((part) => (typeof part === 'string' ? part : form.text(part))).join('');
}

/** A description as a door says it. */
export function descriptionText(description: Description, form: StepForm): string {
  if (typeof description === 'string') return description;
  const said = description.map((part) => {
    if (typeof part === 'string') return part;
    return 'http' in part ? part[form.door] : form.text(part);
  });
  return said.join('');
}

/** What tools say of a field in the place of its description. */
export function toolsRead(text: string): { readonly [TOOLS]: string } {
  return { [TOOLS]: text };
}

/** A field's description as tools have it; undefined where that is the one for all. */
export function toolDescription(schema: object): string | undefined {
  return (schema as Node)[TOOLS];
}

export function shownFault(refusal: Fault, form: StepForm): Fault<Code, string> {
  const { message, data } = refusal;
  const lift = liftOf(refusal);
  const { how = lift?.how, fields } = data;
  const said = {
    ...(lift && form.app_url !== undefined && { url: form.app_url + lift.page }),
    ...(how !== undefined && { how: guidanceText(how, form) }),
    ...(fields && { fields: fields.map((field) => ({ ...field, message: guidanceText(field.message, form) })) }),
  };
  return { ...refusal, message: guidanceText(message, form), data: { ...data, ...said } };
}

/** A call as a door shows it, its fields where `operation` stands. */
export function shownStep(
  value: NextStep & Readonly<Record<string, unknown>>,
  form: StepForm,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (name === 'operation') Object.assign(shown, form.fields(value));
    else if (name !== 'input') shown[name] = field;
  }
  return shown;
}

/** Puts a door's calls into a value of some schema. What holds none is handed back as it is. */
export type Show = (value: unknown, form: StepForm) => unknown;

function showItems(show: Show): Show {
  return (value, form) =>
    Array.isArray(value) && value.length > 0 ? value.map((item: unknown) => show(item, form)) : value;
}

function showFields(fields: readonly (readonly [string, Show])[]): Show {
  return (value, form) => {
    if (typeof value !== 'object' || value === null) return value;
    let shown = value as Readonly<Record<string, unknown>>;
    for (const [name, show] of fields) {
      const field = shown[name];
      const told = field === undefined ? field : show(field, form);
      if (told !== field) shown = { ...shown, [name]: told };
    }
    return shown;
  };
}

/** Of a union's forms an array takes the one for arrays, an object those for objects; guidance is never null. */
function showEither(schemas: readonly Node[]): Show | null {
  const shows = schemas.flatMap((schema) => {
    const show = placesOf(schema);
    return show ? [{ list: schema[GUIDANCE] ? null : schema.type === 'array', show }] : [];
  });
  if (shows.length === 0) return null;
  return (value, form) => {
    if (value === null) return null;
    const fits = shows.find(({ list }) => list === null || list === Array.isArray(value));
    return fits ? fits.show(value, form) : value;
  };
}

export const asItIs: Show = (value) => value;

/** By schema: an operation's is looked through once, at its first reply. */
const shows = new WeakMap<TSchema, Show>();

/** What puts a door's calls into the values of a schema. */
export function showOf(schema: TSchema): Show {
  const known = shows.get(schema);
  if (known) return known;
  const made = placesOf(schema) ?? asItIs;
  shows.set(schema, made);
  return made;
}

/** The same; null where the schema marks no place for any. */
function placesOf(schema: TSchema): Show | null {
  const { type, properties, items, anyOf, ...marks } = schema as Node;
  // The value is of the schema: the pipeline's tests compare them.
  if (marks[GUIDANCE]) return (value, form) => guidanceText(value as Guidance, form);
  if (marks[NEXT_STEP]) return (value, form) => shownStep(value as Parameters<typeof shownStep>[0], form);
  if (anyOf) return showEither(anyOf);
  if (type === 'array' && items) {
    const show = placesOf(items);
    return show && showItems(show);
  }
  const fields = Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const show = placesOf(property);
    return show ? [[name, show] as const] : [];
  });
  return fields.length > 0 ? showFields(fields) : null;
}

/** A schema as a door documents it: a text where guidance stands, in the place of a call the fields that `call` makes. Null
 * for a schema that is no such place itself. */
export function shownShape(schema: object, call: (bodyless: boolean) => TProperties): TSchema | null {
  const { properties = {}, description, ...rest } = schema as Node;
  const said = description === undefined ? {} : { description };
  if (rest[GUIDANCE]) return Type.String(said);
  if (!rest[NEXT_STEP]) return null;
  const shown: TProperties = {};
  for (const [name, property] of Object.entries(properties)) {
    if (name === 'operation') Object.assign(shown, call(rest[NEXT_STEP] === 'with_or_without'));
    // The properties of an object's schema are schemas.
    else if (name !== 'input') shown[name] = property as TSchema;
  }
  return Type.Object(shown, said);
}
