// The world of the simulation with money: a service on a real store with a few rich agents, behind it a processor and a chain that
// fail in every way. It can be closed and opened again on the same data.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insert } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { SCOPES } from '../../../src/domain/identity/scope.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import type { Log } from '../../../src/log.ts';
import type { TakenBack } from '../../../src/outbound/processor/processor.ts';
import { newAgent, type TestAgent } from '../../support/agents.ts';
import { type ChainEnd, type FaultyChain, faultyChain } from '../../support/faulty-chain.ts';
import {
  type BankTemper,
  type FaultyProcessor,
  faultyProcessor,
  type Trouble,
} from '../../support/faulty-processor.ts';
import { putFunds } from '../../support/funds.ts';
import { connectPayee } from '../../support/payee.ts';
import { keyWith } from '../../support/scene.ts';
import { databaseOf, dropStore } from '../../support/store.ts';
import { openTestService, START_MS, type TestAnswer, type TestService } from '../../support/testbed.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { CopiedInspector } from '../copied.ts';
import { Inspector } from '../inspector.ts';
import { idMaker, Random } from '../random.ts';

const MEMORY_DISK = '/dev/shm';
/** What the rules of money and the ledger's check read, and what the members choose by. */
const RULED_TABLES = [
  'accounts',
  'actions',
  'agents',
  'api_keys',
  'approvals',
  'conversations',
  'counters',
  'deals',
  'disputes',
  'earned_days',
  'escrows',
  'events',
  'fundings',
  'holds',
  'journals',
  'ledger_accounts',
  'ledger_days',
  'ledger_sums',
  'milestones',
  'payouts',
  'plan_checkouts',
  'plan_terms',
  'processor_differences',
  'proposals',
  'receivables',
  'sends',
  'service_notes',
  'subscription_charges',
  'subscriptions',
  'transfers',
];
const MEMBERS = 5;
const YEAR_MS = 365 * DAY_MS;
/** For so long money paid by card is not withdrawn, in one seed or another. */
const HOLDS_MS = [0, 4 * DAY_MS, 7 * DAY_MS];
/** What a member begins with; little where card money is held, so that it is that which is spent. */
const FUNDS_CENTS = 60_000;
const LITTLE_CENTS = 4_000;

export interface Member extends TestAgent {
  readonly account_id: string;
  readonly session_id: string;
  /** Only on this plan a key may spend; the others come with their sessions. */
  readonly pro: boolean;
  readonly budget_key: string;
  /** Of a service with a fixed price. */
  readonly slug: string;
}

/** What a member does; null where there is nothing to do it to. */
export type Action = (world: MoneyWorld, member: Member) => Promise<TestAnswer | null>;

/** What a call of a rail meets; mostly nothing. */
const TROUBLES: readonly Trouble[] = [
  ...Array.from({ length: 12 }, () => 'none' as const),
  'lost',
  'lost',
  'unanswered',
  'unanswered',
  'refused',
  'insufficient',
];
const TEMPERS: readonly BankTemper[] = ['takes', 'takes', 'takes', 'refuses', 'returns'];
const ENDS: readonly ChainEnd[] = ['finalized', 'finalized', 'failed', 'expired'];

export class MoneyWorld {
  readonly choose: Random;
  readonly clock = virtualClock(START_MS);
  readonly bank: FaultyProcessor;
  readonly chain: FaultyChain;
  readonly members: Member[] = [];
  readonly hold_ms: number;
  readonly trace: string[] = [];
  /** What the processor took back, by payment. */
  readonly taken = new Map<string, TakenBack[]>();
  /** What went through by the key with a budget, by its holder: what that may have counted. */
  readonly spent_by_budget = new Map<string, number>();
  /** What the service logged as an error of its own. */
  readonly errors: string[] = [];
  /** While true, the rails do what they are asked. */
  calm = false;
  readonly #seed: number;
  readonly #data_dir: string;
  readonly #draws: Random;
  #opened: { readonly t: TestService; readonly db: Inspector } | null = null;

