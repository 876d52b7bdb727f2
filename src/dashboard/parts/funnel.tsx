// A funnel chart: one centred bar per step, with figures next to its name.
import type { JSX } from 'preact';
import { useSheet } from './sheet.ts';

interface Step {
  readonly name: string;
  readonly value: number;
  /** The value with its share. */
  readonly text: string;
}

const ROW = 44;
const BAR = 20;

/** The funnel. */
export function Funnel({ title, steps }: { title: string; steps: readonly Step[] }): JSX.Element {
  const { width } = useSheet();
  const most = Math.max(1, ...steps.map(({ value }) => value));
  const text = steps.map(({ name, text }) => `${name}: ${text}`).join('. ');
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${ROW * steps.length}`} role="img" aria-label={`${title}. ${text}`}>
      {steps.map(({ name, value, text }, n) => (
        <g key={name}>
          <text x="0" y={n * ROW + 12}>
            {name}
          </text>
          <text class="end" x={width} y={n * ROW + 12}>
            {text}
          </text>
          <rect class="track" x="0" y={n * ROW + 17} width={width} height={BAR} rx="2" />
          <rect
            class="bar"
            x={((width - (width * value) / most) / 2).toFixed(1)}
            y={n * ROW + 17}
            width={((width * value) / most).toFixed(1)}
            height={BAR}
            rx="2"
          />
        </g>
      ))}
    </svg>
  );
}
