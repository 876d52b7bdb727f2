// How a door of tools tells of a call: by the tool's name and its arguments. What no tool reaches is told by its address, and
// that it takes a session where it does, since whoever calls tools has none.
import { type TProperties, Type } from 'typebox';
import type { AnyOperation } from '../contract/operation.ts';
import { argumentNames, type ToolBinding } from '../contract/tool.ts';
import type { NextStep, StepForm } from '../domain/next-step.ts';
import { inputText, restForm } from './rest-steps.ts';

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
