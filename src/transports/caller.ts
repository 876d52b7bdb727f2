// What a request over HTTP shows of its sender: credentials, address, and whether a page in a browser sent it. Every door that
// HTTP leads to reads it here, so that a credential counts alike at all of them.
import { traceOf } from '../domain/trace.ts';
import type { Credentials, Origin } from '../pipeline/call.ts';

/** What a request shows of its sender. */
interface Sender {
  readonly credential: Credentials;
  readonly origin: Origin;
}

function bearerOf(request: Request): string | null {
  const header = request.headers.get('authorization');
  if (header === null) return null;
  const [scheme = '', token = ''] = header.split(' ', 2);
  // Another scheme is a credential too, and a wrong one: it must not pass for none.
  return scheme.toLowerCase() === 'bearer' ? token : header;
}

const NONE = (): null => null;

/** The sender of a request; `ip` finds the client's address, `refresh` its refresh token at the door that takes one. */
export function senderOf(
  request: Request,
  ip: (request: Request) => string,
  refresh: () => string | null = NONE,
): Sender {
  const { headers } = request;
  const [key, bearer] = [headers.get('x-api-key'), bearerOf(request)];
  return {
    credential: {
      // A template that had nothing to fill in; alone it is a credential, and a wrong one.
      key: key === '' && bearer !== null ? null : key,
      bearer,
      platform: headers.get('x-internal-token'),
      get refresh() {
        return refresh();
      },
    },
    origin: {
      get ip() {
        return ip(request);
      },
      get path() {
        return new URL(request.url).pathname;
      },
      browser: headers.has('origin'),
      // Looked for only where something is told, or told of.
      get trace() {
        return traceOf(headers.get('traceparent'), headers.get('tracestate'));
      },
    },
  };
}

/** The origin of a message that may name a trace of its own, which then counts in place of the request's. */
export function withTrace(origin: Origin, { traceparent, tracestate }: Readonly<Record<string, unknown>>): Origin {
  if (typeof traceparent !== 'string') return origin;
  const trace = traceOf(traceparent, typeof tracestate === 'string' ? tracestate : null);
  return trace === null ? origin : { ...origin, trace };
}
