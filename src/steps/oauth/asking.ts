// Reads what a program asks a person for, from the address by which a browser came to the consent page. Until the program is known and
// the place of the answer is one of its own, the person is told what is wrong and is sent nowhere.

import type { FlowCtx } from '../../contract/context.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { type Fault, isFault } from '../../domain/fault.ts';
import { type Asked, addressedIn, askedIn, stateIn } from '../../domain/identity/authorization.ts';
import type { Program } from '../../domain/identity/client.ts';
import { answerAt, placeOf, redirectFits } from '../../domain/identity/redirect-uri.ts';
import { programOf } from './program.ts';

const ELSEWHERE =
  'The link would send your answer to an address that is not one of the program’s own. Nothing was sent there.';

/** A request of a program that may be put to a person. */
export interface OpenAsking {
  readonly is: 'open';
  readonly program: Program;
  readonly redirect_uri: string;
  readonly asked: Asked;
  /** Where the browser goes with an answer: to the program, which is told who answers (RFC 9207). */
  answerTo(answer: Readonly<Record<string, string>>): string;
}

/** A request, or how it ends before anybody is asked: in front of the person, or at the program. */
export type Asking =
  | OpenAsking
  | { readonly is: 'unknown'; readonly why: string }
  | {
      readonly is: 'refused';
      readonly why: string;
      readonly answer: ReturnType<typeof placeOf>;
      readonly redirect_to: string;
    };

/** Reads the query string of a request. */
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
