// What a provider's answer is worth: a whole 2xx answer of JSON earns its price, and anything else is a failed dispatch that costs its
// caller nothing (interface.md "Marketplace and router").

/** Of a provider's answer. */
export const RESULT_BYTES_MAX = 1_048_576;
/** How deep an answer may be nested; what is deeper could not be written again. */
const DEPTH_MAX = 200;
/** What a provider says of how it was metered. */
const USAGE_MAX = 200;

/** An answer as far as it is judged; a trouble on the way has its reason in place of a body. */
export type Dispatched =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
    }
  | { readonly ok: false; readonly reason: string; readonly message: string; readonly status: number | null };

/** A dispatch that earned its price. */
export interface Served {
  readonly served: true;
  readonly http_status: number;
  readonly result: unknown;
  /** What the provider wants for this one, at or below its price; null for its price. */
  readonly asked_cents: number | null;
  /** How it was metered, in the provider's words. */
  readonly usage: string | null;
}

/** A dispatch that came to nothing. `reason` is one word, `message` a sentence for the provider's developer. */
export interface Failed {
  readonly served: false;
  readonly reason: string;
  readonly message: string;
  readonly http_status: number | null;
}

export type Verdict = Served | Failed;

/** Whether text is nested deeper than it may be; strings are passed over. */
function isTooDeep(text: string): boolean {
  let [depth, in_string] = [0, false];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (in_string) {
      if (char === 0x5c) at += 1;
      else if (char === 0x22) in_string = false;
    } else if (char === 0x22) in_string = true;
    else if (char === 0x5b || char === 0x7b) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (char === 0x5d || char === 0x7d) depth -= 1;
  }
  return false;
}

function read(body: Uint8Array): { readonly value: unknown } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return isTooDeep(text) ? null : { value: JSON.parse(text) };
  } catch {
    // Neither UTF-8 nor JSON: whichever it is, it earns nothing.
    return null;
  }
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** A price as a header says it, where that is a whole number of cents. */
function priceOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,11}$/.test(header) ? Number(header) : null;
}

function usageOf(header: string | undefined): string | null {
  return header === undefined || header === '' || !/^[\x20-\x7e]+$/.test(header) ? null : header.slice(0, USAGE_MAX);
}

export function judge(answer: Dispatched): Verdict {
  const failed = (reason: string, message: string): Failed => ({
    served: false,
    reason,
    message,
    http_status: answer.status,
  });
  if (!answer.ok) return failed(answer.reason, answer.message);
  const { status, headers, body } = answer;
  if (status < 200 || status > 299) return failed('http_status', `The endpoint answered ${status} instead of 2xx.`);
  if (body.byteLength === 0) return failed('empty', 'The endpoint answered nothing; a JSON value is needed.');
  const type = headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type)) {
    const said = type === '' ? 'without a Content-Type' : `as ${type.slice(0, 80)}`;
    return failed('not_json', `The endpoint answered ${said}; application/json is needed.`);
  }
  const parsed = read(body);
  if (!parsed) return failed('not_json', 'What the endpoint answered is no JSON in UTF-8, or too deeply nested.');
  return {
    served: true,
    http_status: status,
    result: parsed.value,
    asked_cents: priceOf(headers['x-service-price-cents']),
    usage: usageOf(headers['x-service-usage']),
  };
}

/** What is charged: what the provider asked for this one, and never more than its price. */
export function chargedCents({ asked_cents }: Pick<Served, 'asked_cents'>, price_cents: number): number {
  return Math.min(asked_cents ?? price_cents, price_cents);
}

/** Whether a failure came without any answer over HTTP, so that our own way out may be what is broken. */
export function isUnanswered({ http_status, reason }: Pick<Failed, 'http_status' | 'reason'>): boolean {
  return http_status === null && ['timeout', 'reset', 'unresolved', 'tls'].includes(reason);
}
