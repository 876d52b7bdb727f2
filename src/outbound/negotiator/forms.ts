// The three ways in which OpenAI-compatible endpoints are asked for JSON, best first: by its schema, by a call of a tool that takes it, and by
// the bare wish for an object. Few endpoints know all three.
import { isObject } from '../../domain/json.ts';
import type { Question } from './negotiator.ts';

/** The forms, in the order in which they are tried. */
export const FORMS = ['json_schema', 'tool', 'json_object'] as const;
export type Form = (typeof FORMS)[number];

/** The fields of a request that ask for an answer in a form. */
export function formFields(form: Form, { name, schema }: Question): Readonly<Record<string, unknown>> {
  switch (form) {
    case 'json_schema':
      return { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } } };
    case 'tool':
      return {
        tools: [{ type: 'function', function: { name, parameters: schema } }],
        tool_choice: { type: 'function', function: { name } },
      };
    case 'json_object':
      return { response_format: { type: 'json_object' } };
  }
}

/** The messages of a question; without a schema in the request it stands among the rules. */
export function messagesOf(form: Form, { system, user, schema }: Question): readonly object[] {
  const rules = form === 'json_object' ? `${system}\nThe JSON schema of the answer: ${JSON.stringify(schema)}` : system;
  return [
    { role: 'system', content: rules },
    { role: 'user', content: user },
  ];
}

/** An endpoint's answer, taken apart. */
export interface Choice {
  /** The JSON text in it; null where there is none in the form that was asked for. */
  readonly text: string | null;
  /** The model has said that it will not answer. */
  readonly refused: boolean;
  /** By the endpoint's count; null where it keeps none. */
  readonly tokens: number | null;
}

function textOf(form: Form, name: string, message: Readonly<Record<string, unknown>>): string | null {
  if (form !== 'tool') return typeof message['content'] === 'string' ? message['content'] : null;
  const calls = message['tool_calls'];
  const call: unknown = Array.isArray(calls) ? calls[0] : undefined;
  const called = isObject(call) ? call['function'] : undefined;
  if (!isObject(called) || called['name'] !== name) return null;
  return typeof called['arguments'] === 'string' ? called['arguments'] : null;
}

/** Reads the body of an answer with status 200. */
export function readChoice(form: Form, name: string, body: string): Choice {
  const nothing: Choice = { text: null, refused: false, tokens: null };
  const answer = parse(body);
  if (!isObject(answer)) return nothing;
  const usage = isObject(answer['usage']) ? answer['usage']['total_tokens'] : null;
  const tokens = typeof usage === 'number' && Number.isSafeInteger(usage) && usage >= 0 ? usage : null;
  const choice: unknown = Array.isArray(answer['choices']) ? answer['choices'][0] : undefined;
  const message = isObject(choice) ? choice['message'] : undefined;
  // What was cut off at the greatest length is no whole answer, even where it can be read.
  if (!isObject(choice) || !isObject(message) || choice['finish_reason'] === 'length') return { ...nothing, tokens };
  const refusal = message['refusal'];
  const refused = typeof refusal === 'string' && refusal !== '';
  return { text: refused ? null : textOf(form, name, message), refused, tokens };
}

const THINKS = '<think>';
const THOUGHT = '</think>';
const FENCE = '```';

/** What is left of a text without what the model thought before it; null where it never came to say anything. */
function afterThought(text: string): string | null {
  const end = text.lastIndexOf(THOUGHT);
  if (end !== -1) return text.slice(end + THOUGHT.length);
  return text.trimStart().startsWith(THINKS) ? null : text;
}

/** What stands in the one fenced block of a text; null where there is none, or several. */
function insideFence(text: string): string | null {
  const parts = text.split(FENCE, 4);
  return parts.length === 3 ? (parts[1] ?? '').replace(/^json\b/i, '') : null;
}

/** The JSON that a model's text is; undefined where it is none. Endpoints that take a form and do not hold the model to it let through what
 * it thought before, and the fence that models put round what they were asked for: those are taken off. JSON in the midst of prose is
 * nobody's answer: it may be what the other side wrote. */
export function readText(text: string): unknown {
  const whole = parse(text);
  if (whole !== undefined) return whole;
  const said = afterThought(text);
  if (said === null) return undefined;
  return parse(said) ?? parse(insideFence(said) ?? '');
}

/** The value of a JSON text; undefined where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Models write many things that are no JSON.
    return undefined;
  }
}
