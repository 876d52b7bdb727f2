// Formats of amounts and times in letters and notices, in German.
import { once } from '../../once.ts';
import { DATE_FORM, timeText } from '../../text/date-form.ts';
import type { Figures } from '../en/figures.ts';

const dollars = once(() => new Intl.NumberFormat('de', { style: 'currency', currency: 'USD' }));
const percent = once(() => new Intl.NumberFormat('de', { style: 'percent', maximumFractionDigits: 2 }));
const days = once(() => new Intl.DateTimeFormat('de', { ...DATE_FORM, timeZone: 'UTC' }));

const money = (cents: number): string => dollars().format(cents / 100);

export const figures: Figures = {
  money,
  percent: (bps) => percent().format(bps / 10_000),
  day: (at_ms) => days().format(at_ms),
  time: (at_ms, zone = 'UTC') => timeText('de', zone, at_ms),
  minutes: (count) => (count === 1 ? '1 Minute' : `${count} Minuten`),
  sums: (gross, fee, net) =>
    `Der Käufer zahlt: ${money(gross)}\nGebühr darin: ${money(fee)}\nDer Verkäufer erhält: ${money(net)}`,
};
