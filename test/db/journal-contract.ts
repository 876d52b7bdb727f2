// What every adapter of the store promises of journals (db/README.md, The ledger): what refuses one and in which order, the
// same one again, what several of them at once come to, and what is kept of them. Nothing here knows an engine.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Effect, insert } from '../../db/effects.ts';
import { accountById, codeById } from '../../db/queries/identity.ts';
import { guardedBalance, journalById, platformBalance, transfersOf } from '../../db/queries/ledger.ts';
import { many } from '../../db/query.ts';
import type { Decision, Outcome, Store } from '../../db/store.ts';
import { fault, isFault } from '../../src/domain/fault.ts';
import {
  type Account,
  type GuardedAccount,
  type Leg,
  type OnTaken,
  PLATFORM_ACCOUNTS,
  type Post,
  post,
} from '../../src/domain/money/ledger.ts';
import type { Opened } from './store-contract.ts';

const short = fault('payment_required', 'short', { price_cents: 9 });
const taken = fault('conflict', 'taken');
const other = fault('already_decided', 'other');
const clash = fault('handle_taken', 'clash');
const SAME: OnTaken = { same: 'exists', other };

let ids = 0;
const fresh = (what: string): string => `${what}-${++ids}`;
const wallet = (): GuardedAccount => `wallet:${fresh('w')}`;
const leg = (debit: Account, credit: Account, amount_cents: number): Leg => ({ debit, credit, amount_cents });
const booking = (id: string, legs: readonly Leg[], onShort: Post['onShort'] = short, onTaken: OnTaken = taken): Post =>
  post({ id, kind: 'send', subject_id: null, created_at: 7 }, legs, onShort, onTaken);
const mark = (id: string, refused = clash): Effect =>
  insert('codes', { id, hash: 'h', data: {}, sent_at: 1, expires_at: 2 }, refused);

const allTransfers = many<Record<string, never>>()(null, (db, t) => db.select().from(t.transfers));
const allAccounts = many<Record<string, never>>()(null, (db, t) => db.select().from(t.ledger_accounts));

interface Kit {
  readonly store: () => Store;
  readonly commit: (...effects: Effect[]) => Promise<Outcome<null>>;
  /** A turn that replies whether its journal stood already. */
  readonly existed: (effect: Post) => Promise<Outcome<boolean>>;
  readonly balance: (account: GuardedAccount) => Promise<number | null>;
  /** A wallet that holds so much. */
  readonly funded: (cents: number) => Promise<GuardedAccount>;
}

/** Reads of a store, and turns on it, as these tests need them. */
export function ledgerKit(store: () => Store): Kit {
  const commit: Kit['commit'] = (...effects) => store().turn<null>({ attempt: async () => ({ reply: null, effects }) });
  return {
    store,
    commit,
    existed: (effect) =>
      store().turn<boolean>({ attempt: async () => ({ reply: (c) => c.exists(effect), effects: [effect] }) }),
    balance: async (id) => (await store().read(guardedBalance, { id }))?.balance_cents ?? null,
    funded: async (cents) => {
      const account = wallet();
      await commit(booking(fresh('fund'), [leg('processor', account, cents)]));
      return account;
    },
  };
}

/** Every test of journals; `open` starts on empty data. */
export function journalContract(name: string, open: () => Promise<Opened>): void {
  describe(`${name}: journals`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const kit = ledgerKit(() => opened.store);

    refusalTests(kit);
    againTests(kit);
    repetitionTests(kit);
    nettingTests(kit);
    togetherTests(kit);
    keptTests(kit);
    randomTests(kit);

    test('under it all the database itself lets no guarded balance fall below zero', async () => {
      const account = await kit.funded(5);
      const fall = opened.execute(`UPDATE ledger_accounts SET balance_cents = -1 WHERE id = '${account}'`);
      await expect(fall).rejects.toThrow(/ledger_accounts_covered/);
      expect(await kit.balance(account)).toBe(5);
    });
  });
}

interface Scene {
  /** Booked already: 500 cents from the processor to `rich`. */
  readonly known: string;
  readonly rich: GuardedAccount;
  readonly poor: GuardedAccount;
  readonly third: GuardedAccount;
  /** A code whose id is taken. */
  readonly code: string;
  readonly id: string;
}

