// All faults that scripts/plant-faults plants.
import { DEALS } from './deals.ts';
import { DOORS } from './doors.ts';
import type { Fault } from './fault.ts';
import { MONEY } from './money.ts';
import { OUTSIDE } from './outside.ts';
import { STORE } from './store.ts';

/** In the order in which they are planted. */
export const FAULTS: readonly Fault[] = [...MONEY, ...DEALS, ...DOORS, ...OUTSIDE, ...STORE];
