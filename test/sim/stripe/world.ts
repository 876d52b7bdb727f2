// The world of the simulation with Stripe: a service with the official SDK against the double of Stripe, a few agents with their people,
// and a post that loses webhooks, brings them late, twice and in any order.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insert } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts';
import type { Log } from '../../../src/log.ts';
import { createStripe } from '../../../src/outbound/processor/stripe/stripe.ts';
import { newAgent, type TestAgent } from '../../support/agents.ts';
import { dropStore } from '../../support/store.ts';
import { StripeDouble, type StripeFault } from '../../support/stripe-double/stripe-double.ts';
import type { SignedEvent, Thing } from '../../support/stripe-double/world.ts';
import { openTestService, START_MS, type TestAnswer, type TestService } from '../../support/testbed.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { must } from '../failure.ts';
import { Random } from '../random.ts';

const MEMBERS = 3;
const YEAR_MS = 365 * DAY_MS;
/** An answer that does not come is waited for on the wall's clock, so there are few of them, and for so long. */
const PATIENCE_MS = 400;

const FAULTS: readonly StripeFault[] = [
  ...(['error', 'error_done', 'busy'] as const).flatMap((fault) => [fault, fault, fault, fault]),
  'silent',
  'silent_done',
];

export interface Member extends TestAgent {
  readonly account_id: string;
  readonly session_id: string;
}

/** What happens at Stripe at a time, whoever is told. */
interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** One run's service, Stripe, and what lies between them. */
export class StripeSim {
  readonly choose: Random;
  readonly members: Member[] = [];
  readonly trace: string[] = [];
  readonly errors: string[] = [];
  readonly clock = virtualClock(START_MS);
  readonly double = new StripeDouble(() => this.clock.now());
  /** While true, nothing fails and every webhook is lost: what is left is found by asking. */
  calm = false;
  #post: SignedEvent[] = [];
  #due: Due[] = [];
  readonly #data_dir = mkdtempSync(join(tmpdir(), 'meshwork-stripe-'));
  #opened: TestService | null = null;

  constructor(seed: number) {
    this.choose = new Random(seed, 'stripe');
  }

  get t(): TestService {
    if (!this.#opened) throw new Error('the world is closed');
    return this.#opened;
  }

  async open(): Promise<void> {
    const { clock, double } = this;
    const { url: api_base, secret_key, webhook_secret } = double;
    const ask = { secret_key, webhook_secret, api_base, hold_ms: 0, timeout_ms: PATIENCE_MS, retries: 0 };
    const processor = () => createStripe({ ...ask, now: () => clock.now() });
    this.#opened = await openTestService({ rate_limits: false }, 'memory', {
      ...{ data_dir: this.#data_dir, clock, processor, log: this.#log() },
    });
    for (let n = this.members.length; n < MEMBERS; n += 1) this.members.push(await this.#join(`payer_${n}`));
  }

  async #join(handle: string): Promise<Member> {
    const { t } = this;
    const agent = await newAgent(t, { handle, verified: true });
    const { store, id } = t.service.world;
    const account_id = (await store.read(agentById, { id: agent.id }))?.account_id ?? '';
    const [session_id, created_at] = [id(), this.clock.now()];
    const session = { id: session_id, account_id, refresh_hash: '', created_at, expires_at: created_at + YEAR_MS };
    await store.turn({ attempt: async () => ({ reply: null, effects: [insert('sessions', session)] }) });
    return { ...agent, account_id, session_id };
  }

  async call(member: Member, method: string, path: string, body?: object): Promise<TestAnswer> {
    const { account_id, session_id, email, handle } = member;
    const { sessions, id } = this.t.service.world;
    const token = await sessions.issue({ account_id, session_id, email, jti: id() }, this.clock.now());
    const answer = await this.t.call(method, path, { token, agent: handle, ...(body && { body }) });
    const { error, funding_id, checkout_id, payout_id } = answer.body ?? {};
    this.note(`${handle} ${method} ${path} ${JSON.stringify(body ?? {})} -> ${answer.status} ${error ?? ''}`);
    this.note(`  ${funding_id ?? checkout_id ?? payout_id ?? ''}`);
    must(answer.status < 500 || answer.body.error === 'processor_unavailable', `${path} failed`, answer.body);
    return answer;
  }

