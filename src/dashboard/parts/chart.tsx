// A bar chart over time as SVG; pointer or arrow keys read single bars, and a table holds the same figures for screen readers.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../words/words.ts';
import { type Sheet, useSheet } from './sheet.ts';
import { Table } from './show.tsx';

/** A bar; its value is null where there is no data. */
export interface Bar {
  readonly name: string;
  readonly value: number | null;
}

interface BarsProps {
  title: string;
  /** A one-sentence summary. */
  text: string;
  bars: readonly Bar[];
  nameName: string;
  valueName: string;
  showValue: (value: number) => string;
  /** A short form for the axis labels. */
  showScale?: (value: number) => string;
  /** The values are counts: axis lines are at whole numbers only. */
  whole?: boolean;
}

const LINES = 4;
const FOOT = 24;
const HEAD = 8;
/** Width of a bar's label. */
const NAME = 64;
/** More bars than this are drawn without gaps. */
const DENSE = 60;

/** The axis maximum: the next 1, 2 or 5 times a power of ten. */
function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

type PlotProps = Required<Pick<BarsProps, 'bars' | 'showScale' | 'whole'>> & {
  /** The selected bar. */
  at: number;
  read: (n: number) => void;
};

/** Axis lines behind the bars. */
function Plot({ bars, showScale, whole, at, read, width, height, letter }: PlotProps & Sheet): JSX.Element {
  const most = roundedUp(Math.max(0, ...bars.map(({ value }) => value ?? 0)));
  const top = whole ? Math.ceil(most / LINES) * LINES : most;
  const y = (value: number): number => Math.round(height - FOOT - (value / top) * (height - FOOT - HEAD));
  const rungs = Array.from({ length: LINES + 1 }, (_, n) => (top / LINES) * n);
  const left = Math.ceil(Math.max(...rungs.map((value) => showScale(value).length)) * letter) + 8;
  const step = (width - left) / Math.max(1, bars.length);
  const thick = bars.length > DENSE ? step : Math.max(1, Math.min(64, step * 0.7));
  const x = (n: number): number => left + step * (n + 0.5);
  const each = Math.ceil(bars.length / Math.max(1, Math.floor((width - left) / NAME)));
  const named = (n: number): boolean => (bars.length - 1 - n) % each === 0;
  // Half of a label is wider than half of a thin bar: the last label ends at the chart's edge.
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
        <g key={name} onPointerEnter={() => read(n)}>
          <rect class="hit" x={x(n) - step / 2} y="0" width={step} height={height} />
          <rect
            class={n === at ? 'bar read' : 'bar'}
            x={(x(n) - thick / 2).toFixed(1)}
            y={y(value ?? 0)}
            width={thick.toFixed(1)}
            height={y(0) - y(value ?? 0)}
            rx={bars.length > DENSE ? 0 : Math.min(2, thick / 4)}
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
export function Bars({ title, text, bars, nameName, valueName, showValue, ...scale }: BarsProps): JSX.Element {
  const { showScale = showValue, whole = false } = scale;
  const sheet = useSheet();
  const [pointed, read] = useState(Number.POSITIVE_INFINITY);
  const at = Math.min(pointed, bars.length - 1);
  const shown = ({ value }: Bar): string => (value === null ? words.common.none : showValue(value));
  const bar = bars[at];
  const reading = bar && `${bar.name}: ${shown(bar)}`;
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${sheet.width} ${sheet.height}`} role="img" aria-label={`${title}. ${text}`}>
        <Plot {...{ bars, showScale, whole, at, read }} {...sheet} />
      </svg>
      <div class="reading">
        <input
          type="range"
          min={0}
          max={bars.length - 1}
          value={at}
          aria-label={words.common.readChart}
          aria-valuetext={reading}
          onInput={(event) => read(Number(event.currentTarget.value))}
        />
        <output>{reading}</output>
      </div>
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
            { name: valueName, cell: shown, figure: true },
          ]}
        />
      </details>
    </figure>
  );
}
