// A chart of our own: a line of figures over time as SVG, and the same as a table for those who read figures rather than see them.
import type { JSX } from 'preact';
import { words } from '../words/words.ts';
import { Table } from './table.tsx';

/** A point: when, in ms since 1970, and how much. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

interface ChartProps {
  title: string;
  /** The chart in a sentence. */
  text: string;
  points: readonly Point[];
  timeName: string;
  valueName: string;
  showTime: (at: number) => string;
  showValue: (value: number) => string;
}

const WIDTH = 640;
const HEIGHT = 200;
const MARGIN = { top: 12, right: 8, bottom: 24, left: 8 };
const LINES = 4;

/** The scale's upper end: the next 1, 2 or 5 times a power of ten. */
export function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** What holds from one point to the next is a step: balances do not change between. */
function stepPath(points: readonly Point[], x: (at: number) => number, y: (value: number) => number): string {
  return points.map(({ at, value }, n) => (n === 0 ? `M${x(at)},${y(value)}` : `H${x(at)}V${y(value)}`)).join('');
}

/** The chart; nothing where there are less than two points. */
export function Chart({
  title,
  text,
  points,
  timeName,
  valueName,
  showTime,
  showValue,
}: ChartProps): JSX.Element | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const top = roundedUp(Math.max(...points.map(({ value }) => value)));
  const span = Math.max(1, last.at - first.at);
  const x = (at: number): number =>
    Math.round(MARGIN.left + ((at - first.at) / span) * (WIDTH - MARGIN.left - MARGIN.right));
  const y = (value: number): number =>
    Math.round(HEIGHT - MARGIN.bottom - (value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom));
  const path = stepPath(points, x, y);
  const rungs = Array.from({ length: LINES + 1 }, (_, n) => (top / LINES) * n);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}. ${text}`}>
        {rungs.map((value) => (
          <g key={value}>
            <line class="rung" x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y(value)} y2={y(value)} />
            <text x={MARGIN.left} y={y(value) - 3}>
              {showValue(value)}
            </text>
          </g>
        ))}
        <path class="area" d={`${path}V${y(0)}H${x(first.at)}Z`} />
        <path class="line" d={path} />
        <text x={MARGIN.left} y={HEIGHT - 6}>
          {showTime(first.at)}
        </text>
        <text class="end" x={WIDTH - MARGIN.right} y={HEIGHT - 6}>
          {showTime(last.at)}
        </text>
      </svg>
      <details>
        <summary>{words.common.showTable}</summary>
        <Table
          caption={title}
          rows={points}
          keyOf={({ at, value }) => `${at} ${value}`}
          columns={[
            { name: timeName, cell: ({ at }) => showTime(at) },
            { name: valueName, cell: ({ value }) => showValue(value), figure: true },
          ]}
        />
      </details>
    </figure>
  );
}
