// Sends spans of requests and pushes to an OpenTelemetry collector (OTLP over HTTP, as JSON). Requests never wait for it: spans are queued
// up to a limit, sent in batches, and dropped when the collector is down or slow. The operator sets its address.
import { randomBytes } from 'node:crypto';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { parentOf } from '../domain/trace.ts';
import type { Log } from '../log.ts';

// The defaults of OpenTelemetry's batch processor.
const QUEUE_MAX = 2_048;
const BATCH = 512;
const WAIT_MS = 5_000;
/** For one batch, by the wall clock. */
const DEADLINE_MS = 10_000;
/** The same during a stop. */
const LAST_MS = 1_000;

const KINDS = { server: 2, client: 3 } as const;
const FAILED = 2;

/** A span, which ends when it is noted. */
export interface Span {
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  /** Its trace, in the form of domain/trace.ts; null begins one. */
  readonly trace: string | null;
  /** Its id, 16 hexadecimal digits, if it was sent to the other side; random by default. */
  readonly id?: string;
  readonly took_ms: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number | null>>;
}

export interface Tracer {
  /** Spans that the collector accepted, and dropped spans. */
  readonly sent: number;
  readonly dropped: number;
  note(span: Span): void;
  /** Sends the remaining spans, for a second at most. */
  stop(): Promise<void>;
}

type Noted = Span & { readonly end_ms: number };

const attribute = ([key, value]: readonly [string, string | number]): object => ({
  key,
  value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
});

/** Nanoseconds as text, because they exceed exact numbers. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`;

function spanJson({ name, kind, trace, id, took_ms, failed, attributes, end_ms }: Noted): object {
  const parent = trace === null ? null : parentOf(trace);
  const told = Object.entries(attributes).flatMap(([key, value]) => (value === null ? [] : [attribute([key, value])]));
  return {
    traceId: parent?.trace_id ?? randomBytes(16).toString('hex'),
    spanId: id ?? randomBytes(8).toString('hex'),
    ...(parent && { parentSpanId: parent.span_id }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(end_ms - took_ms),
    endTimeUnixNano: nanoseconds(end_ms),
    attributes: told,
    ...(failed && { status: { code: FAILED } }),
  };
}

interface Collector {
  /** The collector's address. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service_name: string;
}

class OtlpTracer implements Tracer {
  readonly #collector: Collector;
  readonly #log: Pick<Log, 'warn'>;
  readonly #queue: Noted[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #sending: Promise<void> | null = null;
  #heard = true;
  sent = 0;
  dropped = 0;

  constructor(collector: Collector, log: Pick<Log, 'warn'>) {
    this.#collector = collector;
    this.#log = log;
  }

  note(span: Span): void {
    // The caller's sampled flag decides.
    if (span.trace !== null && !parentOf(span.trace).sampled) return;
    if (this.#queue.length >= QUEUE_MAX) {
      this.dropped += 1;
      return;
    }
    this.#queue.push({ ...span, end_ms: Date.now() });
    this.#timer ??= setTimeout(() => void this.#send(), WAIT_MS).unref();
    if (this.#queue.length >= BATCH) void this.#send();
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, BATCH);
      const taken = await this.#post(batch);
      if (taken) this.sent += batch.length;
      else this.dropped += batch.length;
      if (!taken && this.#heard) this.#log.warn('the collector of traces does not take them: they are dropped');
      this.#heard = taken;
    }
  }

  async #post(batch: readonly Noted[]): Promise<boolean> {
    const { url, headers, service_name } = this.#collector;
    const resource = { 'service.name': service_name, 'service.version': manifest.version };
    const scope = { name: 'meshwork', version: manifest.version };
    const scopeSpans = [{ scope, spans: batch.map(spanJson) }];
    const resourceSpans = [{ resource: { attributes: Object.entries(resource).map(attribute) }, scopeSpans }];
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ resourceSpans }),
        redirect: 'manual',
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      // All failures count alike.
      return false;
    }
  }

  async stop(): Promise<void> {
    await Promise.race([this.#send(), Bun.sleep(LAST_MS)]);
  }
}

/** The tracer of the settings; null when no collector is configured. */
export function openTracer(
  { otelEndpoint, otelHeaders = [], otelServiceName }: Pick<Config, 'otelEndpoint' | 'otelHeaders' | 'otelServiceName'>,
  log: Pick<Log, 'warn'>,
): Tracer | null {
  if (otelEndpoint === undefined) return null;
  const collector = {
    url: `${otelEndpoint}/v1/traces`,
    headers: Object.fromEntries(otelHeaders),
    service_name: otelServiceName,
  };
  return new OtlpTracer(collector, log);
}
