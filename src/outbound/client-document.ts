// Fetches an OAuth client's metadata document from the address that is its client id. Anyone can craft the link that a person follows,
// so the address is untrusted: only the safe client reads it, redirects are not followed, and the JSON must name that same
// address.
import { judgeDocument, keptSeconds, type Program, type Unsound } from '../domain/identity/client.ts';
import type { SafeHttp } from './safe-http/safe-http.ts';

/** A person waits for the page. */
const DEADLINE_MS = 5_000;
/** A name and some addresses. */
const BYTES_MAX = 65_536;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** A program, and how long its document may be cached. */
export interface Published {
  readonly program: Program;
  readonly kept_seconds: number;
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // Not UTF-8, or not JSON.
    return null;
  }
}

/** The program at an address, or the problem, as a sentence for people. */
export async function fetchProgram(
  http: Pick<SafeHttp, 'request'>,
  client_id: string,
  signal: AbortSignal,
): Promise<Published | string> {
  const headers = { accept: 'application/json' };
  const answer = await http.request({
    method: 'GET',
    url: client_id,
    headers,
    deadline_ms: DEADLINE_MS,
    bytes_max: BYTES_MAX,
    signal,
  });
  if (!answer.ok) return `What the program says of itself could not be read: ${answer.message}`;
  if (answer.status !== 200) return `Where the program should say who it is, its server answers ${answer.status}.`;
  if (!JSON_TYPE.test(answer.headers['content-type'] ?? '')) return 'What the program says of itself is no JSON.';
  const program: Program | Unsound = judgeDocument(parsed(answer.body), client_id);
  if ('problem' in program) return `What the program says of itself cannot be right: ${program.why}.`;
  return { program, kept_seconds: keptSeconds(answer.headers) };
}
