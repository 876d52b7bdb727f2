// Where the CPU time of a durable message goes, stage by stage, beside a budget: what each stage took when it was last looked
// through, on a machine whose echo costs ECHO_US. On another machine the budget moves with the echo of the same run.
import { type Child, serve } from './children.ts';
import type { Bench, Row } from './job.ts';
import { load, type Requests, requestBytes, type Sample } from './load.ts';
import { atRest } from './rest.ts';
import { figure, measure } from './rounds.ts';
import { type Spent, STAGES } from './stage-watch.ts';
import { median } from './statistics.ts';
import { fromAll, type Talk } from './talks.ts';

const CONNECTIONS = 64;
const WARM_UP = 10_000;
const ECHO_US = 8;
/** In microseconds, of the whole process for requests, of the main thread for stages. */
const BUDGET_US = {
  'GET /healthz': 11,
  'GET with a key': 27,
  reads: 12,
  credential: 3,
  effects: 22,
  'kept reply': 5,
  COMMIT: 14,
  'after the commit': 15,
  'rest of the main thread': 61,
  'other threads': 18,
  'whole process': 150,
} as const;
type Part = keyof typeof BUDGET_US;

/** What is added to a number for each request that was sent. */
function counted(requests: Requests): { readonly requests: Requests; readonly sent: () => number } {
  let sent = 0;
  return {
    requests: () => {
      sent += 1;
      return requests();
    },
    sent: () => sent,
  };
}

async function spentBy(server: Child): Promise<Spent> {
  const answer = await server.ask({ ask: 'spent' });
  if (answer.told !== 'done' || !answer.spent) throw new Error('the server did not tell where its time went');
  return answer.spent;
}

/** One window of messages: microseconds of each stage, per message. */
async function round(server: Child, requests: Requests, window_ms: number): Promise<Record<Part, number>> {
  const count = counted(requests);
  await spentBy(server);
  const { cpu_us } = await load(server, CONNECTIONS, window_ms, count.requests);
  const spent = await spentBy(server);
  const each = (us: number): number => us / count.sent();
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, each(spent[stage])]));
  const rest = spent['main thread'] - STAGES.reduce((sum, stage) => sum + spent[stage], 0);
  const threads = { 'other threads': cpu_us - each(spent['main thread']), 'whole process': cpu_us };
  return { ...stages, 'rest of the main thread': each(rest), ...threads } as Record<Part, number>;
}

function row(part: Part, us: number, echo_us: number): Row {
  const budget = (BUDGET_US[part] * echo_us) / ECHO_US;
  const target = `budget ${budget.toFixed(1)} µs`;
  return { job: `message: ${part}`, ours: `${us.toFixed(1)} µs`, cpu_us: us, target, met: us <= budget };
}

/** The rows of the stages; the server is one of its own, since to look costs time too (some 5 µs a message). */
export async function stageRows(
  bench: Bench,
  { data_dir, echo, env, talks }: StageRun,
  begin: (server: Child) => Promise<void>,
): Promise<Row[]> {
  const server = await serve(bench, './mesh-server.ts', { ...env, DATA_DIR: data_dir, BENCH_TELLS: 'stages' });
  await begin(server);
  const requests = fromAll(talks);
  bench.progress(0, 'stages');
  await load(server, CONNECTIONS, 0, requests, WARM_UP);
  await atRest(server);
  const key = talks[0]?.sides[0].key ?? '';
  const asked = (path: string, headers: Record<string, string> = {}): Requests => {
    const bytes = requestBytes('GET', path, headers);
    return () => bytes;
  };
  const reads = await measure(
    { ...bench, progress: () => {} },
    {
      echo: { target: echo, connections: CONNECTIONS, requests: fromAll(talks) },
      'GET /healthz': { target: server, connections: CONNECTIONS, requests: asked('/healthz') },
      'GET with a key': {
        target: server,
        connections: CONNECTIONS,
        requests: asked('/api/blocks', { 'X-API-Key': key }),
      },
    },
  );
  const rounds: Record<Part, number>[] = [];
  for (let i = 0; i < bench.effort.rounds; i++) rounds.push(await round(server, requests, bench.effort.window_ms));
  const of = (name: 'echo' | 'GET /healthz' | 'GET with a key'): number =>
    figure(reads[name] satisfies readonly Sample[], 'cpu_us');
  const parts = Object.keys(BUDGET_US) as Part[];
  return parts.map((part) => {
    const us = part in reads ? of(part as 'GET /healthz') : median(rounds.map((figures) => figures[part]));
    return row(part, us, of('echo'));
  });
}

export interface StageRun {
  readonly data_dir: string;
  readonly echo: Child;
  readonly env: Readonly<Record<string, string>>;
  readonly talks: readonly Talk[];
}
