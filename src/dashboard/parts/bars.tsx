// A chart of our own: figures by the month or the day as bars, and the same as a table for those who read figures rather than see them.
import type { JSX } from 'preact';
import { words } from '../words/words.ts';
import { roundedUp } from './chart.tsx';
import { Table } from './table.tsx';

/** A bar: what it stands for, and how much. */
export interface Bar {
  readonly name: string;
  readonly value: number;
}

interface BarsProps {
  title: string;
  /** The chart in a sentence. */
  text: string;
  bars: readonly Bar[];
  nameName: string;
  valueName: string;
  showValue: (value: number) => string;
  /** The values are counts: no line of the scale stands between two of them. */
  whole?: boolean;
}

const WIDTH = 640;
const HEIGHT = 200;
const FOOT = 24;
const HEAD = 16;
const LINES = 4;
const GAP = 0.3;
/** Of more bars than these each third is named, or fewer where there are many, the last among them. */
const NAMED_MAX = 6;

/** The bars, from the first to the last. */
export function Bars({ title, text, bars, nameName, valueName, showValue, whole }: BarsProps): JSX.Element {
  const most = roundedUp(Math.max(0, ...bars.map(({ value }) => value)));
  const top = whole ? Math.ceil(most / LINES) * LINES : most;
  const y = (value: number): number => Math.round(HEIGHT - FOOT - (value / top) * (HEIGHT - FOOT - HEAD));
  const step = WIDTH / Math.max(1, bars.length);
  const width = Math.min(64, step * (1 - GAP));
  const each = bars.length <= NAMED_MAX ? 1 : Math.max(3, Math.ceil(bars.length / NAMED_MAX));
  const named = (n: number): boolean => (bars.length - 1 - n) % each === 0;
  const rungs = Array.from({ length: LINES + 1 }, (_, n) => (top / LINES) * n);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}. ${text}`}>
        {rungs.map((value) => (
          <g key={value}>
            <line class="rung" x1={0} x2={WIDTH} y1={y(value)} y2={y(value)} />
            <text x={0} y={y(value) - 3}>
              {showValue(value)}
            </text>
          </g>
        ))}
        {bars.map(({ name, value }, n) => (
          <g key={name}>
            <rect
              class="bar"
              x={Math.round(step * (n + 0.5) - width / 2)}
              y={y(value)}
              width={Math.max(1, Math.round(width))}
              height={y(0) - y(value)}
              rx={2}
            />
            {named(n) && (
              <text class="middle" x={Math.round(step * (n + 0.5))} y={HEIGHT - 6}>
                {name}
              </text>
            )}
          </g>
        ))}
      </svg>
      <details>
        <summary>{words.common.showTable}</summary>
        <Table
          caption={title}
          rows={bars.toReversed()}
          keyOf={({ name }) => name}
          columns={[
            { name: nameName, cell: ({ name }) => name },
            { name: valueName, cell: ({ value }) => showValue(value), figure: true },
          ]}
        />
      </details>
    </figure>
  );
}
