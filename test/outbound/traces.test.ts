// Traces reach a collector of OpenTelemetry as it expects them, and nothing waits for one that is slow or away.
import { expect, test } from 'bun:test';
import { openTracer, type Span } from '../../src/outbound/traces.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON came.
type Json = any;

interface Taken {
  readonly path: string;
  readonly headers: Headers;
  readonly body: Json;
}

/** A collector on loopback that takes everything, or hangs until it is closed. */
function collector(hangs = false) {
  const taken: Taken[] = [];
  const held = Promise.withResolvers<Response>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      taken.push({ path, headers: request.headers, body: await request.json() });
      return hangs ? held.promise : Response.json({ partialSuccess: {} });
    },
  });
  const close = async (): Promise<void> => {
    held.resolve(new Response());
    await server.stop(true);
  };
  return { url: `http://127.0.0.1:${server.port}`, taken, close };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SPAN: Span = { name: 'x', kind: 'server', trace: null, took_ms: 2, failed: false, attributes: { n: 1 } };

const tracerOf = (url: string, warn: (sentence: string) => void = () => {}) => {
  const tracer = openTracer({ otelEndpoint: url, otelHeaders: undefined, otelServiceName: 'meshwork' }, { warn });
  if (!tracer) throw new Error('no tracer');
  return tracer;
};

test('each request is a span of its own: operation, door, status, time, and the trace that its sender named', async () => {
  const { url, taken, close } = collector();
  const server = await startTestServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20hush,x-team=one',
    OTEL_SERVICE_NAME: 'mesh-one',
  });
  const before = Date.now();
  const get = (flags: string) =>
    fetch(`${server.url}/api/registry`, { headers: { traceparent: `00-${TRACE}-${PARENT}-${flags}` } });
  await get('01');
  // Of a trace that its sender does not collect nothing is.
  await get('00');
  await fetch(`${server.url}/api/billing/limits`);
  await server.stop();
  const spans: Json[] = taken.flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans);
  expect(spans.map(({ name }) => name)).toEqual(['agent.registry', 'billing.limits']);
  const [asked, refused] = spans;
  expect([asked.traceId, asked.parentSpanId, asked.kind]).toEqual([TRACE, PARENT, 2]);
  expect(asked.attributes).toEqual([
    { key: 'meshwork.door', value: { stringValue: 'rest' } },
    { key: 'http.response.status_code', value: { intValue: '200' } },
  ]);
  expect(refused.attributes[1].value).toEqual({ intValue: '401' });
  expect([refused.parentSpanId, refused.traceId.length, refused.spanId.length]).toEqual([undefined, 32, 16]);
  const [from, to] = [asked.startTimeUnixNano, asked.endTimeUnixNano].map(BigInt) as [bigint, bigint];
  expect(from < to && to - from < 10_000_000_000n && from >= BigInt(before - 1_000) * 1_000_000n).toBe(true);
  const [{ path, headers, body }] = taken as [Taken];
  expect([path, headers.get('authorization'), headers.get('x-team')]).toEqual(['/v1/traces', 'Bearer hush', 'one']);
  const [named] = body.resourceSpans[0].resource.attributes;
  expect(named).toEqual({ key: 'service.name', value: { stringValue: 'mesh-one' } });
  await close();
});

test('a collector that hangs holds nobody up: the queue is bounded, and the end waits a second at most', async () => {
  const { url, taken, close } = collector(true);
  const tracer = tracerOf(url);
  for (let n = 0; n < 512; n++) tracer.note(SPAN);
  await until(() => taken.length === 1);
  for (let n = 0; n < 3_000; n++) tracer.note(SPAN);
  expect([tracer.sent, tracer.dropped]).toEqual([0, 3_000 - 2_048]);
  const began = performance.now();
  await tracer.stop();
  expect(performance.now() - began).toBeLessThan(3_000);
  await close();
});

test('a collector that is away costs the spans, and one line of the log', async () => {
  const { url, close } = collector();
  await close();
  const told: string[] = [];
  const tracer = tracerOf(url, (sentence) => told.push(sentence));
  for (let n = 0; n < 1_000; n++) tracer.note(SPAN);
  await tracer.stop();
  expect([tracer.sent, tracer.dropped, told.length]).toEqual([0, 1_000, 1]);
});

test('without a collector there is no tracer', () => {
  expect(
    openTracer({ otelEndpoint: undefined, otelHeaders: undefined, otelServiceName: 'x' }, { warn: () => {} }),
  ).toBe(null);
});
