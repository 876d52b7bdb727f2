// Formats of amounts and times in letters and notices, in German.
import type { Figures } from '../en/figures.ts';

const dollars = new Intl.NumberFormat('de', { style: 'currency', currency: 'USD' });
const percent = new Intl.NumberFormat('de', { style: 'percent', maximumFractionDigits: 2 });
const days = new Intl.DateTimeFormat('de', { timeZone: 'UTC', day: '2-digit', month: '2-digit', year: 'numeric' });

const money = (cents: number): string => dollars.format(cents / 100);

export const figures: Figures = {
  money,
  percent: (bps) => percent.format(bps / 10_000),
  day: (at_ms) => days.format(at_ms),
  time: (at_ms) => `${days.format(at_ms)}, ${new Date(at_ms).toISOString().slice(11, 16)} Uhr UTC`,
  minutes: (count) => (count === 1 ? '1 Minute' : `${count} Minuten`),
  sums: (gross, fee, net) =>
    `Der Käufer zahlt: ${money(gross)}\nGebühr darin: ${money(fee)}\nDer Verkäufer erhält: ${money(net)}`,
};
