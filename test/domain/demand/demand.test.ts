// Guarantees of the demand board, cell by cell: what each state of a request takes from whom; its times, its ceiling, its quotes.

import { describe, expect, test } from 'bun:test';
import {
  closesFault,
  DEMAND_STATUSES,
  type DemandAction,
  type DemandRole,
  type DemandStatus,
  demandFault,
  demandStatusAt,
  extendFault,
  priceFault,
  quoteFault,
  wantsBudget,
} from '../../../src/domain/demand/demand.ts';
import { HOUR_MS } from '../../../src/domain/time.ts';

const AT = 1_000;

describe('time decides what a request is', () => {
  /** What it is a millisecond before `closes_at`, and at it. */
  const STATES: Readonly<Record<DemandStatus, readonly [before: DemandStatus, from: DemandStatus]>> = {
    open: ['open', 'closed'],
    awarded: ['awarded', 'awarded'],
    closed: ['closed', 'closed'],
  };

  test.each(DEMAND_STATUSES)('%s', (status) => {
    const at = (now_ms: number): DemandStatus => demandStatusAt({ status, closes_at: AT }, now_ms);
    const [before, from] = STATES[status];
    expect([at(0), at(AT - 1), at(AT), at(10 * AT)]).toEqual([before, before, from, from]);
  });
});

const YES = null;
const ROLES: readonly DemandRole[] = ['requester', 'own_account', 'other'];
/** Requester, another agent of its account, anybody else. */
type Row = readonly [string | null, string | null, string | null];
const SELLS: Row = ['own_request', 'own_request', YES];
const OVER_FOR_SELLERS: Row = ['own_request', 'own_request', 'request_closed'];
const REQUESTS: Row = [YES, 'not_found', 'not_found'];
const OVER_FOR_REQUESTER: Row = ['request_closed', 'not_found', 'not_found'];
const OVER: Readonly<Record<DemandAction, Row>> = {
  quote: OVER_FOR_SELLERS,
  pass: OVER_FOR_SELLERS,
  extend: OVER_FOR_REQUESTER,
  award: OVER_FOR_REQUESTER,
  close: OVER_FOR_REQUESTER,
};

const TABLE: Readonly<Record<DemandStatus, Readonly<Record<DemandAction, Row>>>> = {
  open: { quote: SELLS, pass: SELLS, extend: REQUESTS, award: REQUESTS, close: REQUESTS },
  awarded: OVER,
  closed: OVER,
};

for (const [status, actions] of Object.entries(TABLE)) {
  test.each(Object.entries(actions))(`${status}: %s`, (action, row) => {
    const said: (string | null)[] = ROLES.map(
      (role) => demandFault(status as DemandStatus, action as DemandAction, role)?.fault ?? YES,
    );
    expect(said).toEqual([...row]);
  });
}

test('what is over says what became of it', () => {
  expect(demandFault('awarded', 'award', 'requester')?.data).toEqual({ status: 'awarded' });
  expect(demandFault('closed', 'quote', 'other')?.data).toEqual({ status: 'closed' });
});

const HOUR = HOUR_MS;
const DAY = 24 * HOUR;

test.each<[ahead: number, taken: boolean]>([
  [-HOUR, false],
  [0, false],
  [HOUR - 60_001, false],
  [HOUR - 60_000, true],
  [HOUR, true],
  [90 * DAY, true],
  [90 * DAY + 1, false],
  [Number.NaN, false],
])('a request that closes %p ms ahead is taken: %p', (ahead, taken) => {
  const refused = closesFault(AT + ahead, AT);
  expect(refused === null).toBe(taken);
  if (refused) expect(refused.data.fields?.[0]?.path).toBe('closes_at');
});

test.each<[by: number, taken: boolean]>([
  [-1, false],
  [0, false],
  [1, true],
  [89 * DAY, true],
  [89 * DAY + 1, false],
])('one that closes in a day is extended by %p ms: %p', (by, taken) => {
  expect(extendFault(DAY + by, DAY, 0) === null).toBe(taken);
});

test('a price up to the ceiling is taken', () => {
  expect(priceFault(500, 500)).toBeNull();
  expect(priceFault(501, 500)).toMatchObject({ fault: 'over_budget', data: { budget_cents: 500, price_cents: 501 } });
});

test('only a quote that stands is awarded', () => {
  expect(quoteFault('standing', 'b')).toBeNull();
  expect(quoteFault('replaced', 'b')).toMatchObject({ fault: 'quote_replaced', data: { quote_id: 'b' } });
});

test('a seller is woken from the budget that it named', () => {
  expect([wantsBudget({}, 1), wantsBudget({ min_demand_budget_cents: 100 }, 99)]).toEqual([true, false]);
  expect(wantsBudget({ min_demand_budget_cents: 100 }, 100)).toBe(true);
});
