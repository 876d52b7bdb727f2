// Results of tools in the protocol's form. One JSON text, made once, is both the structured content and the text for the
// model.

import { type TSchema, Type } from 'typebox';
import type { AnyOperation } from '../../contract/operation.ts';
import { type Code, FAULTS, type Fault, invalid } from '../../domain/fault.ts';
import type { StepForm } from '../../domain/next-step.ts';
import type { Answer } from '../../pipeline/call.ts';
import { DryRun } from '../../schemas/money.ts';
import { shownFault } from '../../schemas/next-step.ts';
import { documented, type Json, Shapes } from '../openapi/responses.ts';
import { type ToolRoute, toolCall } from '../tools.ts';
import { errorBody } from '../wire.ts';
import type { Exchange, RpcResult } from './exchange.ts';

/** A text block for the model. */
interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

interface Ended {
  /** JSON of an object. */
  readonly json: string;
  readonly content?: readonly TextBlock[];
  readonly isError?: boolean;
  readonly meta?: object;
}

/** The reader's revision and choice. */
type Reading = Pick<Exchange, 'revision' | 'choice'>;

/** The text for a client that reads the structured content. */
const ELSEWHERE: readonly TextBlock[] = [{ type: 'text', text: 'The answer is the structured content.' }];

/** The result of a tool. Errors have no structured content, because clients validate that against the output schema. A client that
 * chose the schemas gets only structured content; others get the text too, as the protocol recommends. */
export function toolResult(
  { json, content = [{ type: 'text', text: json }], isError = false, meta }: Ended,
  { revision, choice }: Reading,
  operation?: string,
): RpcResult {
  const structured = revision.structured && !isError;
  const parts = [`"content":${JSON.stringify(structured && choice.schemas ? ELSEWHERE : content)}`];
  if (structured) parts.push(`"structuredContent":${json}`);
  if (isError) parts.push('"isError":true');
  if (meta) parts.push(`"_meta":${JSON.stringify(meta)}`);
  return { result: `{${parts.join(',')}}`, ...(operation !== undefined && { operation }) };
}

/** A refusal as the result of a tool, so that the model can correct the call. */
export function refusalResult(
  refusal: Fault,
  form: StepForm,
  request_id: string,
  reading: Reading,
  operation?: string,
): RpcResult {
  const json = JSON.stringify(errorBody(shownFault(refusal, form), request_id));
  return toolResult({ json, isError: true }, reading, operation);
}

/** Whether a refusal concerns the credential or the rate, not the tool's input. */
export function isOfTransport({ fault }: Fault): boolean {
  const { status } = FAULTS[fault];
  return status === 401 || fault === 'rate_limited';
}

// The output of a tool: a list as its items and the next cursor, anything else unchanged. Schema, JSON and the model's text are made
// from the same declaration, so that they agree.

const PREFIX = '#/$defs/';

const CURSOR = Type.Union([Type.String(), Type.Null()], {
  description: 'Give it as `cursor` for the next page; null on the last.',
});

/** By operation, as each call needs one. */
const shapes = new WeakMap<AnyOperation, TSchema>();

function isList({ output, paged }: AnyOperation): boolean {
  return paged === true || (output as { type?: unknown }).type === 'array';
}

/** The output schema of an operation's tool. */
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

/** Inlines a shape that is referred to only once, which shortens the text for the model. */
function unfolded(form: Json, $defs: Record<string, unknown>): Json {
  const { $ref } = form;
  if (typeof $ref !== 'string') return form;
  const name = $ref.slice(PREFIX.length);
  const body = $defs[name] as Json;
  if (!JSON.stringify($defs).includes(`"${$ref}"`)) delete $defs[name];
  return body;
}

/** The output schema of a tool, by which a client validates results: always an object, with named shapes under
 * `$defs`. */
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

// Tool messages in place of the fault catalogue's HTTP terms: a model sets no headers; the person who set up its connection does.

/** The field of a call's idempotency key. */
export const IDEMPOTENCY_KEY = 'meshwork/idempotencyKey';

/** Replaces messages of the catalogue that a caller of tools could not follow. */
const MESSAGES: Readonly<Partial<Record<Code, string>>> = {
  agent_required:
    'Several of your agents could act. The connection has to name one: by the header X-Agent-Handle, or by a key that is bound to ' +
    'an agent; ask its operator.',
  idempotency_conflict: `This _meta['${IDEMPOTENCY_KEY}'] was used with another call.`,
  idempotency_in_flight: `A call with this _meta['${IDEMPOTENCY_KEY}'] is still running.`,
};

/** The pipeline's path of the idempotency key. */
const KEY_PATH = 'Idempotency-Key';

/** A refusal in the tool's terms: its arguments in place of the input's fields, without HTTP terms. */
export function inToolWords(refusal: Fault, { args }: Pick<ToolRoute, 'args'>): Fault {
  const { fault, message, data } = refusal;
  const said = message === FAULTS[fault].message ? MESSAGES[fault] : undefined;
  if (said !== undefined) return { ...refusal, message: said };
  if (fault !== 'invalid_request' || !data.fields) return refusal;
  const names = new Map(args.map(({ name, field }) => [field, name]));
  names.set(KEY_PATH, `_meta.${IDEMPOTENCY_KEY}`);
  const fields = data.fields.map((problem) => {
    const [first = '', ...rest] = problem.path.split('.');
    return { ...problem, path: [names.get(first) ?? first, ...rest].join('.') };
  });
  return invalid(...fields);
}
