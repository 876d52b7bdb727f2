// Results of tools as the protocol has them. One JSON text is both the structured content and what a model reads: it is made
// once, and put into its place.

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

/** A block of text that a model reads. */
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

/** Who is answered: by its revision and by what it chose. */
type Reading = Pick<Exchange, 'revision' | 'choice'>;

/** What stands in the place of the text for a client that takes the structured content. */
const ELSEWHERE: readonly TextBlock[] = [{ type: 'text', text: 'The answer is the structured content.' }];

/** The result of a tool. What went wrong is no structured content: clients compare that with the tool's output schema. Who asked for
 * these schemas takes the structured content, and is not told the same again as text; others are told both, as the protocol has it. */
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

/** A refusal as the result of a tool, for the model to mend what is wrong. */
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

/** Whether a refusal is of the credential or the request's pace, and not of what the tool was asked for. */
export function isOfTransport({ fault }: Fault): boolean {
  const { status } = FAULTS[fault];
  return status === 401 || fault === 'rate_limited';
}

// What a tool answers with: a list as its items and where the next page begins, anything else as it is. Schema, JSON and what a
// model reads are made of the same declaration, so that they say the same.

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

// What tools say where the catalogue of faults speaks of HTTP: a model sets no header, and whoever set up its connection does.

/** Where a call holds its idempotency key. */
export const IDEMPOTENCY_KEY = 'meshwork/idempotencyKey';

/** The messages of the catalogue that a caller of tools could not follow. */
const MESSAGES: Readonly<Partial<Record<Code, string>>> = {
  agent_required:
    'Several of your agents could act. The connection has to name one: by the header X-Agent-Handle, or by a key that is bound to ' +
    'an agent; ask whoever set it up.',
  idempotency_conflict: `This _meta['${IDEMPOTENCY_KEY}'] was used with another call.`,
  idempotency_in_flight: `A call with this _meta['${IDEMPOTENCY_KEY}'] is still running.`,
};

/** What the pipeline calls the place of an idempotency key. */
const KEY_PATH = 'Idempotency-Key';

/** A refusal in the words of the tool: its arguments in the place of the fields that they fill, and nothing of HTTP. */
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
