// Public reads say how long a copy of them may be kept, and are asked for again by their ETag (RFC 9110, 8.8.3). What
// does not say so is private, and kept by nobody: that is the door's rule for every other answer (wire.ts).
import type { AnyOperation } from '../contract/operation.ts';
import type { Rendering } from './wire.ts';

/** Whether one of the tags that the reader holds is this one; a weak one will do, since it was made of the same bytes. */
export function holdsTag(request: Request, etag: string): boolean {
  const held = request.headers.get('if-none-match');
  if (held === null) return false;
  return held === '*' || held.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** The answer of a read that may be kept, with its ETag; 304 without a body for a reader that holds it already. */
export function revalidate(request: Request, operation: AnyOperation, answer: Rendering): Rendering {
  const { cache_seconds, media } = operation;
  if (cache_seconds === undefined) return answer;
  // A page that gained a successor is another page, though its items are the same.
  const etag = `"${Bun.hash(answer.body).toString(36)}${'X-Next-Cursor' in answer.headers ? '+' : ''}"`;
  const headers = {
    ...answer.headers,
    ETag: etag,
    'Cache-Control': cache_seconds > 0 ? `public, max-age=${cache_seconds}` : 'no-cache',
    ...(media !== undefined && { 'Content-Type': media }),
  };
  return holdsTag(request, etag) ? { status: 304, headers, body: '' } : { ...answer, headers };
}
