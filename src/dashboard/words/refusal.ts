// Puts refusals into the reader's language: by the message of the service, else by the code. What no text knows stays as it was said.
import { MeshworkError } from '../../client/error.ts';
import type { Words } from './words.ts';

type Refusals = Words['refusals'];

const VALUE = '{}';

/** The pattern of a message with values. */
function patternOf(text: string): RegExp {
  const parts = text.split(VALUE).map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.*?)')}$`, 's');
}

/** A message in the reader's language; undefined where no text is known. The texts' values come in the same order. */
function spoken(message: string, { said }: Pick<Refusals, 'said'>): string | undefined {
  const same = said[message];
  if (same !== undefined) return same;
  for (const [text, own] of Object.entries(said)) {
    if (!text.includes(VALUE)) continue;
    const values = patternOf(text).exec(message)?.slice(1);
    if (values) return values.reduce((filled, value) => filled.replace(VALUE, () => value), own);
  }
  return undefined;
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