/** What refuses a turn, in the order in which it is asked: each row also meets what the rows below it are refused for. */
const REFUSALS: readonly (readonly [what: string, effects: (s: Scene) => Effect[], refusal: object])[] = [
  [
    'what an effect before it refuses',
    ({ code, known, poor, rich }) => [mark(code), booking(known, [leg(poor, rich, 30)])],
    clash,
  ],
  [
    'a taken key, where no repetition is expected, even of the same journal',
    ({ known, rich, code }) => [booking(known, [leg('processor', rich, 500)]), mark(code)],
    taken,
  ],
  [
    'a taken key, although the money is short too',
    ({ known, poor, rich, code }) => [booking(known, [leg(poor, rich, 30)]), mark(code)],
    taken,
  ],
  [
    'another journal under the key, although the money is short too',
    ({ known, poor, rich, code }) => [booking(known, [leg(poor, rich, 30)], short, SAME), mark(code)],
    other,
  ],
  [
    'the first account that is short in the order of the legs, with its figures beside those of the fault',
    ({ id, poor, rich, third, code }) => [booking(id, [leg(poor, third, 30), leg(rich, third, 501)]), mark(code)],
    { ...short, data: { price_cents: 9, balance_cents: 0, shortfall_cents: 30 } },
  ],
  [
    'a later one that is short, where the first covers it',
    ({ id, poor, rich, third, code }) => [booking(id, [leg(rich, third, 500), leg(poor, third, 1)]), mark(code)],
    { ...short, data: { price_cents: 9, balance_cents: 0, shortfall_cents: 1 } },
  ],
  [
    'one cent too much',
    ({ id, rich, third, code }) => [booking(id, [leg(rich, third, 501)]), mark(code)],
    { ...short, data: { price_cents: 9, balance_cents: 500, shortfall_cents: 1 } },
  ],
  [
    'a second journal of the turn that the first left nothing for',
    ({ id, rich, third, code }) => [
      booking(id, [leg(rich, third, 400)]),
      booking(`${id}b`, [leg(rich, third, 400)]),
      mark(code),
    ],
    { ...short, data: { price_cents: 9, balance_cents: 100, shortfall_cents: 300 } },
  ],
  [
    'what an effect after it refuses',
    ({ id, rich, third, code }) => [booking(id, [leg(rich, third, 500)]), mark(code)],
    clash,
  ],
];

function refusalTests({ store, commit, balance, funded }: Kit): void {
  test.each(REFUSALS)('a turn is refused for %s, and leaves nothing', async (_what, effects, refusal) => {
    const known = fresh('known');
    const [rich, poor, third] = [wallet(), wallet(), wallet()];
    const [code, id, trace] = [fresh('code'), fresh('journal'), fresh('trace')];
    await commit(booking(known, [leg('processor', rich, 500)]), mark(code));
    const outcome = await commit(mark(trace), ...effects({ known, rich, poor, third, code, id }));
    expect(outcome).toEqual(refusal as Outcome<null>);
    expect([await balance(rich), await balance(poor), await balance(third)]).toEqual([500, null, null]);
    expect(await store().read(codeById, { id: trace })).toBeNull();
    expect([await store().read(journalById, { id }), await store().read(transfersOf, { journal: id })]).toEqual([
      null,
      [],
    ]);
    expect(await store().read(transfersOf, { journal: known })).toHaveLength(1);
  });

  test('a turn of nothing but journals is refused as a whole', async () => {
    const [rich, third, id] = [await funded(500), wallet(), fresh('journal')];
    const outcome = await commit(
      booking(id, [leg(rich, third, 400)]),
      booking(fresh('journal'), [leg(rich, third, 400)]),
    );
    expect(outcome).toMatchObject({ fault: 'payment_required', data: { balance_cents: 100 } });
    expect([await balance(rich), await balance(third), await store().read(journalById, { id })]).toEqual([
      500,
      null,
      null,
    ]);
  });

  test('the whole balance may go, to the last cent', async () => {
    const [rich, third] = [await funded(500), wallet()];
    expect(isFault(await commit(booking(fresh('journal'), [leg(rich, third, 500)])))).toBe(false);
    expect([await balance(rich), await balance(third)]).toEqual([0, 500]);
  });

  test('the platform owes any amount, and has no row', async () => {
    const before = await store().read(platformBalance, { id: 'chain' });
    const account = wallet();
    await commit(booking(fresh('journal'), [leg('chain', account, 10_000_000_000), leg('chain', 'payouts', 3)]));
    const after = await store().read(platformBalance, { id: 'chain' });
    expect((after?.balance_cents ?? 0) - (before?.balance_cents ?? 0)).toBe(-10_000_000_003);
    const rows = await store().read(allAccounts, {});
    expect(rows.filter(({ id }) => !id.includes(':'))).toEqual([]);
  });
}

