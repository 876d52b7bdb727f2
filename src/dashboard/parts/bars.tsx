// A chart of our own: figures by the month or the day as bars, and the same as a table for those who read figures rather than see them.
import type { JSX } from 'preact';
import { words } from '../words/words.ts';
import { roundedUp } from './chart.tsx';
import { useNarrow } from './narrow.ts';
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
  /** The same beside the lines of the scale, where room is short. */
  showScale?: (value: number) => string;
  /** The values are counts: no line of the scale stands between two of them. */
  whole?: boolean;
}

/** What a drawing measures, and a letter in it, in its own units. */
interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly letter: number;
}

const WIDE: Sheet = { width: 640, height: 200, letter: 6.5 };
const NARROW: Sheet = { width: 320, height: 190, letter: 7 };
const FOOT = 24;
const HEAD = 8;
const LINES = 4;
const GAP = 0.3;
/** What a bar's name takes of the width. */
const NAME = 64;

interface PlotProps {
  bars: readonly Bar[];
  sheet: Sheet;
  showValue: (value: number) => string;
  showScale: (value: number) => string;
  whole: boolean;
}

/** The lines of the scale, and the bars before them. */
function Plot({ bars, sheet: { width, height, letter }, showValue, showScale, whole }: PlotProps): JSX.Element {
  const most = roundedUp(Math.max(0, ...bars.map(({ value }) => value)));
  const top = whole ? Math.ceil(most / LINES) * LINES : most;
  const y = (value: number): number => Math.round(height - FOOT - (value / top) * (height - FOOT - HEAD));
  const rungs = Array.from({ length: LINES + 1 }, (_, n) => (top / LINES) * n);
  const left = Math.ceil(Math.max(...rungs.map((value) => showScale(value).length)) * letter) + 8;
  const step = (width - left) / Math.max(1, bars.length);
  const thick = Math.max(1, Math.min(64, step * (1 - GAP)));
  const x = (n: number): number => left + step * (n + 0.5);
  const each = Math.ceil(bars.length / Math.max(1, Math.floor((width - left) / NAME)));
  const named = (n: number): boolean => (bars.length - 1 - n) % each === 0;
  // Half of a name is wider than half of a thin bar: the last one ends where the chart does.
  const ends = (n: number): boolean => x(n) + NAME / 2 > width;
  return (
    <>
      {rungs.map((value) => (
        <g key={value}>
          <line class="rung" x1={left} x2={width} y1={y(value)} y2={y(value)} />
          <text class="end" x={left - 6} y={y(value) + 4}>
            {showScale(value)}
          </text>
        </g>
      ))}
      {bars.map(({ name, value }, n) => (
        <g key={name}>
          <title>{`${name}: ${showValue(value)}`}</title>
          <rect
            class="bar"
            x={(x(n) - thick / 2).toFixed(1)}
            y={y(value)}
            width={thick.toFixed(1)}
            height={y(0) - y(value)}
            rx={Math.min(2, thick / 4)}
          />
          {named(n) && (
            <text class={ends(n) ? 'end' : 'middle'} x={ends(n) ? width : Math.round(x(n))} y={height - 6}>
              {name}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

/** The bars, from the first to the last. */
export function Bars({
  title,
  text,
  bars,
  nameName,
  valueName,
  showValue,
  showScale = showValue,
  whole = false,
}: BarsProps): JSX.Element {
  const sheet = useNarrow() ? NARROW : WIDE;
  return (
    <figure class="chart bars">
      <svg viewBox={`0 0 ${sheet.width} ${sheet.height}`} role="img" aria-label={`${title}. ${text}`}>
        <Plot bars={bars} sheet={sheet} showValue={showValue} showScale={showScale} whole={whole} />
      </svg>
      <figcaption class="quiet" aria-hidden="true">
        {title}. {text}
      </figcaption>
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
