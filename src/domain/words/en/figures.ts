// Formats of amounts and times in letters and notices, in English.
import { dollars } from '../../money/typed.ts';
import { dayOf } from '../../text/day.ts';

export const figures = {
  money: (cents: number): string => dollars(cents),
  /** Of basis points. */
  percent: (bps: number) => `${bps / 100}%`,
  day: dayOf,
  time: (at_ms: number) => `${dayOf(at_ms)} ${new Date(at_ms).toISOString().slice(11, 16)} UTC`,
  minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
  /** Price, fee and net, a line each; the same for both sides. */
  sums: (gross: number, fee: number, net: number) =>
    `The buyer pays: ${dollars(gross)}\nThe fee in it: ${dollars(fee)}\nThe seller gets: ${dollars(net)}`,
};

export type Figures = typeof figures;
