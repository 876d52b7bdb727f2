// Replaces the next steps in replies by calls of the answering transport. A reply holds operation and input; its schema
// marks the place, so that a transport looks only there, and skips replies of the many operations without a mark. This
// happens after the commit: the stored reply of a repeated request holds the step, and each transport renders it again
// as its own call.
import { type TObject, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';
import type { Code, Fault } from '../domain/fault.ts';
import { liftOf } from '../domain/lift.ts';
import type { Description, Guidance, NextOperation, NextStep, StepForm } from '../domain/next-step.ts';

/** Steps as stored in replies, not rendered for a transport. */
export const UNSAID: StepForm = {
  door: 'http',
  text: (step) => JSON.stringify(step),
  fields: ({ operation, input }) => ({ operation, input }),
};

/** The marks; an OpenAPI document leaves out keys with this prefix. */
const GUIDANCE = '~guidance';
const NEXT_STEP = '~next_step';
const TOOLS = '~tools';

/** The parts of a schema that this file reads. */
interface Node {
  readonly type?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly [GUIDANCE]?: true;
  readonly [TOOLS]?: string;
  /** Whether every call in this place has input beyond its address, as a POST has. */
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

/** A text that may hold calls; every transport shows it as a string. */
export function guidanceShape(options: { readonly description?: string } = {}): TUnsafe<Guidance> {
  const either = Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Step]))]);
  return Type.Unsafe<Guidance>({ ...either, ...options, [GUIDANCE]: true });
}

/** An object that is a call: the transport's own fields stand between `before` and `after`. `takes` says whether all calls
 * in this place have a body over HTTP. */
export function stepShape<B extends TProperties, A extends TProperties>(
  description: string,
  before: B,
  after: A,
  takes: 'with_body' | 'with_or_without',
): TObject<B & typeof OPERATION & A> {
  return Type.Object({ ...before, ...OPERATION, ...after }, { description, [NEXT_STEP]: takes });
}

/** Renders a guidance for a transport. */
export function guidanceText(guidance: Guidance, form: StepForm): string {
  if (typeof guidance === 'string') return guidance;
  return guidance.map((part) => (typeof part === 'string' ? part : form.text(part))).join('');
}

/** Renders a description for a transport. */
export function descriptionText(description: Description, form: StepForm): string {
  if (typeof description === 'string') return description;
  const said = description.map((part) => {
    if (typeof part === 'string') return part;
    return 'http' in part ? part[form.door] : form.text(part);
  });
  return said.join('');
}

/** The description of a field for tools, in place of the general one. */
export function toolsRead(text: string): { readonly [TOOLS]: string } {
  return { [TOOLS]: text };
}

/** A field's own description for tools; undefined without one. */
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

/** Renders a call for a transport: its fields stand in the place of `operation`. */
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

/** Renders the calls in a value. A value without calls is returned unchanged. */
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

/** Picks a union's form by the value: array, object or text; guidance is never null. */
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

/** By schema; each is searched for marks once, at the operation's first reply. */
const shows = new WeakMap<TSchema, Show>();

/** The renderer of a schema's values. */
export function showOf(schema: TSchema): Show {
  const known = shows.get(schema);
  if (known) return known;
  const made = placesOf(schema) ?? asItIs;
  shows.set(schema, made);
  return made;
}

/** The same; null without a mark. */
function placesOf(schema: TSchema): Show | null {
  const { type, properties, items, anyOf, ...marks } = schema as Node;
  // The value fits the schema, which the pipeline's tests check.
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

/** A marked schema as a transport documents it: guidance as text, a call as the fields that `call` makes. Null for a schema
 * without a mark of its own. */
export function shownShape(schema: object, call: (bodyless: boolean) => TProperties): TSchema | null {
  const { properties = {}, description, ...rest } = schema as Node;
  const said = description === undefined ? {} : { description };
  if (rest[GUIDANCE]) return Type.String(said);
  if (!rest[NEXT_STEP]) return null;
  const shown: TProperties = {};
  for (const [name, property] of Object.entries(properties)) {
    if (name === 'operation') Object.assign(shown, call(rest[NEXT_STEP] === 'with_or_without'));
    else if (name !== 'input') shown[name] = property as TSchema;
  }
  return Type.Object(shown, said);
}
