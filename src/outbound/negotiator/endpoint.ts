// The model behind LLM_URL: an OpenAI-compatible chat endpoint, asked for JSON in one form after the other until one is answered as it
// should be; the one that worked is asked for first from then on. When the endpoint fails, one warning is logged and it is left
// alone for a while. What was asked and answered is never logged.
import { withoutEnd } from '../../domain/text/trimmed.ts';
import type { Log } from '../../log.ts';
import type { SafeHttp } from '../safe-http/safe-http.ts';
import { FORMS, type Form, formFields, messagesOf, parse, readChoice } from './forms.ts';
import {
  ANSWER_TOKENS_MAX,
  estimateTokens,
  type Negotiator,
  type Question,
  type ReadAnswer,
  type Said,
} from './negotiator.ts';

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
/** Answers that may mean "not in this form". */
const FORM_REFUSED: ReadonlySet<number> = new Set([400, 415, 422, 501]);

/** Where chats are asked for: LLM_URL itself, or under it; a bare host has its API under /v1. */
export function chatUrl(text: string): string {
  const url = new URL(text);
  url.pathname = withoutEnd(url.pathname, '/');
  if (url.pathname === '/' || url.pathname === '') url.pathname = '/v1';
  if (!url.pathname.endsWith('/chat/completions')) url.pathname += '/chat/completions';
  return url.href;
}

/** What came of one request: a text in the form that was asked for, or why there is none; `rests` where others would fare no better. */
interface Asked {
  readonly text: string | null;
  readonly why: string;
  readonly ends: 'no' | 'question' | 'rests';
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
  const request = requester(settings);
  let first: Form = FORMS[0];
  let resumeAt = Number.NEGATIVE_INFINITY;
  let failing = false;

  const rest = (error_text: string): void => {
    resumeAt = now() + RETRY_AFTER_MS;
    if (!failing) log.warn('The model endpoint failed; the built-in rules answer for it.', { error_text });
    failing = true;
  };

  const ask = async <T>(question: Question, read: ReadAnswer<T>, gone: AbortSignal): Promise<Said<T>> => {
    const asked: Asked[] = [];
    const ends_at = now() + timeout_ms;
    const at = FORMS.indexOf(first);
    for (const form of [...FORMS.slice(at), ...FORMS.slice(0, at)]) {
      const left_ms = Math.round(ends_at - now());
      if (left_ms <= 0 || gone.aborted) break;
      const one = await request(form, question, left_ms, gone);
      asked.push(one);
      if (one.ends === 'rests' && !gone.aborted) rest(one.why);
      if (one.ends !== 'no') return { value: null, failure: one.why, ...sum(asked) };
      const value = one.text === null ? null : read(parse(one.text));
      if (value === null) continue;
      if (failing) log.info('The model endpoint answers again.');
      failing = false;
      first = form;
      return { value, failure: null, ...sum(asked) };
    }
    const failure = asked.at(-1)?.why || 'the answer was not of the shape that was asked for';
    // It takes none of the forms: its settings are wrong, or those are.
    if (asked.length === FORMS.length && asked.every(({ why }) => why !== '')) rest(failure);
    return { value: null, failure, ...sum(asked) };
  };
  return {
    model,
    cents_per_mtok: settings.cents_per_mtok ?? null,
    rests: () => now() < resumeAt,
    ask,
    close: () => http.close(),
  };
}

type Send = (form: Form, question: Question, deadline_ms: number, signal: AbortSignal) => Promise<Asked>;

/** Sends a question in one form. */
function requester({ url, model, key, http }: EndpointSettings): Send {
  const target = chatUrl(url);
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
  // Newer models take the limit under another name alone, and say so.
  let limit = 'max_tokens';
  const decoder = new TextDecoder();
  const send: Send = async (form, question, deadline_ms, signal) => {
    const chat = {
      model,
      messages: messagesOf(form, question),
      [limit]: ANSWER_TOKENS_MAX,
      ...formFields(form, question),
    };
    const body = JSON.stringify(chat);
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
    const sent = estimateTokens(body);
    if (!reply.ok) {
      const ends = reply.reason === 'too_large' ? 'question' : 'rests';
      const tokens = reply.reason === 'too_large' || reply.reason === 'timeout' ? sent + ANSWER_TOKENS_MAX : 0;
      return { text: null, why: `it gave no answer: ${reply.reason}`, ends, answer: '', tokens };
    }
    const answer = decoder.decode(reply.body);
    if (reply.status !== 200) {
      if (limit === 'max_tokens' && answer.includes('max_completion_tokens')) {
        limit = 'max_completion_tokens';
        return send(form, question, deadline_ms, signal);
      }
      const ends = FORM_REFUSED.has(reply.status) ? 'no' : 'rests';
      return { text: null, why: `it answered ${reply.status}`, ends, answer, tokens: 0 };
    }
    const { text, refused, tokens } = readChoice(form, question.name, answer);
    const used = tokens ?? sent + estimateTokens(answer);
    if (refused) return { text: null, why: 'the model refused to answer', ends: 'question', answer, tokens: used };
    return { text, why: '', ends: 'no', answer, tokens: used };
  };
  return send;
}
