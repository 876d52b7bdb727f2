// Where a side is that bargains over packages, by what was offered in turns.

import { paceOf } from '../../src/domain/negotiation/pace.ts';
import { givenBy, type Package, type Preferences, scoreOf } from '../../src/domain/negotiation/package.ts';

/** The step of a side's next offer after `made` own ones; whoever heard more spoke second. */
export function stepIn(
  mine: Preferences,
  temper: Parameters<typeof givenBy>[0],
  made: number,
  heard: readonly Package[],
): number {
  const own = Array.from({ length: made }, () => null);
  const theirs = heard.map((each) => scoreOf(mine, each));
  const [first, second] = heard.length > made ? [theirs, own] : [own, theirs];
  const offered = first.flatMap((each, n) => (n < second.length ? [each, second[n] ?? null] : [each]));
  return paceOf(offered, givenBy(temper), made, false).step;
}
