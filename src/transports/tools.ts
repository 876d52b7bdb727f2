// The list of tools, made from the registry: what a client is shown of each, and which operation a call is for. What several
// operations share is one tool here, told apart by the argument that their bindings name.
import { type TProperties, type TSchema, Type } from 'typebox';
import type { AnyOperation } from '../contract/operation.ts';
import {
  type Access,
  argumentNames,
  type CallEffect,
  reachOf,
  type ToolBinding,
  type ToolSet,
} from '../contract/tool.ts';
import { type Fault, invalid } from '../domain/fault.ts';
import type { NextStep, StepForm } from '../domain/next-step.ts';
import { fenced, fenceWord } from '../domain/text/fence.ts';
import { type Author, holdsWords, replaceWords } from '../schemas/authored.ts';
import { descriptionText } from '../schemas/next-step.ts';
import { documented, type Json } from './openapi/responses.ts';
import { inputText, restForm } from './rest.ts';
import { tolerantInput } from './tolerance.ts';

// How a door of tools tells of a call: by the tool's name and its arguments. What no tool reaches is told by its address, and
// that it takes a session where it does, since whoever calls tools has none.

/** The fields that stand in the place of a call, as an output schema documents them: of a tool, or of an address where no tool
 * does it. */
export function toolCall(): TProperties {
  const input = Type.Record(Type.String(), Type.Unknown());
  return {
    tool: Type.Optional(Type.String()),
    arguments: Type.Optional(input),
    method: Type.Optional(Type.String()),
    path: Type.Optional(Type.String()),
    body: Type.Optional(Type.Union([input, Type.Null()])),
  };
}

interface ToolCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The arguments that the caller fills in. */
  readonly fill: readonly string[];
}

/** The call by one tool of the operation; null where that tool is for other calls. */
function callBy(binding: ToolBinding, { input = {}, fill = [] }: NextStep, fields: readonly string[]): ToolCall | null {
  const { name: tool, fixed = {}, takes, when } = binding;
  const names = argumentNames(binding, fields);
  const nameOf = (field: string): string => names.get(field) ?? field;
  if (Object.entries(fixed).some(([field, value]) => input[field] !== value)) return null;
  const known = Object.entries(input).filter(([field]) => !(field in fixed));
  if (takes && [...known.map(([field]) => field), ...fill].some((field) => !takes.includes(field))) return null;
  const given: Record<string, unknown> = Object.fromEntries(known.map(([field, value]) => [nameOf(field), value]));
  const open = fill.map(nameOf);
  if (when && 'given' in when) {
    const isGiven = when.argument in given || open.includes(when.argument);
    return isGiven === when.given ? { tool, arguments: given, fill: open } : null;
  }
  if (!when) return { tool, arguments: given, fill: open };
  // What is no field of the input is the tool's own way of telling its operations apart.
  if (!fields.map(nameOf).includes(when.argument)) {
    return { tool, arguments: { [when.argument]: when.is, ...given }, fill: open };
  }
  return given[when.argument] === when.is ? { tool, arguments: given, fill: open } : null;
}

/** A tool door's way of telling of calls. */
export function toolForm(operations: readonly AnyOperation[], app_url?: string): StepForm {
  const byName = new Map<string, AnyOperation>(operations.map((operation) => [operation.name, operation]));
  const addresses = restForm(operations);
  const callOf = (step: NextStep): ToolCall | null => {
    const operation = byName.get(step.operation);
    const fields = Object.keys((operation?.input.properties ?? {}) as object);
    for (const binding of operation?.tools ?? []) {
      const call = callBy(binding, step, fields);
      if (call) return call;
    }
    return null;
  };
  return {
    door: 'tools',
    ...(app_url !== undefined && { app_url }),
    text: (step) => {
      const call = callOf(step);
      if (!call) return addresses.text({ ...step, credential: true });
      return `${call.tool}${inputText(call.arguments, call.fill)}`;
    },
    fields: (step) => {
      const call = callOf(step);
      return call ? { tool: call.tool, arguments: call.arguments } : addresses.fields(step);
    },
  };
}

/** One of the operations behind a tool. */
export interface ToolRoute {
  readonly operation: AnyOperation;
  readonly binding: ToolBinding;
  readonly effect: CallEffect;
  /** Who may call it by this tool. */
  readonly access: Access;
  readonly scope: AnyOperation['scope'];
  readonly args: readonly Argument[];
}

