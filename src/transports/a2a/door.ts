// Shared by both A2A bindings: the caller and version of a request, the admission of calls that run no operation, and the
// authentication challenge of a refusal over HTTP (Q97).
import { FAULTS, fault } from '../../domain/fault.ts';
import { agentResource, RESOURCES } from '../../domain/identity/resource.ts';
import type { Json } from '../../domain/json.ts';
import type { Refused } from '../../pipeline/call.ts';
import { senderOf } from '../caller.ts';
import { challengeOf, retryHeaders, showsCredential } from '../wire.ts';
import { type A2aPorts, type Asking, type Performed, perform } from './calls.ts';
import type { Version } from './dialect.ts';
import { type Problem, problem } from './errors.ts';
import type { Known } from './methods.ts';

/** The listener's ports for A2A, besides the service. */
export interface A2aDoor extends A2aPorts {
  readonly ip: (request: Request) => string;
  readonly prepareStream: (request: Request) => void;
}

/** One request with its origin, the agent of its address, and its size. */
export interface Visitor {
  readonly door: A2aDoor;
  readonly request: Request;
  /** The agent of the request's address; null at the shared address. */
  readonly target: string | null;
  readonly request_id: string;
  readonly started_ms: number;
}

export function visitorOf(door: A2aDoor, request: Request, target: string | null): Visitor {
  return { door, request, target, request_id: Bun.randomUUIDv7(), started_ms: performance.now() };
}

/** The supported versions, as `Major.Minor`. The protocol takes an absent version for 0.3; here the call decides then. */
const VERSIONS: readonly Version[] = ['0.2', '0.3', '1.0'];
const VERSION_SHAPE = /^(\d{1,3}\.\d{1,3})(?:\.\d{1,6})?$/;

/** The version named by a request (A2A 1.0, 3.6), in a header or in the query. */
export function versionOf({ headers, url }: Request): Version | null | Problem {
  const named = headers.get('a2a-version') ?? (url.includes('?') ? new URL(url).searchParams.get('A2A-Version') : '');
  const text = named?.trim() ?? '';
  if (text === '') return null;
  // Patch numbers are ignored.
  const [, numbers = text] = VERSION_SHAPE.exec(text) ?? [];
  const version = VERSIONS.find((spoken) => spoken === numbers);
  if (version) return version;
  const message = `This version is not spoken; A2A-Version is one of ${VERSIONS.join(', ')}.`;
  return problem('VERSION_NOT_SUPPORTED', message, { supported: VERSIONS });
}

/** Admits a call that runs no operation, counted to the rate, or returns the refusal. A needed credential is checked first, so
 * that an unauthenticated caller does not learn what else is wrong with the call. */
export async function enter(visitor: Visitor, what: string, needs_credential: boolean): Promise<Problem | null> {
  const { door, request, request_id, started_ms } = visitor;
  const sender = senderOf(request, door.ip);
  const caller = await door.pipeline.enter({ ...sender, request_id, what });
  const refusal = refusalOf(caller, needs_credential);
  door.observe('a2a', what, refusal ? FAULTS[refusal.fault].status : 200, started_ms, sender.origin);
  return refusal && { refusal, error: null };
}

function refusalOf(caller: Awaited<ReturnType<A2aDoor['pipeline']['enter']>> | Refused, needs_credential: boolean) {
  if ('refusal' in caller) {
    // A call that needs no credential also passes with an invalid one.
    return caller.refusal.fault === 'unauthorized' && !needs_credential ? null : caller.refusal;
  }
  return needs_credential && caller.principal.kind === 'none' ? fault('unauthorized') : null;
}

/** Runs a known call: its parameters are read in its dialect, and its result is written in the answer's dialect. */
export async function runKnown(
  visitor: Visitor,
  { does, reads, answers }: Known,
  params: Json,
  bytes: number,
): Promise<Performed> {
  const { door, request, target, request_id, started_ms } = visitor;
  const read = reads.reads[does];
  if (!read) throw new Error(`${does} is in the table for a dialect that does not read it`);
  const asked = read(params, target);
  if ('fault' in asked) {
    const barred = await enter(visitor, 'none', !OPEN.has(does));
    return { problem: barred ?? { refusal: asked, error: null } };
  }
  const acting = request.headers.get('x-agent-handle');
  const from = { ...senderOf(request, door.ip), acting, request_id, bytes };
  const asking: Asking = {
    ports: door,
    request,
    from,
    started_ms,
    enter: (what, needs_credential) => enter(visitor, what, needs_credential),
    does,
    dialect: answers,
  };
  return perform(asking, asked);
}

/** The calls without a credential (interface.md, Agent-to-agent JSON-RPC). */
const OPEN: ReadonlySet<Known['does']> = new Set(['initialize', 'discover', 'ping']);

const HANDLE = /^[a-z0-9_]{3,30}$/;

/** The authentication challenge for the requested address. */
export function challenge({ door, request, target }: Visitor, { refusal }: Problem): Readonly<Record<string, string>> {
  const resource = target === null ? RESOURCES.agents : HANDLE.test(target) ? agentResource(target) : RESOURCES.service;
  const { credential } = senderOf(request, door.ip);
  return challengeOf(refusal, { base_url: door.base_url, resource, shown: showsCredential(credential) });
}

/** The Retry-After of a refusal, if any. */
export function retryHeader({ refusal }: Problem): Readonly<Record<string, string>> {
  return retryHeaders(refusal);
}
