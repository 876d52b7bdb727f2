// The model behind LLM_URL: an OpenAI-compatible chat endpoint, asked for JSON in one form after the other until an answer is valid;
// later questions begin with the form that worked. When the endpoint fails, one warning is logged and it is not asked for a
// while. Questions and answers are never logged.

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

// The three ways to ask OpenAI-compatible endpoints for JSON, best first: by a schema, by a tool call with that schema, and as a plain JSON
// object. Few endpoints support all three.

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

/** The messages of a question; if the request has no schema, the system message contains it. */
function messagesOf(form: Form, { system, user, schema }: Question): readonly object[] {
  const rules = form === 'json_object' ? `${system}\nThe JSON schema of the answer: ${JSON.stringify(schema)}` : system;
  return [
    { role: 'system', content: rules },
    { role: 'user', content: user },
  ];
}

/** A parsed answer of an endpoint. */
interface Choice {
  /** Its JSON text; null when there is none in the requested form. */
  readonly text: string | null;
  /** Whether the model refused to answer. */
  readonly refused: boolean;
  /** By the endpoint's count; null when it sends none. */
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
  // An answer that was cut off at the maximum length is incomplete, even when it parses.
  if (!isObject(choice) || !isObject(message) || choice['finish_reason'] === 'length') return { ...nothing, tokens };
  const refusal = message['refusal'];
  const refused = typeof refusal === 'string' && refusal !== '';
  return { text: refused ? null : textOf(form, name, message), refused, tokens };
}

const THINKS = '<think>';
const THOUGHT = '</think>';
const FENCE = '```';

/** A text without the model's preceding reasoning; null when only that is there. */
function afterThought(text: string): string | null {
  const end = text.lastIndexOf(THOUGHT);
  if (end !== -1) return text.slice(end + THOUGHT.length);
  return text.trimStart().startsWith(THINKS) ? null : text;
}

/** The content of the only fenced block of a text; null when there is none, or several. */
function insideFence(text: string): string | null {
  const parts = text.split(FENCE, 4);
  return parts.length === 3 ? (parts[1] ?? '').replace(/^json\b/i, '') : null;
}

/** The JSON of a model's text; undefined when it is none. Endpoints that do not enforce a form let reasoning and a fence around the JSON
 * through: both are removed. JSON within prose is not accepted as the answer, because it may quote the other side. */
export function readText(text: string): unknown {
  const whole = parse(text);
  if (whole !== undefined) return whole;
  const said = afterThought(text);
  if (said === null) return undefined;
  return parse(said) ?? parse(insideFence(said) ?? '');
}

/** The value of a JSON text; undefined when invalid. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Models often write invalid JSON.
    return undefined;
  }
}

/** The state of the forms of one endpoint and model. */
interface Ladder {
  /** The forms to try for a question, the one that worked last first. An endpoint that has just refused all, and may be down, gets only
   * one a question, each time another. */
  forms(): readonly Form[];
  worked(form: Form): void;
  /** Whether the form worked the last time, so that the endpoint is to blame for a failure; the next failure may be the form's again. */
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
  /** A client of its own, which may reach this endpoint also at a private address. */
  readonly http: Pick<SafeHttp, 'request' | 'close'>;
  readonly log: Log;
  /** For a question, with all its forms. */
  readonly timeout_ms?: number;
  /** A monotonic clock. */
  readonly now?: () => number;
}

/** The time limit of a question, after which the built-in rules answer. */
const TIMEOUT_MS = 20_000;
const ANSWER_BYTES_MAX = 65_536;
/** The pause after a failure of the endpoint. */
const RETRY_AFTER_MS = 30_000;
/** The size of the pool of questions (actors/background-tasks.ts). */
const SOCKETS = 32;
/** Statuses below 500 that never concern the form: credentials, payment, rate, timeout, size. Any other may mean an unknown form: most
 * endpoints send 400 (OpenAI, Azure, Ollama, LM Studio), some 422, OpenRouter 404 when none of its hosts supports it. */
const NOT_THE_FORM: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 413, 429]);
/** Statuses from 500 on that may mean it too: llama.cpp and vLLM send 500 for tools and schemas that they were not started for. */
const MAYBE_THE_FORM: ReadonlySet<number> = new Set([500, 501]);

function isMaybeForm(status: number): boolean {
  return status >= 500 ? MAYBE_THE_FORM.has(status) : status >= 400 && !NOT_THE_FORM.has(status);
}

/** The chat endpoint: LLM_URL itself, or a path under it; a bare host has its API under /v1. */
export function chatUrl(text: string): string {
  const url = new URL(text);
  url.pathname = withoutEnd(url.pathname, '/');
  if (url.pathname === '/' || url.pathname === '') url.pathname = '/v1';
  if (!url.pathname.endsWith('/chat/completions')) url.pathname += '/chat/completions';
  return url.href;
}

/** The result of one request: a text in the requested form, or why there is none. Then the next form is tried (also in `doubt` whether
 * the form or the endpoint failed), or the same `again`; or the question ends, or the endpoint rests, because other forms would fail too. */
interface Asked {
  readonly text: string | null;
  readonly why: string;
  readonly after: 'next' | 'doubt' | 'again' | 'end' | 'rest';
  readonly answer: string;
  readonly tokens: number;
}

/** The answers and use of a question's requests. */
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
    // From the first request on: `may` can wait for the agent's previous question.
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
    // It accepts none of the forms: its settings or ours are wrong.
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
  // Newer models accept the limit only under another name, and say so.
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

/** The model of LLM_URL; null when the built-in rules take all turns. */
export function openNegotiator(config: Config, dns: Dns, log: Log): Negotiator | null {
  const { llmUrl: url, llmModel: model = 'default', llmKey: key, llmPricePerMtok: cents_per_mtok = null } = config;
  if (url === undefined) return null;
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const own = { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  // A client of its own, as the model may run at a private address, which addresses from callers must not reach.
  const http = createSafeHttp({ dns, allow: [own] });
  return createEndpointNegotiator({ url, model, key, cents_per_mtok, http, log });
}
