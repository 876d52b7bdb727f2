// CORS: open for the credential-less discovery routes, closed for the rest save the web app's own origin.
import type { AnyOperation } from '../contract/operation.ts';

type Headers = Readonly<Record<string, string>>;

const CLOSED: Headers = {};
const EXPOSED = 'X-Request-Id, X-Next-Cursor, Retry-After, Idempotent-Replayed, ETag';
// The web app's own origin gets another answer, so a cache must tell them apart.
const OPEN: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
  Vary: 'Origin',
};

export function corsFor(app_url: string): (request: Request, operation: AnyOperation) => Headers {
  const { origin } = new URL(app_url);
  const own: Headers = {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: 'Origin',
  };
  return (request, operation) => {
    const is_own = request.headers.get('origin') === origin;
    const headers = is_own ? own : operation.any_origin ? OPEN : CLOSED;
    const { vary, cache_seconds } = operation;
    if (cache_seconds === undefined) return headers;
    // Of what caches keep, strict handling may refuse what was answered otherwise (RFC 7240, 2).
    return { ...headers, Vary: vary === undefined ? 'Origin, Prefer' : `Origin, Prefer, ${vary}` };
  };
}
