// Charts of our own: a line of figures over time as SVG, or bars, and the same as a table for those who read figures rather than see
// them.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { words } from '../words/words.ts';
import { Table } from './show.tsx';

/** A point: when, in ms since 1970, and how much. */
interface Point {
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

/** Reads the values of a chart one by one: by arrow keys, by touch, or where the pointer is over the drawing. */
function Reading({ of, at, read }: { of: readonly string[]; at: number; read: (n: number) => void }): JSX.Element {
  return (
    <div class="reading">
      <input
        type="range"
        min={0}
        max={of.length - 1}
        value={at}
        aria-label={words.common.readChart}
        aria-valuetext={of[at]}
        onInput={(event) => read(Number(event.currentTarget.value))}
      />
      <output>{of[at]}</output>
    </div>
  );
}

const WIDTH = 640;
const HEIGHT = 200;
const MARGIN = { top: 12, right: 8, bottom: 24, left: 8 };
const LINES = 4;

/** The scale's upper end: the next 1, 2 or 5 times a power of ten. */
function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** What holds from one point to the next is a step: balances do not change between. */
function stepPath(points: readonly Point[], x: (at: number) => number, y: (value: number) => number): string {
  return points.map(({ at, value }, n) => (n === 0 ? `M${x(at)},${y(value)}` : `H${x(at)}V${y(value)}`)).join('');
}

interface HitsProps {
  points: readonly Point[];
  x: (at: number) => number;
  read: (n: number) => void;
}

/** Where the pointer reads which point: what a point says holds until the next one. */
function Hits({ points, x, read }: HitsProps): JSX.Element {
  return (
    <g>
      {points.map(({ at, value }, n) => (
        <rect
          key={`${at} ${value}`}
          class="hit"
          x={x(at)}
          y="0"
          width={Math.max(1, x(points[n + 1]?.at ?? at) - x(at))}
          height={HEIGHT}
          onPointerEnter={() => read(n)}
        />
      ))}
    </g>
  );
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
  const [pointed, read] = useState<number | null>(null);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const top = roundedUp(Math.max(...points.map(({ value }) => value)));
  const span = Math.max(1, last.at - first.at);
  const x = (at: number): number =>
    Math.round(MARGIN.left + ((at - first.at) / span) * (WIDTH - MARGIN.left - MARGIN.right));
  const y = (value: number): number =>
    Math.round(HEIGHT - MARGIN.bottom - (value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom));
  const path = stepPath(points, x, y);
  const at = Math.min(pointed ?? points.length - 1, points.length - 1);
  const marked = points[at] ?? last;
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
        <circle class="mark" cx={x(marked.at)} cy={y(marked.value)} r="4" />
        <Hits points={points} x={x} read={read} />
        <text x={MARGIN.left} y={HEIGHT - 6}>
          {showTime(first.at)}
        </text>
        <text class="end" x={WIDTH - MARGIN.right} y={HEIGHT - 6}>
          {showTime(last.at)}
        </text>
      </svg>
      <Reading of={points.map((point) => `${showTime(point.at)}: ${showValue(point.value)}`)} at={at} read={read} />
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

// Whether the page is as narrow as a phone's, for what styles alone cannot fit: drawings, whose letters would shrink with them.

/** The width below which tables are cards too (style.css). */
const NARROW_SCREEN = '(max-width: 48rem)';

/** Whether it is now; asked again whenever that changes. */
function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW_SCREEN).matches);
  useEffect(() => {
    const media = matchMedia(NARROW_SCREEN);
    const look = (): void => setNarrow(media.matches);
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, []);
  return narrow;
}

// Figures by the month or the day as bars.

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
const GAP = 0.3;
/** What a bar's name takes of the width. */
const NAME = 64;

interface PlotProps {
  bars: readonly Bar[];
  sheet: Sheet;
  showScale: (value: number) => string;
  whole: boolean;
  /** The bar that is read. */
  at: number;
  read: (n: number) => void;
}

/** The lines of the scale, and the bars before them. */
function Plot({ bars, sheet: { width, height, letter }, showScale, whole, at, read }: PlotProps): JSX.Element {
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
        <g key={name} onPointerEnter={() => read(n)}>
          <rect class="hit" x={x(n) - step / 2} y="0" width={step} height={height} />
          <rect
            class={n === at ? 'bar read' : 'bar'}
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
  const [pointed, read] = useState<number | null>(null);
  const at = Math.min(pointed ?? bars.length - 1, bars.length - 1);
  return (
    <figure class="chart bars">
      <svg viewBox={`0 0 ${sheet.width} ${sheet.height}`} role="img" aria-label={`${title}. ${text}`}>
        <Plot bars={bars} sheet={sheet} showScale={showScale} whole={whole} at={at} read={read} />
      </svg>
      <Reading of={bars.map(({ name, value }) => `${name}: ${showValue(value)}`)} at={at} read={read} />
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
