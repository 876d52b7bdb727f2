// What a step of the simulation may be: one call (perhaps repeated under its Idempotency-Key), a burst of calls at once,
// time that passes, or the service closed and opened again.
import { DAY_MS, SECOND_MS } from '../../src/domain/time.ts';
import { registry } from '../../src/operations/registry.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { withToolDoors } from '../support/tools.ts';
import { actionsFor, BEGINNING, OFTEN, THEN, withWhatLeadsTo } from './actions/actions.ts';
import { type Call, callOf } from './call.ts';
import type { History } from './check/history.ts';
import { readings } from './check/wire.ts';
import { contest } from './contest.ts';
import { must } from './failure.ts';
import { isKept, perform, told } from './perform.ts';
import type { Person } from './person.ts';
import type { Action } from './planned.ts';
import type { Sim } from './sim.ts';

/** Passed by everything that reads at most a second old. */
const SETTLED_MS = 2_000;

/** After these the same credential is another caller, or none. */
const ENDS_ITS_CALLER: ReadonlySet<string> = new Set([
  'agent.deactivate',
  'agent.rename',
  'account.delete',
  'account.end_session',
  'account.revoke_all',
]);

/** How often each operation was called, and how often it did what was asked. */
export type Tally = Map<string, { calls: number; good: number }>;

export class Steps {
  readonly #sim: Sim;
  readonly #history: History;
  readonly #begun = new Map<Person, number>();
  readonly tally: Tally = new Map();
  readonly #bursts: boolean;
  readonly #actions: Readonly<Record<string, Action>>;
  readonly #wanted: readonly string[];
  #keys = 0;

  /** `bursts` lets calls run side by side, in whatever order the machine ends them; operations that are `wanted` are tried more
   * often than others. */
  constructor(sim: Sim, history: History, bursts: boolean, wanted: readonly string[]) {
    this.#bursts = bursts;
    this.#sim = sim;
    this.#history = history;
    this.#actions = actionsFor(withToolDoors(registry()));
    this.#wanted = withWhatLeadsTo(wanted).filter((name) => name in this.#actions);
  }

  async one(): Promise<void> {
    const { choose } = this.#sim;
    const die = choose.below(100);
    if (die < 9) await this.#time();
    else if (die < 11) await this.#sim.settle();
    else if (die < 13) await this.#sim.t.service.flush();
    else if (die < 28 && this.#bursts) await this.#burst();
    else await this.#single();
    if (choose.chance(0.3)) this.#sim.release();
    await this.#sim.quiet();
  }

  async #time(): Promise<void> {
    const { choose } = this.#sim;
    const span = choose.pick([600 * SECOND_MS, 3_600 * SECOND_MS, DAY_MS / 2, 3 * DAY_MS, choose.below(40) * DAY_MS]);
    // Codes and sessions live for minutes, so beginners are given theirs.
    const ms = this.#begins() || choose.chance(0.6) ? choose.below(90) * SECOND_MS : span;
    this.#sim.trace.note(`time passes: ${ms} ms`);
    await this.#sim.t.advance(ms);
    await this.#sim.t.service.dispatcher.redrive();
  }

  /** Whether most people are still on their way to a first listing. */
  #begins(): boolean {
    const done = [...this.#begun.values()].filter((at) => at >= BEGINNING.length).length;
    return done < this.#sim.people.length / 2;
  }

  /** What the person does next: what it intends, its beginning, or anything. */
  #plan(person: Person): Call | null {
    const { choose, operations } = this.#sim;
    const actions = this.#actions;
    const begun = this.#begun.get(person) ?? 0;
    const next = choose.chance(0.9) ? BEGINNING[begun] : undefined;
    const meant = next === undefined && choose.chance(0.7) ? person.intends.shift() : undefined;
    const wanted = this.#wanted.length > 0 && choose.chance(0.7);
    const often = wanted ? this.#wanted : OFTEN;
    const any = wanted || choose.chance(0.5) ? choose.pick(often) : choose.pick(Object.keys(actions));
    const name = next ?? meant ?? any;
    const operation = operations.find((each) => each.name === name);
    const action = actions[name];
    if (!operation || !action) throw new Error(`no operation is named ${name}`);
    const planned = action(this.#sim, person);
    if (planned) return callOf(this.#sim, operation, person, planned, (next ?? meant) === undefined ? undefined : 0);
    // Without what it takes (a letter that never came), the person goes back a step.
    if (next !== undefined) this.#begun.set(person, Math.max(0, begun - 1));
    return null;
  }

  #someCall(): Call {
    for (;;) {
      const call = this.#plan(this.#sim.choose.pick(this.#sim.people));
      if (call) return call;
    }
  }

