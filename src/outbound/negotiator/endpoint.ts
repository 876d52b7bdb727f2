// The model behind LLM_URL: an OpenAI-compatible chat endpoint, asked for JSON in one form after the other until one is answered as it
// should be; the one that worked is asked for first from then on. When the endpoint fails, one warning is logged and it is left
// alone for a while. What was asked and answered is never logged.
import { withoutEnd } from '../../domain/text/trimmed.ts';
import type { Log } from '../../log.ts';
import type { SafeHttp } from '../safe-http/safe-http.ts';
import { FORMS, type Form, formFields, messagesOf, readChoice, readText } from './forms.ts';
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

export interface EndpointSettings {
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
/** As many as the pool lets ask side by side (model-pool.ts). */
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
