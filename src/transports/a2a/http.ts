// A2A over HTTP and JSON, under an agent's own address: 1.0 (A2A 1.0, 11), and behind `v1/` 0.3. Refusals have the statuses of
// HTTP and the bodies of the binding.
import { type Fault, fault } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import { Unreadable } from '../../pipeline/call.ts';
import { INPUT_MAX } from '../../pipeline/input-limits.ts';
import { readBody } from '../body.ts';
import { openStream } from '../sse.ts';
import type { WriteEvent } from './asking.ts';
import type { Version } from './dialect.ts';
import { type A2aDoor, challenge, enter, retryHeader, runKnown, type Visitor, versionOf, visitorOf } from './door.ts';
import { httpErrorBody, type Problem, tell } from './errors.ts';
import { httpMatch } from './methods.ts';

const A2A_TYPE = 'application/a2a+json';

function respond(visitor: Visitor, body: unknown, status: number, headers: Readonly<Record<string, string>>): Response {
  // Programs of 0.3, and people, ask for plain JSON.
  const type = visitor.request.headers.get('accept')?.includes(A2A_TYPE) ? A2A_TYPE : 'application/json';
  const shared = { 'Content-Type': type, 'X-Request-Id': visitor.request_id, 'Cache-Control': 'no-store' };
  return new Response(JSON.stringify(body), { status, headers: { ...shared, ...headers } });
}

function refuse(
  visitor: Visitor,
  wrong: Problem,
  version: Version,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { door, request_id } = visitor;
  const told = tell(wrong, version, { addresses: door.addresses, request_id });
  const body = httpErrorBody(told, wrong.error, version);
  return respond(visitor, body, told.status, { ...challenge(visitor, wrong), ...retryHeader(wrong), ...headers });
}

/** Fields of a query that are no text (A2A 1.0, 11.5). */
const NUMBERS: ReadonlySet<string> = new Set(['historyLength', 'pageSize']);
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

function queryOf({ url }: Request): Json {
  const fields: Record<string, unknown> = {};
  if (!url.includes('?')) return fields;
  for (const [name, text] of new URL(url).searchParams) {
    if (NUMBERS.has(name)) fields[name] = /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    else fields[name] = name === 'includeArtifacts' ? (FLAGS[text] ?? text) : text;
  }
  return fields;
}

/** The parameters of a call, or why they cannot be read. Which of the two it is stands outside of what the caller sent, who may
 * name fields as a refusal does. */
type Read = ({ readonly params: Json } | { readonly unread: Fault }) & { readonly bytes: number };

async function paramsOf(request: Request): Promise<Read> {
  if (request.method !== 'POST') return { params: queryOf(request), bytes: 0 };
  const { input, bytes } = await readBody(request, INPUT_MAX);
  if (bytes > INPUT_MAX) return { unread: fault('payload_too_large', undefined, { limit_bytes: INPUT_MAX }), bytes };
  return input instanceof Unreadable ? { unread: input.refusal, bytes } : { params: input, bytes };
}

const writeEvent: WriteEvent = (result, n) => `id: ${n}\ndata: ${JSON.stringify(result)}\n\n`;

/** Answers a request at `path` under the address of the agent `target`. */
export async function answerHttp(door: A2aDoor, request: Request, target: string, path: string): Promise<Response> {
  const visitor = visitorOf(door, request, target);
  const match = httpMatch(request.method, path);
  if (!match || !('known' in match)) {
    const slow = await enter(visitor, 'none', false);
    if (slow) return refuse(visitor, slow, '1.0');
    if (!match) return refuse(visitor, { refusal: fault('not_found', 'There is no such path.'), error: null }, '1.0');
    const allow = match.allow.join(', ');
    const refusal = fault('method_not_allowed', `This path takes ${allow}.`);
    return refuse(visitor, { refusal, error: null }, match.version, { Allow: allow });
  }
  const { known } = match;
  const { version } = known.reads;
  const named = versionOf(request);
  if (named !== null && typeof named !== 'string') {
    return refuse(visitor, (await enter(visitor, 'none', false)) ?? named, version);
  }
  const read = await paramsOf(request);
  if ('unread' in read) {
    const unread = { refusal: read.unread, error: null };
    return refuse(visitor, (await enter(visitor, 'none', true)) ?? unread, version);
  }
  const performed = await runKnown(visitor, known, { ...read.params, ...match.params }, read.bytes);
  if ('problem' in performed) return refuse(visitor, performed.problem, version);
  if ('result' in performed) return respond(visitor, performed.result, 200, {});
  door.prepareStream(request);
  return openStream(
    request,
    (sink) => {
      if (sink.write(writeEvent(performed.opening, performed.n))) performed.start(sink, writeEvent);
    },
    { 'X-Request-Id': visitor.request_id },
  );
}
