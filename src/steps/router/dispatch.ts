// One dispatch to a provider: signed, fifteen seconds, no redirect, sent once. Returns a verdict; stores nothing.

import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { ATTEMPT_MS } from '../../domain/router/call.ts';
import { judge, RESULT_BYTES_MAX, type Verdict } from '../../domain/router/verdict.ts';
import type { SafeAnswer } from '../../outbound/safe-http/safe-http.ts';
import { open, seal } from '../../outbound/seal.ts';
import { dispatchHeaders, PROVIDER_SECRET_BYTES, providerSecret } from '../../outbound/signature.ts';

/** Connections to one provider's address at a time. */
const SOCKETS = 64;

/** Where a provider's secret is kept, for `seal`: bound to its row, so that it opens nowhere else. */
const secretContext = (provider_id: string): string => `provider:${provider_id}`;

/** A new secret for a provider, in clear and as it is kept. */
export function newProviderSecret(ctx: Ctx, provider_id: string): { signing_secret: string; sealed: string } {
  const signing_secret = providerSecret(ctx.random(PROVIDER_SECRET_BYTES));
  return { signing_secret, sealed: seal(ctx.secrets.seal_key, signing_secret, secretContext(provider_id)) };
}

/** The body of a dispatch; the payload is passed on unchanged. */
export function dispatchBody(capability: string, payload: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ capability, payload });
}

export interface Dispatch {
  readonly call_id: string;
  readonly body: string;
  readonly test: boolean;
  /** The call's remaining time. */
  readonly deadline_ms: number;
}

/** The result. `of_provider` is false when it is not the provider's doing: it was never sent, or was aborted here. */
export interface Attempted {
  readonly verdict: Verdict;
  readonly latency_ms: number;
  readonly of_provider: boolean;
  /** Whether the provider may have got the call. */
  readonly may_have_arrived: boolean;
}

function ofOurs(reason: 'busy' | 'stopped', message: string): Attempted {
  const verdict = { served: false as const, reason, message, http_status: null };
  return { verdict, latency_ms: 0, of_provider: false, may_have_arrived: reason !== 'busy' };
}

export async function dispatch(
  { http, dispatches, clock }: Pick<FlowPorts, 'http' | 'dispatches' | 'clock'>,
  { secrets }: Pick<Ctx, 'secrets'>,
  provider: Pick<Row<'providers'>, 'id' | 'endpoint_url' | 'secret'>,
  { call_id, body, test, deadline_ms }: Dispatch,
): Promise<Attempted> {
  const secret = open(secrets.seal_key, provider.secret, secretContext(provider.id));
  if (secret === null) throw new Error(`the secret of provider ${provider.id} does not open`);
  const host = URL.parse(provider.endpoint_url)?.host ?? '';
  let has_begun = false;
  const work = (gone: AbortSignal): Promise<SafeAnswer> => {
    has_begun = true;
    return http.request({
      method: 'POST',
      url: provider.endpoint_url,
      headers: dispatchHeaders(secret, { call_id, body, at_ms: clock.now(), test }),
      body,
      deadline_ms: Math.min(ATTEMPT_MS, deadline_ms),
      bytes_max: RESULT_BYTES_MAX,
      sockets: SOCKETS,
      once: true,
      signal: gone,
    });
  };
  // The wait for a slot is part of the call's time, and not of the provider's.
  const answer = await dispatches.call({ hosts: [host], deadline_ms, work });
  if (answer) {
    const may_have_arrived = answer.ok || !answer.unsent;
    return { verdict: judge(answer), latency_ms: Math.round(answer.took_ms), of_provider: true, may_have_arrived };
  }
  if (has_begun) return ofOurs('stopped', 'The call was interrupted here.');
  return ofOurs('busy', 'The limit of concurrent calls to one host was reached.');
}
