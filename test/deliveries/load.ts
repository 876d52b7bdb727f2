// Many deliveries through receivers as the internet has them, at a steady pace: some agents' receivers are well, others
// refuse, break off, hang, drip, never end or show a wrong certificate. What each of them got, and how late.
import { performance } from 'node:perf_hooks';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { AUTHORITY, OTHER } from '../support/authority.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { idsOf } from './ids.ts';

/** How receivers behave, and whether ten events are enough to show it: those that hold a delivery for ten seconds. */
const KINDS = ['301', '410', '500', 'reset', 'huge', 'wrong-certificate'] as const;
const SLOW = ['hang', 'drip-head'] as const;

export interface Size {
  /** Agents whose receivers are well. */
  readonly well: number;
  /** Events to each of these, to each troubled one, and to each that holds a delivery for ten seconds. */
  readonly events: number;
  readonly troubled_events: number;
  readonly slow_events: number;
  /** Events a second, all together. */
  readonly per_second: number;
}

/** What came of one agent's events. */
export interface Ended {
  readonly kind: string;
  /** Ids of its events, as they were pulled, streamed and delivered, each in its order. */
  readonly pulled: readonly string[];
  readonly streamed: readonly string[];
  readonly delivered: readonly string[];
  readonly active: boolean;
  readonly failure_count: number;
  /** From the answer of whoever caused an event to its arrival, in milliseconds. */
  readonly delays_ms: readonly number[];
}

export interface Outcome {
  readonly events: number;
  /** Until the last event was told, and until nothing was left to deliver. */
  readonly told_ms: number;
  readonly drained_ms: number;
  readonly ended: readonly Ended[];
}

interface Subject {
  readonly kind: string;
  readonly agent: TestAgent;
  readonly hook_id: string;
  readonly path: string;
  readonly streamed: readonly string[];
  readonly events: number;
  readonly sent: Map<string, number>;
}

async function subject(t: TestService, kind: string, name: string, port: number, events: number): Promise<Subject> {
  const agent = await newAgent(t, { handle: name });
  const path = `/${/^\d/.test(kind) || kind === 'wrong-certificate' ? kind.slice(0, 3) : kind}/${name}`;
  const host = `${name.replaceAll('_', '-')}.receivers.example`;
  t.zone.setAddresses(host, ['127.0.0.1']);
  const body = { url: `https://${host}:${port}${path}`, events: ['test.ping'] };
  const made = await t.call('POST', '/api/developer/webhooks', { key: agent.key, body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const request = new Request('http://localhost/api/inbox/stream', { headers: { 'X-API-Key': agent.key } });
  const streamed = idsOf(await t.fetch(request), 'test.ping');
  return { kind, agent, hook_id: made.body.id, path, streamed, events, sent: new Map() };
}

/** Tells everybody's events in turn, so many a second, whatever becomes of them. */
async function tell(t: TestService, subjects: readonly Subject[], per_second: number): Promise<void> {
  const most = Math.max(...subjects.map(({ events }) => events));
  const plan = Array.from({ length: most }, (_, n) => subjects.filter(({ events }) => n < events)).flat();
  const calls: Promise<void>[] = [];
  const started_ms = performance.now();
  for (const [n, { agent, sent }] of plan.entries()) {
    const wait_ms = started_ms + (n * 1_000) / per_second - performance.now();
    if (wait_ms > 1) await Bun.sleep(wait_ms);
    const told = async (): Promise<void> => {
      const { status, body } = await t.call('POST', '/api/inbox/test', { key: agent.key });
      if (status !== 201) throw new Error(JSON.stringify(body));
      sent.set(body.id, performance.now());
    };
    calls.push(told());
  }
  await Promise.all(calls);
}

async function pulled(t: TestService, key: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const { body } = await t.call('GET', `/api/inbox?after=${after}&limit=100`, { key });
    for (const { id, kind } of body.events) if (kind === 'test.ping') ids.push(id);
    after = body.cursor;
    if (!body.has_more) return ids;
  }
}

async function ended(t: TestService, receiver: Receiver, subject: Subject): Promise<Ended> {
  const { kind, agent, hook_id, path, streamed, sent } = subject;
  const came = receiver.received.filter((one) => one.path === path);
  const first = new Map<string, number>();
  for (const { headers, at_ms } of came) {
    const id = String(headers['webhook-id']);
    if (!first.has(id)) first.set(id, at_ms);
  }
  const { active, failure_count } = (await t.call('GET', `/api/developer/webhooks/${hook_id}`, { key: agent.key }))
    .body;
  return {
    kind,
    pulled: await pulled(t, agent.key),
    streamed,
    delivered: [...first.keys()],
    active,
    failure_count,
    delays_ms: [...first].map(([id, at_ms]) => Math.max(0, at_ms - (sent.get(id) ?? Number.NaN))),
  };
}

/** Runs a load of that size on a service of its own; whoever runs it judges the outcome. */
export async function deliver(size: Size): Promise<Outcome> {
  const [receiver, wrong] = await Promise.all([startReceiver(), startReceiver(OTHER)]);
  const names = [
    ...Array.from({ length: size.well }, (_, n) => [n % 4 === 3 ? '204' : '200', `well_${n}`, size.events] as const),
    ...KINDS.map((kind) => [kind, `to_${kind.replaceAll('-', '_')}`, size.troubled_events] as const),
    ...SLOW.map((kind) => [kind, `to_${kind.replaceAll('-', '_')}`, size.slow_events] as const),
  ];
  const allow = names.flatMap(([, name]) =>
    [receiver, wrong].map(({ port }) => ({ host: `${name.replaceAll('_', '-')}.receivers.example`, port })),
  );
  const t = await openTestService({}, 'memory', { outside: { allow, ca: AUTHORITY } });
  try {
    await t.service.delivery.start();
    const subjects: Subject[] = [];
    for (const [kind, name, events] of names) {
      const { port } = kind === 'wrong-certificate' ? wrong : receiver;
      subjects.push(await subject(t, kind, name, port, events));
    }
    await t.service.delivery.idle();
    const started_ms = performance.now();
    await tell(t, subjects, size.per_second);
    const told_ms = performance.now() - started_ms;
    await t.service.delivery.idle();
    const drained_ms = performance.now() - started_ms;
    const all = await Promise.all(subjects.map((one) => ended(t, receiver, one)));
    return { events: subjects.reduce((sum, { events }) => sum + events, 0), told_ms, drained_ms, ended: all };
  } finally {
    await t.close();
    await Promise.all([receiver.close(), wrong.close()]);
  }
}
