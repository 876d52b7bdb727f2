// Fetches the document by which a program says who it is, from the address that is its client id. A person follows a link that anybody
// may have made, so the address is a stranger's: it goes through the safe client alone, redirects are not followed, and the
// answer counts only where it is JSON of that very address.
import { judgeDocument, keptSeconds, type Program, type Unsound } from '../domain/identity/client.ts';
import type { SafeHttp } from './safe-http/safe-http.ts';

/** A person waits before a page. */
const DEADLINE_MS = 5_000;
/** A name and some addresses. */
const BYTES_MAX = 65_536;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** A program, and for how long what it says may be kept. */
export interface Published {
  readonly program: Program;
  readonly kept_seconds: number;
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // Not UTF-8, or not JSON: the same to a reader of the page.
    return null;
  }
}

/** Who publishes an address, or what is wrong there, as a sentence for people. */
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
