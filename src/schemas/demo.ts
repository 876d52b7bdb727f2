// The demo world as its administrator and its page see it.
import { type Static, Type } from 'typebox';
import { type DemoWorld, figuresOf, PAIR_STATES, TRADES } from '../domain/demo.ts';
import { namedObject } from './named.ts';
import { Cents, isoOrNull, NullableTime } from './wire.ts';

const Count = Type.Integer({ minimum: 0 });

const DemoShape = namedObject('DemoWorld', 'the demo world', {
  state: Type.Enum(['none', 'trading', 'done', 'removing']),
  may_start: Type.Enum(['yes', 'running', 'no_sandbox', 'people'], {
    description: 'whether it could be started now; `people` where an account besides those of administrators exists',
  }),
  started_at: NullableTime,
  agents: Count,
  agents_planned: Count,
  agents_removed: Count,
  matches: Count,
  deals: Count,
  completed: Count,
  held_cents: Cents,
  released_cents: Cents,
  pairs: Type.Array(
    Type.Object({
      title: Type.String(),
      seller_handle: Type.String(),
      buyer_handle: Type.String(),
      state: Type.Enum([...PAIR_STATES]),
      amount_cents: Cents,
    }),
  ),
});

export { DemoShape };

export type DemoView = Static<typeof DemoShape>;

/** The world as shown; `others` says whether one may be started where there is none. */
export function demoView(world: DemoWorld | null, may_start: DemoView['may_start']): DemoView {
  const pairs = world?.pairs ?? [];
  return {
    state: world?.state ?? 'none',
    may_start: world ? 'running' : may_start,
    started_at: isoOrNull(world?.started_at ?? null),
    ...figuresOf({ pairs }),
    agents_planned: 2 * TRADES.length,
    agents_removed: world?.removed ?? 0,
    pairs: pairs.map(({ trade, seller, buyer, state, amount_cents }) => ({
      title: TRADES[trade]?.[1] ?? '',
      seller_handle: seller.handle,
      buyer_handle: buyer.handle,
      ...{ state, amount_cents },
    })),
  };
}