  constructor(seed: number) {
    this.#seed = seed;
    this.choose = new Random(seed, 'choices');
    this.#draws = new Random(seed, 'service');
    this.hold_ms = new Random(seed, 'hold').pick(HOLDS_MS);
    this.#data_dir = mkdtempSync(join(existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir(), 'meshwork-money-'));
    const troubles = new Random(seed, 'troubles');
    const trouble = (): Trouble => (this.calm ? 'none' : troubles.pick(TROUBLES));
    this.bank = faultyProcessor({
      trouble,
      bank: (id) => this.#of(id).pick(TEMPERS),
      takenBack: (payment_id) => this.taken.get(payment_id) ?? [],
    });
    this.chain = faultyChain({ now: () => this.clock.now(), trouble, end: (id) => this.#of(id).pick(ENDS) });
  }

  get t(): TestService {
    if (!this.#opened) throw new Error('the world is closed');
    return this.#opened.t;
  }

  get db(): Inspector {
    if (!this.#opened) throw new Error('the world is closed');
    return this.#opened.db;
  }

  /** What is drawn for a thing is the same whenever it is asked for. */
  #of(id: string): Random {
    return new Random(this.#seed, id);
  }

  async open(): Promise<void> {
    const t = await openTestService({ rate_limits: false }, 'memory', {
      data_dir: this.#data_dir,
      clock: this.clock,
      processor: (sandbox) => this.bank.processor({ ...sandbox, hold_ms: this.hold_ms }),
      chain: this.chain.chain,
      log: this.#log(),
      id: idMaker(this.#draws, this.clock),
      random: (bytes) => this.#draws.bytes(bytes),
    });
    const url = databaseOf(this.#data_dir);
    const db = url === undefined ? Inspector.of(this.#data_dir) : await CopiedInspector.ofDatabase(url, RULED_TABLES);
    this.#opened = { t, db };
  }

  async populate(): Promise<void> {
    for (let n = 0; n < MEMBERS; n += 1) await this.#join(`member${n}`, n < 3);
  }

  async #join(handle: string, pro: boolean): Promise<void> {
    const { t } = this;
    const agent = await newAgent(t, { handle, verified: true, pro });
    await putFunds(t, agent.id, this.hold_ms > 0 ? LITTLE_CENTS : FUNDS_CENTS);
    await connectPayee(t, agent);
    const row = await t.service.world.store.read(agentById, { id: agent.id });
    if (!row) throw new Error('an agent that was just made is not there');
    const { account_id } = row;
    const session_id = t.service.world.id();
    const session = { id: session_id, account_id, refresh_hash: '', created_at: this.clock.now() };
    const lasting = insert('sessions', { ...session, expires_at: this.clock.now() + YEAR_MS });
    await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [lasting] }) });
    const key = await keyWith(t, agent.email, SCOPES, this.clock.now() + YEAR_MS);
    const budget = { per_call_cents: 4_000, per_day_cents: 6_000, total_cents: 25_000 };
    const asked = { name: 'spender', scopes: ['payments:write'], budget };
    const token = await this.token({ account_id, session_id, email: agent.email });
    const minted = await t.call('POST', '/api/developer/keys', { token, agent: handle, body: asked });
    const budget_key: string = minted.body.api_key ?? key;
    const body = {
      card_type: 'selling',
      headline: `Ropes of ${handle}`,
      description: 'Strong ropes of hemp, by the metre.',
      labels: ['ropes'],
      price_cents: 1_000 + this.choose.below(3_000),
    };
    const offer = await t.call('POST', '/api/marketplace/services', { key, agent: handle, body });
    this.members.push({
      ...agent,
      key,
      budget_key,
      pro,
      account_id,
      session_id,
      slug: offer.body.slug ?? offer.body.id ?? 'none',
    });
  }

  /** A token of the member's session. */
  token({ account_id, session_id, email }: Pick<Member, 'account_id' | 'session_id' | 'email'>): Promise<string> {
    const { sessions, id } = this.t.service.world;
    return sessions.issue({ account_id, session_id, email, jti: id() }, this.clock.now());
  }

  /** A call by key or session, noted in the trace. */
  async call(
    member: Member,
    as: 'key' | 'budget' | 'session',
    method: string,
    path: string,
    body?: object,
  ): Promise<TestAnswer> {
    const { key, budget_key, pro } = member;
    const credential =
      as === 'session' || !pro ? { token: await this.token(member) } : { key: as === 'key' ? key : budget_key };
    const answer = await this.t.call(method, path, { ...credential, agent: member.handle, ...(body && { body }) });
    this.note(`${member.handle} ${method} ${path} ${JSON.stringify(body ?? {})} -> ${answer.status} ${tellOf(answer)}`);
    return answer;
  }

  note(line: string): void {
    this.trace.push(line);
  }

  async close(): Promise<void> {
    const { t, db } = { t: this.t, db: this.db };
    this.#opened = null;
    await db.close();
    await t.close();
  }

  async remove(): Promise<void> {
    rmSync(this.#data_dir, { recursive: true, force: true });
    await dropStore(this.#data_dir);
  }

  #log(): Log {
    const quiet = (): void => {};
    return {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (sentence, fields) => {
        if (sentence !== 'a delivery was given up') this.errors.push(`${sentence} ${JSON.stringify(fields)}`);
      },
    };
  }
}

function tellOf({ body }: TestAnswer): string {
  return body?.error ?? body?.id ?? body?.status ?? '';
}
