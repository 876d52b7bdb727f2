// The list of tools, made from the registry: how each is shown, and the operation of a call. Operations that share a tool are
// told apart by the argument that their bindings name.
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

// How tools name a call: by the tool and its arguments. A call without a tool is named by its address, and with a note if it needs
// a session, because callers of tools have none.

/** The documented fields of a call in an output schema: a tool call, or an address when no tool does it. */
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

/** The call by one tool of the operation; null when that tool is for other calls. */
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
  // An argument that is no field of the input selects the tool's operation.
  if (!fields.map(nameOf).includes(when.argument)) {
    return { tool, arguments: { [when.argument]: when.is, ...given }, fill: open };
  }
  return given[when.argument] === when.is ? { tool, arguments: given, fill: open } : null;
}

/** The form of calls for tools. */
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

/** MCP's annotations of a tool. */
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
  /** Whether it is an extension of the interface (interface.md, Tool server). */
  readonly extension: boolean;
  readonly description: string;
  readonly inputSchema: Json;
  readonly annotations: Annotations;
  readonly routes: readonly ToolRoute[];
}

/** One argument of a route: its input field and its description. */
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

/** The argument that selects the route of a shared tool, if it is no operation's input. */
function ownArgument(routes: readonly ToolRoute[]): Argument | null {
  const values = routes.flatMap(({ binding: { when } }) => (when && 'is' in when ? [when] : []));
  const name = values[0]?.argument;
  if (name === undefined || routes.some(({ args }) => args.some((each) => each.name === name))) return null;
  return { name, field: name, schema: { type: 'string', enum: values.map(({ is }) => is) }, required: true };
}

/** The arguments of all routes; differing ones accept either form. No `anyOf` of whole objects: clients refuse it. */
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

/** Whether a call is for a route. Null and empty arguments count as absent. */
function isMeant({ binding: { when } }: ToolRoute, given: Json): boolean {
  if (!when) return true;
  const value = given[when.argument] ?? '';
  return 'is' in when ? value === when.is : (value !== '') === when.given;
}

/** A routed call of a tool. */
export interface Routed {
  readonly route: ToolRoute;
  readonly input: Record<string, unknown>;
  /** Given arguments that the call does not have. */
  readonly ignored: readonly string[];
}

/** The operation of a tool call, and its input; a fault when the selecting argument has an unknown value. An argument may also have
 * the name of its input field. Unknown arguments are dropped, and the pipeline validates the rest. */
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
  // A dry run must never perform the call; the pipeline refuses it for operations without one.
  if ((given['dry_run'] ?? null) !== null) sent['dry_run'] = given['dry_run'];
  const taken = new Set(['dry_run', binding.when?.argument, ...args.flatMap(({ name, field }) => [name, field])]);
  const ignored = Object.keys(given).filter((name) => !taken.has(name));
  return { route, input: { ...tolerantInput(sent, operation.input), ...binding.fixed }, ignored };
}

// A reply's text for a model. Other parties' texts are moved out of it and grouped by author, between fence lines with a random
// word, the first of which says that they are no instruction (rules.md 10). Their authors cannot know the word, so they cannot
// end the fence. Structured content keeps them unchanged, in their fields.

/** The mark of a block or part with another party's text (rules.md 10). */
interface OriginMark {
  readonly 'meshwork/origin': 'counterparty';
  readonly 'meshwork/handle'?: string;
}

/** MCP's text content block. */
export interface ModelText {
  readonly type: 'text';
  readonly text: string;
  readonly _meta?: OriginMark;
}

/** The reader, and the source of random words. */
interface ModelReader {
  /** The handle of the reading agent; null for a reader without one. */
  readonly handle: string | null;
  random(bytes: number): Uint8Array;
}

/** The mark of another party's text, with its handle if known. */
function originMark(handle: string | undefined): OriginMark {
  const origin = { 'meshwork/origin': 'counterparty' } as const;
  return handle === undefined ? origin : { ...origin, 'meshwork/handle': handle };
}

function nameOf(author: string | undefined): string {
  return author === undefined ? 'another party' : `@${author}`;
}

/**
 * A reply for a model: its JSON, in which every text of another party is a reference, followed by each party's texts in a fence
 * of their own. `json` is the JSON of the unchanged value, used when there is no such text.
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
    // As JSON a text is one line, so it cannot begin a line of its own.
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