  #heard(call: Call, answer: TestAnswer): void {
    this.#sim.trace.note(told(call, answer));
    this.#history.heard(call, answer);
    const { name } = call.operation;
    const counted = this.tally.get(name) ?? { calls: 0, good: 0 };
    const good = answer.status < 300;
    this.tally.set(name, { calls: counted.calls + 1, good: counted.good + (good ? 1 : 0) });
    const begun = this.#begun.get(call.person) ?? 0;
    if (BEGINNING[begun] !== name) {
      if (good && begun >= BEGINNING.length) call.person.intends.push(...(THEN[name] ?? []));
      return;
    }
    // A session has its time; whoever comes too late signs in again.
    if (good) this.#begun.set(call.person, begun + 1);
    else if (answer.status === 401) this.#begun.set(call.person, BEGINNING.indexOf('session.start'));
    else if (answer.status === 400) this.#begun.set(call.person, Math.max(0, begun - 1));
    else if (answer.status === 403 && name === 'listing.create') this.#begun.set(call.person, begun + 1);
  }

  async #single(): Promise<void> {
    const call = this.#someCall();
    if (!isKept(call.operation) || this.#sim.choose.chance(0.7)) {
      this.#heard(call, await perform(this.#sim, call, true));
      return;
    }
    const keyed = this.#keyed(call);
    const first = await perform(this.#sim, keyed, true);
    this.#heard(keyed, first);
    if (first.status < 300) await this.#again(keyed, first);
  }

  #keyed(call: Call): Call {
    this.#keys += 1;
    const headers = { ...call.request.headers, 'Idempotency-Key': `sim-${this.#keys}` };
    return { ...call, request: { ...call.request, headers } };
  }

  /** The same request under the same key gets the same answer and changes nothing; another one under it is refused. */
  async #again(call: Call, first: TestAnswer): Promise<void> {
    const sim = this.#sim;
    const { operation, method, path, request } = call;
    // An agent that has just gone or taken another name is another caller; whoever ended its own session is none.
    if (ENDS_ITS_CALLER.has(operation.name)) return;
    await sim.quiet();
    // What the service notes of its clock comes behind any commit, and is no change of a call.
    const noted = (): string => JSON.stringify(sim.db.rows('SELECT value FROM service_notes ORDER BY id'));
    const [before, notes] = [sim.db.version(), noted()];
    const again = await sim.t.call(method, path, request);
    if (again.status === 429) return;
    must(again.status === first.status, `${operation.name} repeated answered ${again.status}`, again.body);
    must(Bun.deepEquals(again.body, first.body), `${operation.name} repeated answered another body`, { first, again });
    must(again.headers.get('idempotent-replayed') === 'true', `${operation.name} repeated was done again`);
    if (request.body !== undefined) {
      const other = await sim.t.call(method, path, { ...request, body: { ...Object(request.body), other: true } });
      const refused = other.status === 429 || other.body.error === 'idempotency_conflict';
      must(refused, `${operation.name} took another body under a used key`, other.body);
    }
    const same = sim.db.version() === before || noted() !== notes;
    must(same, `${operation.name} repeated changed something`);
  }

  /** Several calls at once: both sides of one match, different ones, the same one many times, or one under one key. */
  async #burst(): Promise<void> {
    const { choose } = this.#sim;
    const count = 2 + choose.below(7);
    const met = choose.chance(0.45) ? contest(this.#sim, count) : [];
    if (met.length > 0) return this.#atOnce(met);
    const first = this.#someCall();
    const same = first.operation.kind !== 'stream' && choose.chance(0.4);
    const keyed = same && isKept(first.operation) && choose.chance(0.5) ? this.#keyed(first) : null;
    return this.#atOnce(Array.from({ length: count }, () => keyed ?? (same ? first : this.#someCall())));
  }

  async #atOnce(wanted: readonly Call[]): Promise<void> {
    // A stream and the operator's clock wait for what else goes on.
    const calls = wanted.filter(({ operation }) => operation.kind !== 'stream' && operation.name !== 'platform.clock');
    this.#sim.trace.note(`${calls.length} at once:`);
    const answers = await Promise.all(calls.map((call) => perform(this.#sim, call, false)));
    const kept = new Map<string, string>();
    calls.forEach((call, at) => {
      const answer = answers[at];
      if (!answer) return;
      this.#heard(call, answer);
      const key = call.request.headers?.['Idempotency-Key'];
      if (key === undefined || answer.status >= 300) return;
      const body = JSON.stringify(answer.body);
      must((kept.get(key) ?? body) === body, 'one Idempotency-Key got two answers', { body, other: kept.get(key) });
      kept.set(key, body);
    });
  }

  /** Closes the service and opens it again on its data: whoever reads sees the same as before. */
  async reopen(): Promise<void> {
    const sim = this.#sim;
    sim.trace.note('closed and opened again');
    await sim.settle();
    // The first pass counts what it shows and is seen; a second one changes nothing any more.
    await readings(sim);
    await sim.t.advance(SETTLED_MS);
    const before = await readings(sim);
    await sim.close();
    await sim.open();
    const after = await readings(sim);
    const at = before.findIndex((line, n) => line !== after[n]);
    must(at < 0, 'a read differs after closing and opening', { before: before[at], after: after[at] });
  }
}
