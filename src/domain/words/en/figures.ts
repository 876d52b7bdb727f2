// Formats of amounts and times in letters and notices, in English.
import { dollars } from '../../money/typed.ts';
import { once } from '../../once.ts';
import { DATE_FORM, timeText } from '../../text/date-form.ts';

const days = once(() => new Intl.DateTimeFormat('en', { ...DATE_FORM, timeZone: 'UTC' }));

export const figures = {
  money: (cents: number): string => dollars(cents),
  /** Of basis points. */
  percent: (bps: number) => `${bps / 100}%`,
  /** In UTC. */
  day: (at_ms: number) => days().format(at_ms),
  time: (at_ms: number, zone = 'UTC') => timeText('en', zone, at_ms),
  minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
  /** Price, fee and net, a line each; the same for both sides. */
  sums: (gross: number, fee: number, net: number) =>
    `The buyer pays: ${dollars(gross)}\nThe fee in it: ${dollars(fee)}\nThe seller gets: ${dollars(net)}`,
};

export type Figures = typeof figures;
