// Puts refusals into the reader's language: by the message of the service, else by the code. What no text knows stays as it was said.
import { MeshworkError } from '../../client/error.ts';
import type { Words } from './words.ts';

type Refusals = Words['refusals'];

const VALUE = '{}';

/** The values in a message of a text; null for another message. */
function valuesIn(message: string, text: string): string[] | null {
  const [first = '', ...rest] = text.split(VALUE);
  if (!message.startsWith(first)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const [n, part] of rest.entries()) {
    const to = n === rest.length - 1 ? message.length - part.length : message.indexOf(part, at);
    if (to < at || !message.startsWith(part, to)) return null;
    values.push(message.slice(at, to));
    at = to + part.length;
  }
  return at === message.length ? values : null;
}

/** A message in the reader's language; undefined where no text is known. The texts' values come in the same order. */
function spoken(message: string, { said }: Pick<Refusals, 'said'>): string | undefined {
  const same = said[message];
  if (same !== undefined) return same;
  for (const [text, own] of Object.entries(said)) {
    const values = valuesIn(message, text);
    if (values) return values.reduce((filled, value) => filled.replace(VALUE, () => value), own);
  }
  return undefined;
}

/** A text that the service composed, in the reader's language; one that no text knows stays as it is. */
export function toldInWords(text: string, refusals: Refusals): string {
  return spoken(text, refusals) ?? text;
}

/** A refusal in the reader's language. */
export function inWords(error: MeshworkError, refusals: Refusals): MeshworkError {
  const { code, status, operation, retry_after, request_id, cause, fields, how, body } = error;
  // Without a response the app has texts of its own.
  if (status === 0) return error;
  const said = (text: string): string => spoken(text, refusals) ?? text;
  return new MeshworkError({
    code,
    message: spoken(error.message, refusals) ?? refusals.codes[code] ?? error.message,
    status,
    operation: operation ?? undefined,
    body: {
      ...body,
      ...(fields.length > 0 && { fields: fields.map(({ path, message }) => ({ path, message: said(message) })) }),
      ...(how !== null && { how: said(how) }),
    },
    retry_after,
    request_id,
    cause,
  });
}