  note(line: string): void {
    if (line.trim() !== '') this.trace.push(line);
  }

  /** What happens at Stripe by itself, after so long. */
  later(ms: number, run: () => void): void {
    this.#due.push({ at: this.clock.now() + ms, run });
  }

  /** The next calls may fail. */
  trouble(): void {
    if (this.calm || !this.choose.chance(0.3)) return;
    const fault = this.choose.pick(FAULTS);
    this.note(`the next call of Stripe meets ${fault}`);
    this.double.fail(fault, this.choose.chance(0.7) ? /^(?:POST|DELETE) / : /^GET /);
  }

  /** Brings some of what Stripe has to tell, in any order. */
  async bring(): Promise<void> {
    const { choose } = this;
    this.#post.push(...this.double.world.events.splice(0));
    if (this.calm) this.#post = [];
    for (let n = choose.below(4); n > 0 && this.#post.length > 0; n -= 1) {
      const event = choose.pick(this.#post);
      const [is_lost, comes_again] = [choose.chance(0.25), choose.chance(0.25)];
      if (!comes_again) this.#post = this.#post.filter((each) => each !== event);
      this.note(`webhook ${event.type} ${event.id}${is_lost ? ' is lost' : ''}`);
      if (is_lost) continue;
      const headers = { 'Stripe-Signature': this.double.world.sign(event.body) };
      const raw = { type: 'application/json', text: event.body };
      const { status } = await this.t.call('POST', '/webhooks/stripe', { raw, headers });
      must(status === 200, 'a webhook was refused', { status });
    }
  }

  /** Subscriptions that go on. */
  live(): Thing[] {
    const goes_on = (status: string): boolean => status === 'active' || status === 'past_due';
    return this.double.world.all('subscription').filter(({ status }) => goes_on(status));
  }

  /** Time passes, and with it what Stripe does of itself: months begin, cards are charged, pages close. */
  async pass(ms: number): Promise<void> {
    const until = this.clock.now() + ms;
    for (;;) {
      const months = this.live().map((each) => ({ at: endOf(each), run: () => this.#month(each) }));
      const [next] = [...this.#due, ...months].toSorted((a, b) => a.at - b.at);
      if (!next || next.at > until) break;
      await this.t.advance(Math.max(0, next.at - this.clock.now()));
      this.#due = this.#due.filter((each) => each !== next);
      next.run();
    }
    await this.t.advance(until - this.clock.now());
  }

  #month(subscription: Thing): void {
    const { world } = this.double;
    const invoice = world.beginMonth(subscription.id);
    this.note(`${subscription.id} begins a month: ${invoice.id}`);
    if (invoice.object === 'invoice') this.#charge(invoice.id, 3, HOUR_MS);
  }

  #charge(invoice_id: string, tries: number, after_ms: number): void {
    this.later(after_ms, () => {
      const { world } = this.double;
      const taken = this.calm || this.choose.chance(0.6);
      this.note(`the card of ${invoice_id} ${taken ? 'pays' : 'does not pay'}`);
      world.charge(invoice_id, taken);
      if (world.get(invoice_id).status === 'open' && tries > 1) this.#charge(invoice_id, tries - 1, 2 * DAY_MS);
    });
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    await opened?.close();
  }

  async remove(): Promise<void> {
    await this.double.close();
    rmSync(this.#data_dir, { recursive: true, force: true });
    await dropStore(this.#data_dir);
  }

  #log(): Log {
    const quiet = (): void => {};
    return {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (sentence, fields) => void this.errors.push(`${sentence} ${JSON.stringify(fields)}`),
    };
  }
}

/** When the paid time of a subscription ends. */
function endOf(subscription: Thing): number {
  return subscription.items.data[0].current_period_end * 1000;
}
