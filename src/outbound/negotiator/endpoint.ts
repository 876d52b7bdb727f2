// The model behind LLM_URL: an OpenAI-compatible chat endpoint, asked for JSON in one form after the other until one is answered as it
// should be; the one that worked is asked for first from then on. When the endpoint fails, one warning is logged and it is left
// alone for a while. What was asked and answered is never logged.

import type { Config } from '../../config.ts';
import { isObject } from '../../domain/json.ts';
import { withoutEnd } from '../../domain/text/trimmed.ts';
import type { Log } from '../../log.ts';
import type { Dns } from '../dns.ts';
import { createSafeHttp, type SafeHttp } from '../safe-http/safe-http.ts';
import {
  ANSWER_TOKENS_MAX,
  estimateTokens,
  LIMIT_REACHED,
  type MayUse,
  type Negotiator,
  type Question,
  type ReadAnswer,
  type Said,
} from './negotiator.ts';

// The three ways in which OpenAI-compatible endpoints are asked for JSON, best first: by its schema, by a call of a tool that takes it, and by
// the bare wish for an object. Few endpoints know all three.

/** The forms, in the order in which they are tried. */
const FORMS = ['json_schema', 'tool', 'json_object'] as const;
type Form = (typeof FORMS)[number];

/** The fields of a request that ask for an answer in a form. */
function formFields(form: Form, { name, schema }: Question): Readonly<Record<string, unknown>> {
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
function messagesOf(form: Form, { system, user, schema }: Question): readonly object[] {
  const rules = form === 'json_object' ? `${system}\nThe JSON schema of the answer: ${JSON.stringify(schema)}` : system;
  return [
    { role: 'system', content: rules },
    { role: 'user', content: user },
  ];
}

/** An endpoint's answer, taken apart. */
interface Choice {
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
function readChoice(form: Form, name: string, body: string): Choice {
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

/** What is known of the forms of one endpoint and model. */
interface Ladder {
  /** Those of a question, beginning with the one that worked last. An endpoint that has just taken none of them, and may be down altogether,
   * is asked for one a question, each time for another. */
  forms(): readonly Form[];
  worked(form: Form): void;
  /** Whether the form worked the last time, so that it was the endpoint which failed; the failure after that may be the form's again. */
  isSound(form: Form): boolean;
  allRefused(): void;
}

/** Nothing is known yet. */
function createLadder(): Ladder {
  let first: Form = FORMS[0];
  let sound: Form | null = null;
  let is_lost = false;
  return {
    forms: () => {
      const at = FORMS.indexOf(first);
      return is_lost ? [first] : [...FORMS.slice(at), ...FORMS.slice(0, at)];
    },
    worked: (form) => {
      first = form;
      sound = form;
      is_lost = false;
    },
    isSound: (form) => {
      const was_sound = sound === form;
      if (was_sound) sound = null;
      return was_sound;
    },
    allRefused: () => {
      if (is_lost) first = FORMS[(FORMS.indexOf(first) + 1) % FORMS.length] ?? first;
      is_lost = true;
    },
  };
}

interface EndpointSettings {
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
  readonly cents_per_mtok?: number | null;
  /** A client of its own, which may reach this endpoint wherever the operator has put it. */
  readonly http: Pick<SafeHttp, 'request' | 'close'>;
  readonly log: Log;
  /** For a question, all its forms included. */
  readonly timeout_ms?: number;
  /** A monotonic clock. */
  readonly now?: () => number;
}

/** A question may take so long; who asked is answered by the rules then. */
const TIMEOUT_MS = 20_000;
const ANSWER_BYTES_MAX = 65_536;
/** After a failure the endpoint is left alone for this long. */
const RETRY_AFTER_MS = 30_000;
/** As many as the pool lets ask side by side (actors/background-tasks.ts). */
const SOCKETS = 32;
/** Answers below 500 that are never about the form: who asks, who pays, how often, how late, how much. By any other an endpoint may mean a
 * form that it does not know: most say 400 (OpenAI, Azure, Ollama, LM Studio), some 422, OpenRouter 404 where none of its hosts has it. */
const NOT_THE_FORM: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 413, 429]);
/** Of those from 500 on these may mean it too: llama.cpp and vLLM say 500 to tools and schemas that they were not started for. */
const MAYBE_THE_FORM: ReadonlySet<number> = new Set([500, 501]);

function isMaybeForm(status: number): boolean {
  return status >= 500 ? MAYBE_THE_FORM.has(status) : status >= 400 && !NOT_THE_FORM.has(status);
}

/** Where chats are asked for: LLM_URL itself, or under it; a bare host has its API under /v1. */
export function chatUrl(text: string): string {
  const url = new URL(text);
  url.pathname = withoutEnd(url.pathname, '/');
  if (url.pathname === '/' || url.pathname === '') url.pathname = '/v1';
  if (!url.pathname.endsWith('/chat/completions')) url.pathname += '/chat/completions';
  return url.href;
}

/** What came of one request: a text in the form that was asked for, or why there is none. After it the next form is tried, also in `doubt`
 * whether the form or the endpoint failed, or the same `again`; or it ends the question, or the endpoint rests: others would fare no better. */
interface Asked {
  readonly text: string | null;
  readonly why: string;
  readonly after: 'next' | 'doubt' | 'again' | 'end' | 'rest';
  readonly answer: string;
  readonly tokens: number;
}

/** What the requests of a question have answered and used. */
const sum = (asked: readonly Asked[]): Pick<Said<never>, 'answer' | 'requests' | 'tokens'> => ({
  answer: asked.map(({ answer }) => answer).join('\n'),
  requests: asked.length,
  tokens: asked.reduce((total, { tokens }) => total + tokens, 0),
});

/** A negotiator that never throws. */
export function createEndpointNegotiator(settings: EndpointSettings): Negotiator {
  const { model, http, log, timeout_ms = TIMEOUT_MS, now = () => performance.now() } = settings;
  const endpoint = requester(settings);
  const ladder = createLadder();
  let resumeAt = Number.NEGATIVE_INFINITY;
  let failing = false;

  const rest = (error_text: string): void => {
    resumeAt = now() + RETRY_AFTER_MS;
    if (!failing) log.warn('The model endpoint failed; the built-in rules answer for it.', { error_text });
    failing = true;
  };
  const answered = (form: Form): void => {
    if (failing) log.info('The model endpoint answers again.');
    failing = false;
    ladder.worked(form);
  };

  const ask = async <T>(question: Question, read: ReadAnswer<T>, may: MayUse, gone: AbortSignal): Promise<Said<T>> => {
    const asked: Asked[] = [];
    const none = (failure: string): Said<T> => ({ value: null, failure, ...sum(asked) });
    // From the first request on: whoever lets it be made may have to wait for the agent's question before this one.
    let ends_at: number | null = null;
    const forms = [...ladder.forms()];
    for (let form = forms.shift(); form !== undefined; ) {
      const body = endpoint.bodyOf(form, question);
      const { requests, tokens } = sum(asked);
      if (!(await may({ requests: requests + 1, tokens: tokens + mostOf(body) }, gone))) return none(LIMIT_REACHED);
      ends_at ??= now() + timeout_ms;
      const left_ms = Math.round(ends_at - now());
      if (left_ms <= 0 || gone.aborted) return none(asked.at(-1)?.why || 'it gave no answer in time');
      const one = await endpoint.send(form, question, body, left_ms, gone);
      asked.push(one);
      const is_down = one.after === 'rest' || (one.after === 'doubt' && ladder.isSound(form));
      if (is_down && !gone.aborted) rest(one.why);
      if (is_down || one.after === 'end') return none(one.why);
      const value = one.text === null ? null : read(readText(one.text));
      if (value !== null) {
        answered(form);
        return { value, failure: null, ...sum(asked) };
      }
      if (one.after !== 'again') form = forms.shift();
    }
    const failure = asked.at(-1)?.why || 'the answer was not of the shape that was asked for';
    // It takes none of the forms: its settings are wrong, or those are.
    if (asked.every(({ why }) => why !== '')) {
      ladder.allRefused();
      rest(failure);
    }
    return none(failure);
  };
  return {
    model,
    cents_per_mtok: settings.cents_per_mtok ?? null,
    rests: () => now() < resumeAt,
    ask,
    close: () => http.close(),
  };
}

/** The most that a request with this body can use. */
function mostOf(body: string): number {
  return estimateTokens(body) + ANSWER_TOKENS_MAX;
}

interface Requester {
  bodyOf(form: Form, question: Question): string;
  send(form: Form, question: Question, body: string, deadline_ms: number, signal: AbortSignal): Promise<Asked>;
}

/** Sends a question in one form. */
function requester({ url, model, key, http }: EndpointSettings): Requester {
  const target = chatUrl(url);
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
  // Newer models take the limit under another name alone, and say so.
  let limit = 'max_tokens';
  const decoder = new TextDecoder();
  const bodyOf: Requester['bodyOf'] = (form, question) =>
    JSON.stringify({
      model,
      messages: messagesOf(form, question),
      [limit]: ANSWER_TOKENS_MAX,
      ...formFields(form, question),
    });
  const refused = (status: number, body: string, answer: string): Asked => {
    const nothing = { text: null, why: `it answered ${status}`, answer, tokens: 0 };
    if (isMaybeForm(status) && body.includes('"max_tokens":') && answer.includes('max_completion_tokens')) {
      limit = 'max_completion_tokens';
      return { ...nothing, after: 'again' };
    }
    if (isMaybeForm(status)) return { ...nothing, after: status === 500 ? 'doubt' : 'next' };
    return { ...nothing, after: status === 413 ? 'end' : 'rest' };
  };
  const send: Requester['send'] = async (form, { name }, body, deadline_ms, signal) => {
    const reply = await http.request({
      method: 'POST',
      url: target,
      headers,
      body,
      deadline_ms,
      bytes_max: ANSWER_BYTES_MAX,
      sockets: SOCKETS,
      signal,
    });
    if (!reply.ok) {
      const was_read = reply.reason === 'too_large' || reply.reason === 'timeout';
      const why = `it gave no answer: ${reply.reason}`;
      const after = reply.reason === 'too_large' ? 'end' : 'rest';
      return { text: null, why, after, answer: '', tokens: was_read ? mostOf(body) : 0 };
    }
    const answer = decoder.decode(reply.body);
    if (reply.status !== 200) return refused(reply.status, body, answer);
    const choice = readChoice(form, name, answer);
    const tokens = choice.tokens ?? estimateTokens(body) + estimateTokens(answer);
    if (choice.refused) return { text: null, why: 'the model refused to answer', after: 'end', answer, tokens };
    return { text: choice.text, why: '', after: 'next', answer, tokens };
  };
  return { bodyOf, send };
}

// Chooses the negotiator by the settings.

/** The model of LLM_URL; null where the built-in rules take all turns. */
export function openNegotiator(config: Config, dns: Dns, log: Log): Negotiator | null {
  const { llmUrl: url, llmModel: model = 'default', llmKey: key, llmPricePerMtok: cents_per_mtok = null } = config;
  if (url === undefined) return null;
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const own = { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  // The operator may run the model next door; addresses that strangers name must not lead there for that, so it is a client of its own.
  const http = createSafeHttp({ dns, allow: [own] });
  return createEndpointNegotiator({ url, model, key, cents_per_mtok, http, log });
}
