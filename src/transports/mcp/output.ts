// What a tool answers with: a list as its items and where the next page begins, anything else as it is. Schema, JSON and what a
// model reads are made of the same declaration, so that they say the same.
import { type TSchema, Type } from 'typebox';
import type { AnyOperation } from '../../contract/operation.ts';
import type { StepForm } from '../../domain/next-step.ts';
import type { Answer } from '../../pipeline/call.ts';
import { DryRun } from '../../schemas/money.ts';
import { documented, type Json, Shapes } from '../openapi/shapes.ts';
import { toolCall } from '../tool-steps.ts';
import type { ToolRoute } from '../tools.ts';

const PREFIX = '#/$defs/';

const CURSOR = Type.Union([Type.String(), Type.Null()], {
  description: 'Give it as `cursor` for the next page; null on the last.',
});

/** By operation: one is asked for at each call. */
const shapes = new WeakMap<AnyOperation, TSchema>();

function isList({ output, paged }: AnyOperation): boolean {
  return paged === true || (output as { type?: unknown }).type === 'array';
}

/** The schema of what a tool of the operation answers. */
export function outputShape(operation: AnyOperation): TSchema {
  const known = shapes.get(operation);
  if (known) return known;
  const { output } = operation;
  const made = isList(operation) ? Type.Object({ items: output, next_cursor: CURSOR }) : output;
  shapes.set(operation, made);
  return made;
}

export function outputText({ reply, notes, output }: Answer, operation: AnyOperation, form: StepForm): string {
  if (output) return reply.textFor(form, output);
  const text = reply.textFor(form, operation.output);
  return isList(operation) ? `{"items":${text},"next_cursor":${JSON.stringify(notes.next_cursor ?? null)}}` : text;
}

/** What a lone reference refers to, taken out of the named shapes where nothing else refers to it: a model reads less. */
function unfolded(form: Json, $defs: Record<string, unknown>): Json {
  const { $ref } = form;
  if (typeof $ref !== 'string') return form;
  const name = $ref.slice(PREFIX.length);
  const body = $defs[name] as Json;
  if (!JSON.stringify($defs).includes(`"${$ref}"`)) delete $defs[name];
  return body;
}

/** The output schema of a tool, by which a client checks what it is answered: of an object always, with the shapes that have
 * names under `$defs`. */
export function outputSchema(routes: readonly Pick<ToolRoute, 'operation'>[]): Json {
  const named = new Shapes(PREFIX, toolCall);
  const forms = new Map<string, Json>();
  for (const { operation } of routes) {
    const shape = outputShape(operation);
    const { anyOf } = shape as { anyOf?: readonly TSchema[] };
    for (const each of [...(anyOf ?? [shape]), ...(operation.dry_run ? [DryRun] : [])]) {
      const form = documented(each, named) as Json;
      forms.set(JSON.stringify(form), form);
    }
  }
  const [only = {}, ...others] = forms.values();
  const $defs = { ...named.gathered() };
  const root = others.length > 0 ? { anyOf: [only, ...others] } : unfolded(only, $defs);
  return { type: 'object', ...root, ...(Object.keys($defs).length > 0 && { $defs }) };
}