function againTests({ store, commit, balance, funded }: Kit): void {
  test('again: what is short loads and decides anew', async () => {
    const [rich, third] = [await funded(500), wallet()];
    const seen: number[] = [];
    const outcome = await store().turn<null>({
      attempt: async (read): Promise<Decision<null>> => {
        const cents = (await read(guardedBalance, { id: rich }))?.balance_cents ?? 0;
        seen.push(cents);
        if (seen.length === 1) await commit(booking(fresh('journal'), [leg(rich, third, 300)]));
        return { reply: null, effects: [booking(fresh('all'), [leg(rich, third, cents)], 'again')] };
      },
    });
    expect([isFault(outcome), seen]).toEqual([false, [500, 200]]);
    expect([await balance(rich), await balance(third)]).toEqual([0, 500]);
  });

  test('again: not for ever', async () => {
    const [rich, third] = [await funded(1), wallet()];
    let tries = 0;
    const stubborn = store().turn<null>({
      attempt: async () => {
        tries += 1;
        return { reply: null, effects: [booking(fresh('journal'), [leg(rich, third, 2)], 'again')] };
      },
    });
    // Not by `rejects`, which holds the event loop while it waits.
    const end = await stubborn.catch((error: unknown) => error);
    expect([end instanceof Error, tries > 1, tries <= 50, await balance(rich)]).toEqual([true, true, true, 1]);
  });
}

function repetitionTests({ store, commit, existed, balance, funded }: Kit): void {
  test('the same journal again is success and moves nothing, even when its money is gone', async () => {
    const [rich, third] = [await funded(500), wallet()];
    const once = booking(fresh('journal'), [leg(rich, third, 500)], short, SAME);
    expect(await existed(once)).toEqual({ reply: false, notes: undefined });
    // Later, out of other hands: its time is not what makes it the same.
    const again = post({ ...once.journal, created_at: 99 }, once.transfers, short, SAME);
    expect(await existed(again)).toMatchObject({ reply: true });
    expect([await balance(rich), await balance(third)]).toEqual([0, 500]);
    expect(await store().read(transfersOf, { journal: once.journal.id })).toHaveLength(1);
    expect(await store().read(journalById, { id: once.journal.id })).toMatchObject({ created_at: 7 });
  });

  test('what else the turn of a repeated journal wants stands', async () => {
    const [rich, code] = [wallet(), fresh('code')];
    const once = booking(fresh('journal'), [leg('processor', rich, 500)], short, SAME);
    await commit(once);
    await commit(once, mark(code));
    expect(await store().read(codeById, { id: code })).not.toBeNull();
    expect(await balance(rich)).toBe(500);
  });

  test.each<[string, (a: GuardedAccount, b: GuardedAccount) => Partial<Post['journal']> & { legs?: Leg[] }]>([
    ['amount', (a, b) => ({ legs: [leg('processor', a, 300), leg('processor', b, 201)] })],
    ['account', (a) => ({ legs: [leg('processor', a, 300), leg('processor', a, 200)] })],
    ['side', (a, b) => ({ legs: [leg('processor', a, 300), leg('payouts', b, 200)] })],
    ['direction', (a, b) => ({ legs: [leg('processor', a, 300), leg(b, 'processor', 200)] })],
    ['order', (a, b) => ({ legs: [leg('processor', b, 200), leg('processor', a, 300)] })],
    ['number of legs', (a) => ({ legs: [leg('processor', a, 300)] })],
    ['kind', () => ({ kind: 'fund' })],
    ['subject', () => ({ subject_id: 'e1' })],
  ])('a journal with another %s is another', async (_what, change) => {
    const [a, b] = [wallet(), wallet()];
    const legs = [leg('processor', a, 300), leg('processor', b, 200)];
    const once = booking(fresh('journal'), legs, short, SAME);
    await commit(once);
    const { legs: changed = legs, ...journal } = change(a, b);
    expect(await commit(post({ ...once.journal, ...journal }, changed, short, SAME))).toEqual(other);
    expect([await balance(a), await balance(b)]).toEqual([300, 200]);
  });
}