/** What a client may be told of a tool's calls, as MCP names it. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly set: ToolSet;
  /** Beyond those of the interface (interface.md, Tool server). */
  readonly extension: boolean;
  readonly description: string;
  readonly inputSchema: Json;
  readonly annotations: Annotations;
  readonly routes: readonly ToolRoute[];
}

/** One argument of a route: the input field that it fills, and how it is described. */
interface Argument {
  readonly name: string;
  readonly field: string;
  readonly schema: Json;
  readonly required: boolean;
}

function argumentsOf(operation: AnyOperation, binding: ToolBinding): readonly Argument[] {
  const { fixed = {}, takes } = binding;
  const { properties = {}, required = [] } = operation.input as { properties?: Json; required?: readonly string[] };
  const names = argumentNames(binding, Object.keys(properties));
  const fields = Object.keys(properties).filter((field) => !(field in fixed) && (takes?.includes(field) ?? true));
  return fields.map((field) => ({
    name: names.get(field) ?? field,
    field,
    schema: documented(properties[field], null, toolCall) as Json,
    required: takes !== undefined || required.includes(field),
  }));
}

function routeOf(operation: AnyOperation, binding: ToolBinding): ToolRoute {
  const effect = binding.effect ?? operation.effect;
  return { operation, binding, effect, ...reachOf(operation, binding), args: argumentsOf(operation, binding) };
}

/** The argument by which the routes of a shared tool are told apart where it is no operation's input. */
function ownArgument(routes: readonly ToolRoute[]): Argument | null {
  const values = routes.flatMap(({ binding: { when } }) => (when && 'is' in when ? [when] : []));
  const name = values[0]?.argument;
  if (name === undefined || routes.some(({ args }) => args.some((each) => each.name === name))) return null;
  return { name, field: name, schema: { type: 'string', enum: values.map(({ is }) => is) }, required: true };
}

