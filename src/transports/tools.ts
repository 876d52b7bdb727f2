// The list of tools, made from the registry: what a client is shown of each, and which operation a call is for. What several
// operations share is one tool here, told apart by the argument that their bindings name.

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
import type { StepForm } from '../domain/next-step.ts';
import { descriptionText } from '../schemas/next-step.ts';
import { documented, type Json } from './openapi/shapes.ts';
import { tolerantInput } from './tolerance.ts';
import { toolCall, toolForm } from './tool-steps.ts';

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
