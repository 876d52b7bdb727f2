// Judges a provider's answer: a complete 2xx answer of JSON earns its price, and anything else is a failed dispatch that is free for its
// caller (interface.md "Marketplace and router").

/** The largest answer of a provider. */
export const RESULT_BYTES_MAX = 1_048_576;
/** The deepest nesting of an answer; a deeper one could not be serialised again. */
const DEPTH_MAX = 200;
/** The longest usage text of a provider. */
const USAGE_MAX = 200;

/** An answer to judge; a transport error has a reason instead of a body. */
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
  /** The provider's price for this call, at or below its registered price; null for the latter. */
  readonly asked_cents: number | null;
  /** The provider's text on metering. */
  readonly usage: string | null;
}

/** A failed dispatch. `reason` is one word, `message` a sentence for the provider's developer. */
export interface Failed {
  readonly served: false;
  readonly reason: string;
  readonly message: string;
  readonly http_status: number | null;
}

export type Verdict = Served | Failed;

/** Whether JSON text nests too deep, outside strings. */
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
    // Invalid UTF-8 and invalid JSON have the same outcome.
    return null;
  }
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The price in a header, if it is a whole number of cents. */
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

/** The charged price: the provider's price for this call, at most its registered one. */
export function chargedCents({ asked_cents }: Pick<Served, 'asked_cents'>, price_cents: number): number {
  return Math.min(asked_cents ?? price_cents, price_cents);
}

/** Whether a failure came without any HTTP answer, so that this service's own network may be the cause. */
export function isUnanswered({ http_status, reason }: Pick<Failed, 'http_status' | 'reason'>): boolean {
  return http_status === null && ['timeout', 'reset', 'unresolved', 'tls'].includes(reason);
}