/** The arguments of all routes; what differs between them may be either. No `anyOf` of whole objects: clients refuse it. */
function schemaOf(routes: readonly ToolRoute[]): Json {
  const own = ownArgument(routes);
  const each = routes.map(({ args }) => (own ? [own, ...args] : args));
  const properties: Record<string, Json> = {};
  for (const { name, schema } of each.flat()) {
    const known = properties[name];
    const either = known && !Bun.deepEquals(known, schema) ? { anyOf: [known, schema] } : schema;
    properties[name] = either;
  }
  const needed = (name: string): boolean => each.every((list) => list.some((one) => one.name === name && one.required));
  const required = Object.keys(properties).filter(needed);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function isIdempotent(effect: CallEffect): boolean {
  return effect !== 'adds' && effect !== 'spends';
}

function takesAway(effect: CallEffect): boolean {
  return effect === 'destroys' || effect === 'spends';
}

function annotationsOf(routes: readonly ToolRoute[]): Annotations {
  return {
    readOnlyHint: routes.every(({ effect }) => effect === 'reads'),
    destructiveHint: routes.some(({ effect }) => takesAway(effect)),
    idempotentHint: routes.every(({ effect }) => isIdempotent(effect)),
    openWorldHint: routes.some(({ operation, binding }) => binding.open_world ?? operation.open_world === true),
  };
}

function routeText({ operation, binding }: ToolRoute, form: StepForm): string {
  if (binding.description !== undefined) return binding.description;
  return [`${operation.summary}.`, descriptionText(operation.description ?? '', form)].filter(Boolean).join(' ');
}

function conditionText({ when }: ToolBinding): string {
  if (!when) return '';
  if ('is' in when) return `With \`${when.argument}\` \`${when.is}\`: `;
  return `${when.given ? 'With' : 'Without'} \`${when.argument}\`: `;
}

function toolOf(
  routes: readonly ToolRoute[],
  { name, title, set, extension = false }: ToolBinding,
  form: StepForm,
): Tool {
  const description = routes.map((route) => `${conditionText(route.binding)}${routeText(route, form)}`).join('\n');
  const inputSchema = schemaOf(routes);
  return { name, title, set, extension, description, inputSchema, annotations: annotationsOf(routes), routes };
}

export function toolsOf(operations: readonly AnyOperation[]): readonly Tool[] {
  const routes = operations.flatMap((operation) => (operation.tools ?? []).map((each) => routeOf(operation, each)));
  const form = toolForm(operations);
  const byName = [...Map.groupBy(routes, ({ binding }) => binding.name)];
  return byName
    .map(([, [first, ...others]]) => first && toolOf([first, ...others], first.binding, form))
    .filter((tool) => tool !== undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a caller gives is left out where it is null or empty: no argument that tells calls apart may be either. */
function isMeant({ binding: { when } }: ToolRoute, given: Json): boolean {
  if (!when) return true;
  const value = given[when.argument] ?? '';
  return 'is' in when ? value === when.is : (value !== '') === when.given;
}

/** What a call of a tool comes to. */
export interface Routed {
  readonly route: ToolRoute;
  readonly input: Record<string, unknown>;
  /** What was given and is no argument of the call. */
  readonly ignored: readonly string[];
}

/** The operation that a call of a tool is for, and its input; a fault where the argument that tells is none of its values.
 * An argument may go by the name of the field that it fills. What the tool does not take is dropped, and the pipeline judges the rest. */
export function routeCall({ routes }: Tool, given: Json): Routed | Fault<'invalid_request'> {
  const route = routes.find((each) => isMeant(each, given));
  if (!route) {
    const own = ownArgument(routes);
    const values = (own?.schema['enum'] ?? []) as readonly string[];
    return invalid({ path: own?.name ?? 'arguments', message: `must be one of ${values.join(', ')}` });
  }
  const { operation, binding, args } = route;
  const sent: Record<string, unknown> = {};
  for (const { name, field } of args) {
    if (Object.hasOwn(given, name)) sent[field] = given[name];
    else if (Object.hasOwn(given, field)) sent[field] = given[field];
  }
  // Nobody who asks for a dry run may be taken to mean the call; the pipeline says where there is none.
  if ((given['dry_run'] ?? null) !== null) sent['dry_run'] = given['dry_run'];
  const taken = new Set(['dry_run', binding.when?.argument, ...args.flatMap(({ name, field }) => [name, field])]);
  const ignored = Object.keys(given).filter((name) => !taken.has(name));
  return { route, input: { ...tolerantInput(sent, operation.input), ...binding.fixed }, ignored };
}

// What a model gets to read of a reply. Words of other parties are taken out of it and stand apart, by author, between fence lines
// of a random word, the first of which says that they are no instruction (rules.md 10). Whoever wrote them cannot
// know the word, so that nothing they write ends the fence. Structured content keeps them raw, in their fields.

/** What a block or a part that holds another party's words is marked with (rules.md 10). */
interface OriginMark {
  readonly 'meshwork/origin': 'counterparty';
  readonly 'meshwork/handle'?: string;
}

/** A content block of text as MCP has it. */
export interface ModelText {
  readonly type: 'text';
  readonly text: string;
  readonly _meta?: OriginMark;
}

/** Who reads, and where the fences' words come from. */
interface ModelReader {
  /** The handle of the agent that reads; null for somebody without one. */
  readonly handle: string | null;
  random(bytes: number): Uint8Array;
}

/** The mark of another party's words; one that is not known by a handle is only called another party. */
function originMark(handle: string | undefined): OriginMark {
  const origin = { 'meshwork/origin': 'counterparty' } as const;
  return handle === undefined ? origin : { ...origin, 'meshwork/handle': handle };
}

function nameOf(author: string | undefined): string {
  return author === undefined ? 'another party' : `@${author}`;
}

/**
 * A reply for a model: its JSON, in which every text of another party is a reference, and behind it each party's texts in a
 * fence of their own. `json` is the JSON of the value as it is, used where nothing has to be taken out.
 */
export function modelContent(
  { value, json }: { readonly value: () => unknown; readonly json: string },
  output: TSchema,
  { handle: reader, random }: ModelReader,
): readonly ModelText[] {
  const plain: ModelText = { type: 'text', text: json };
  if (!holdsWords(output)) return [plain];
  const texts = new Map<string | undefined, string[]>();
  let taken = 0;
  const replace = (author: Author, path: string, words: unknown): string | null => {
    if (author === null || (author !== undefined && author === reader)) return null;
    taken += 1;
    const list = texts.get(author) ?? [];
    texts.set(author, list);
    // As JSON a text is one line: whatever it holds, none of it begins a line of its own.
    list.push(`[${taken}] ${path}: ${JSON.stringify(words)}`);
    return `[${taken}: words of ${nameOf(author)}, below]`;
  };
  const rest = replaceWords(output, value(), replace);
  if (taken === 0) return [plain];
  const blocks = [...texts].map(
    ([author, list]): ModelText => ({
      type: 'text',
      text: fenced(nameOf(author), list.join('\n'), fenceWord(random)),
      _meta: originMark(author),
    }),
  );
  return [{ type: 'text', text: JSON.stringify(rest) }, ...blocks];
}
