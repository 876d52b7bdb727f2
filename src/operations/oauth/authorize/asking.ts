// Reads an authorization request from the query string, and looks up its program where needed.

import { insert, patch } from '../../../../db/effects.ts';
import { oauthClientById } from '../../../../db/queries/identity.ts';
import type { FlowCtx } from '../../../contract/context.ts';
import type { FlowPorts } from '../../../contract/ports.ts';
import { type Fault, isFault } from '../../../domain/fault.ts';
import {
  type Asked,
  addressedIn,
  answerAt,
  askedIn,
  documentIdProblem,
  isDocumentId,
  type Program,
  placeOf,
  redirectFits,
  stateIn,
} from '../../../domain/identity/client.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import { fetchProgram, type Published } from '../../../outbound/client-document.ts';
import { sendCounters } from '../../../steps/session/code.ts';

/** Includes the wait for a free place at the host. */
const LOOK_MS = 8_000;

/** Documents that the service fetches for one account in an hour; people connect a handful of programs a year. */
const LOOKS_MAX = 30;

const TOO_MANY = 'Too many programs were looked up; wait before trying another.';

const UNKNOWN = 'This program is not registered here, or its registration has expired. Start again in the program.';

const SILENT = 'The client metadata of the program could not be read in time. Try again.';

/** The program, or the reason why it is unknown, as a sentence for people. */
async function programOf(
  client_id: string,
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'http' | 'tasks' | 'clock'>,
): Promise<Program | string | Fault<'rate_limited'>> {
  const wrong = isDocumentId(client_id) ? documentIdProblem(client_id) : null;
  if (wrong !== null) return `The client id URL of the program ${wrong}.`;
  const known = await ctx.read(oauthClientById, { id: client_id });
  if (known && known.expires_at > ctx.now_ms) return { client_id, ...known };
  return isDocumentId(client_id) ? lookedUp(client_id, ctx, ports) : UNKNOWN;
}

async function lookedUp(
  client_id: string,
  ctx: FlowCtx,
  { http, tasks, clock }: Pick<FlowPorts, 'http' | 'tasks' | 'clock'>,
): Promise<Program | string | Fault<'rate_limited'>> {
  const limit = { key: `oauth-look:${ctx.account_id}`, limit: LOOKS_MAX, window_ms: HOUR_MS };
  const counted = await ctx.turn({
    attempt: async () => ({ reply: null, effects: sendCounters([limit], ctx, TOO_MANY) }),
  });
  if (isFault(counted)) return counted as Fault<'rate_limited'>;
  const hosts = [new URL(client_id).host];
  const work = (gone: AbortSignal): Promise<Published | string> => fetchProgram(http, client_id, gone);
  const found = await tasks.call({ hosts, deadline_ms: LOOK_MS, looks: true, work });
  if (found === null) return SILENT;
  if (typeof found === 'string') return found;
  if (found.kept_seconds > 0) await keep(found, ctx, clock.now());
  return found.program;
}

async function keep({ program, kept_seconds }: Published, ctx: FlowCtx, now_ms: number): Promise<void> {
  const { client_id: id, kind, name, redirect_uris } = program;
  const row = { kind, name, redirect_uris, created_at: now_ms, expires_at: now_ms + kept_seconds * 1000 };
  await ctx.turn({
    attempt: async (read) => {
      const before = await read(oauthClientById, { id });
      const effect = before ? patch('oauth_clients', before, row) : insert('oauth_clients', { id, ...row }, 'ignore');
      return { reply: null, effects: [effect] };
    },
  });
}

const ELSEWHERE = 'The redirect address in the link is not registered for the program. Nothing was sent there.';

/** A valid request to show to a person. */
export interface OpenAsking {
  readonly is: 'open';
  readonly program: Program;
  readonly redirect_uri: string;
  readonly asked: Asked;
  /** The address of the program to which the browser returns, with `iss` (RFC 9207). */
  answerTo(answer: Readonly<Record<string, string>>): string;
}

/** A request, or its failure before the question: shown to the person, or returned to the program. */
export type Asking =
  | OpenAsking
  | { readonly is: 'unknown'; readonly why: string }
  | {
      readonly is: 'refused';
      readonly why: string;
      readonly answer: ReturnType<typeof placeOf>;
      readonly redirect_to: string;
    };

export async function readAsking(
  text: string,
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'http' | 'tasks' | 'clock'>,
): Promise<Asking | Fault<'rate_limited'>> {
  const query = new URLSearchParams(text);
  const addressed = addressedIn(query);
  if (typeof addressed === 'string') return { is: 'unknown', why: addressed };
  const { client_id, redirect_uri } = addressed;
  const program = await programOf(client_id, ctx, ports);
  if (typeof program === 'string') return { is: 'unknown', why: program };
  if (isFault(program)) return program;
  if (!program.redirect_uris.some((named) => redirectFits(named, redirect_uri)))
    return { is: 'unknown', why: ELSEWHERE };
  const { base_url } = ctx.settings;
  const told = { state: stateIn(query), iss: base_url };
  const answerTo = (answer: Readonly<Record<string, string>>): string => answerAt(redirect_uri, { ...answer, ...told });
  const asked = askedIn(query, base_url);
  if ('error' in asked) {
    const answer = placeOf(redirect_uri);
    return { is: 'refused', why: asked.error_description, answer, redirect_to: answerTo({ ...asked }) };
  }
  return { is: 'open', program, redirect_uri, asked, answerTo };
}
