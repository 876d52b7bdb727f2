// How an agent bargains about a listing: its bounds with the listing's own limit, its temper, and the scale of its owner's goals.
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { limitOf, rangeOf, type Temper } from '../../domain/negotiation/bargain.ts';
import { boundsWith, scaleIn } from '../../domain/negotiation/goal.ts';
import type { Preferences } from '../../domain/negotiation/package.ts';
import type { DealSide } from '../../domain/negotiation/proposal.ts';
import { hmac } from '../../outbound/hash.ts';
import { listedFor } from './listed.ts';

/** How an agent bargains up to a limit. Independent of the counterparty, or several accounts could learn more of the limit than one;
 * different for each limit, or a known one (a listed budget) would reveal the others. */
function temperOf({ code_key }: Ctx['secrets'], agent_id: string, limit: number | null): Temper {
  const drawn = hmac(code_key, `temper:${agent_id}:${limit}`);
  const share = (at: number): number => Number.parseInt(drawn.slice(8 * at, 8 * at + 8), 16) / 2 ** 32;
  return { begins: share(0), pace: share(1), ends: share(2) };
}

/** The bounds of an agent in talks about a listing. */
export function boundsAbout(
  { bounds }: Pick<Row<'agents'>, 'bounds'>,
  listing: Row<'listings'> | null,
  side: DealSide | null,
): Row<'agents'>['bounds'] {
  return side === null ? bounds : boundsWith(side, bounds, listing?.goals ?? null);
}

/** Its temper and scale there. */
export function manner(
  { secrets }: Pick<Ctx, 'secrets'>,
  agent: Pick<Row<'agents'>, 'id' | 'bounds'>,
  listing: Row<'listings'> | null,
  side: DealSide | null,
): { readonly temper: Temper; readonly scale: Preferences | null } {
  const bounds = boundsAbout(agent, listing, side);
  const { own } = listedFor(listing, null);
  const temper = temperOf(secrets, agent.id, side && limitOf(side, bounds, own));
  const goals = listing?.goals ?? null;
  const range = side && goals ? rangeOf(side, bounds, { own, asked: null }, temper) : null;
  return { temper, scale: range && scaleIn(range, goals) };
}