function nettingTests({ commit, balance, funded }: Kit): void {
  test.each<[string, (a: GuardedAccount, b: GuardedAccount, empty: GuardedAccount) => Leg[], number[]]>([
    ['there and back', (a, b) => [leg(a, b, 900), leg(b, a, 600)], [200, 300]],
    ['back before there', (a, b) => [leg(b, a, 600), leg(a, b, 900)], [200, 300]],
    ['through an account that holds nothing', (a, b, e) => [leg(a, e, 500), leg(e, b, 500)], [0, 500]],
    ['through it, the other way round', (a, b, e) => [leg(e, b, 500), leg(a, e, 500)], [0, 500]],
    ['in a circle', (a, b, e) => [leg(b, e, 9), leg(e, a, 9), leg(a, b, 9)], [500, 0]],
  ])('only what a journal comes to has to be covered: %s', async (_what, legs, ends) => {
    const [a, b, empty] = [await funded(500), wallet(), wallet()];
    const id = fresh('journal');
    expect(isFault(await commit(booking(id, legs(a, b, empty))))).toBe(false);
    expect([(await balance(a)) ?? 0, (await balance(b)) ?? 0, (await balance(empty)) ?? 0]).toEqual([...ends, 0]);
  });
}

function togetherTests({ store, commit, existed, balance, funded }: Kit): void {
  test('several journals of one turn see one another', async () => {
    const [a, b, c] = [await funded(500), wallet(), wallet()];
    const [one, two] = [fresh('journal'), fresh('journal')];
    const repeated = booking(one, [leg(a, b, 500)], short, SAME);
    await commit(repeated, booking(two, [leg(b, c, 500)]), repeated);
    expect([await balance(a), await balance(b), await balance(c)]).toEqual([0, 0, 500]);
  });

  test('of turns that come together and spend the last cents one wins', async () => {
    const [rich, third] = [await funded(500), wallet()];
    const spend = (): Promise<Outcome<null>> => commit(booking(fresh('journal'), [leg(rich, third, 300)]));
    const outcomes = await Promise.all([spend(), spend(), spend()]);
    expect(outcomes.filter((outcome) => !isFault(outcome))).toHaveLength(1);
    expect(outcomes.filter(isFault).map(({ data }) => data.shortfall_cents)).toEqual([100, 100]);
    expect([await balance(rich), await balance(third)]).toEqual([200, 300]);
  });

  test('of turns that come together with one journal one books it, and the others find it', async () => {
    const [rich, third, id] = [await funded(500), wallet(), fresh('journal')];
    const same = (): Promise<Outcome<boolean>> => existed(booking(id, [leg(rich, third, 500)], short, SAME));
    const outcomes = await Promise.all([same(), same(), same(), same()]);
    expect(outcomes.map((o) => !isFault(o) && o.reply).sort()).toEqual([false, true, true, true]);
    expect(await store().read(transfersOf, { journal: id })).toHaveLength(1);
  });

  test('a turn that breaks off after its journal leaves its neighbours theirs', async () => {
    const [rich, third, code] = [await funded(500), wallet(), fresh('code')];
    const twice = insert('codes', { id: code, hash: 'h', data: {}, sent_at: 1, expires_at: 2 });
    const good = (): Promise<Outcome<null>> => commit(booking(fresh('journal'), [leg(rich, third, 100)]));
    const broken = commit(booking(fresh('journal'), [leg(rich, third, 100)]), twice, twice);
    const ends = await Promise.allSettled([good(), broken, good()]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([await balance(rich), await balance(third)]).toEqual([300, 200]);
  });
}

function keptTests({ store, commit, funded }: Kit): void {
  test('transfers keep what their guarded accounts then held, in order, and nothing of the platform', async () => {
    const [a, b, id] = [await funded(500), wallet(), fresh('journal')];
    const legs = [leg(a, b, 300), leg(b, 'platform_fees', 15), leg(b, a, 5), leg('processor', 'chain', 1)];
    await commit(booking(id, legs));
    const rows = await store().read(transfersOf, { journal: id });
    expect(
      rows.map((r) => [r.debit, r.credit, r.amount_cents, r.debit_after_cents, r.credit_after_cents, r.created_at]),
    ).toEqual([
      [a, b, 300, 200, 300, 7],
      [b, 'platform_fees', 15, 285, null, 7],
      [b, a, 5, 280, 205, 7],
      ['processor', 'chain', 1, null, null, 7],
    ]);
    const kept = await store().read(journalById, { id });
    expect(kept).toMatchObject({ kind: 'send', subject_id: null });
  });

  test('a hundred legs stay in their order', async () => {
    const [account, id] = [wallet(), fresh('journal')];
    await commit(
      booking(
        id,
        Array.from({ length: 100 }, (_, i) => leg('processor', account, i + 1)),
      ),
    );
    const rows = await store().read(transfersOf, { journal: id });
    expect(rows.map((row) => row.amount_cents)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(rows.at(-1)?.credit_after_cents).toBe(5050);
  });

  test('a journal that no money is in does not keep its neighbours from standing', async () => {
    const [owner, account] = [fresh('account'), wallet()];
    const row = { id: owner, email: `${owner}@example.org`, plan: 'free' as const, created_at: 1 };
    const short_turn = commit(booking(fresh('journal'), [leg(account, 'processor', 1)]));
    const outcomes = await Promise.all([short_turn, commit(insert('accounts', row))]);
    expect(outcomes.map(isFault)).toEqual([true, false]);
    expect(await store().read(accountById, { id: owner })).not.toBeNull();
  });
}

/** Checks what must hold of everything that was ever booked. */
export async function checkLedger(store: Store): Promise<void> {
  const [accounts, transfers] = [await store.read(allAccounts, {}), await store.read(allTransfers, {})];
  const sums = new Map<string, number>();
  for (const { debit, credit, amount_cents } of transfers) {
    sums.set(debit, (sums.get(debit) ?? 0) - amount_cents);
    sums.set(credit, (sums.get(credit) ?? 0) + amount_cents);
  }
  const guarded = [...sums.keys()].filter((id) => id.includes(':'));
  expect(accounts.map(({ id }) => id).sort()).toEqual(guarded.sort());
  expect(accounts.filter(({ balance_cents }) => balance_cents < 0)).toEqual([]);
  expect(accounts.filter(({ id, balance_cents }) => balance_cents !== (sums.get(id) ?? 0))).toEqual([]);
  let total = accounts.reduce((sum, { balance_cents }) => sum + balance_cents, 0);
  for (const id of PLATFORM_ACCOUNTS) {
    const balance_cents = (await store.read(platformBalance, { id }))?.balance_cents;
    expect([id, balance_cents]).toEqual([id, sums.get(id) ?? 0]);
    total += balance_cents ?? 0;
  }
  expect(total).toBe(0);
}

function randomTests({ store, commit, balance }: Kit): void {
  /** Legs by the numbers of their accounts: the first four are guarded, the others the platform's. */
  const legs = fc
    .array(fc.tuple(fc.nat(7), fc.nat(7), fc.integer({ min: 1, max: 1_000 })), { minLength: 1, maxLength: 4 })
    .map((all) => all.map(([from, to, cents]) => [from, from === to ? (to + 1) % 8 : to, cents] as const));
  const accountsOf = (guarded: readonly GuardedAccount[]): Account[] => [...guarded, ...PLATFORM_ACCOUNTS];
  const newAccounts = (): GuardedAccount[] => [wallet(), wallet(), `held:${fresh('h')}`, `escrow:${fresh('e')}`];

  test('random journals one after the other: each stands exactly when its net is covered, and the books balance', async () => {
    const booked = fc.asyncProperty(fc.array(legs, { maxLength: 12 }), async (journals) => {
      const guarded = newAccounts();
      const accounts = accountsOf(guarded);
      const held = accounts.map(() => 0);
      for (const journal of journals) {
        const after = [...held];
        for (const [from, to, cents] of journal) {
          after[from] = (after[from] ?? 0) - cents;
          after[to] = (after[to] ?? 0) + cents;
        }
        const covered = after.every((cents, i) => i >= 4 || cents >= 0 || cents >= (held[i] ?? 0));
        const drafted = journal.map(([from, to, cents]) =>
          leg(accounts[from] ?? 'chain', accounts[to] ?? 'chain', cents),
        );
        const outcome = await commit(booking(fresh('journal'), drafted));
        expect(isFault(outcome)).toBe(!covered);
        if (covered) held.splice(0, held.length, ...after);
      }
      for (const [i, account] of guarded.entries()) expect((await balance(account)) ?? 0).toBe(held[i] ?? 0);
    });
    await fc.assert(booked, { numRuns: 25 });
    await checkLedger(store());
  });

  test('random journals together: no guarded account falls below zero, and the books balance', async () => {
    const booked = fc.asyncProperty(fc.array(legs, { maxLength: 24 }), async (journals) => {
      const accounts = accountsOf(newAccounts());
      const drafted = journals.map((journal) =>
        booking(
          fresh('journal'),
          journal.map(([from, to, cents]) => leg(accounts[from] ?? 'chain', accounts[to] ?? 'chain', cents)),
        ),
      );
      await Promise.all(drafted.map((effect) => commit(effect)));
    });
    await fc.assert(booked, { numRuns: 15 });
    await checkLedger(store());
  });
}
