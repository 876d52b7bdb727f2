// How well two listings fit, as a ring and its figure.
import type { JSX } from 'preact';
import { words } from '../words/words.ts';
import { count } from './format.ts';

const RADIUS = 20;
const AROUND = 2 * Math.PI * RADIUS;

/** The ring, filled to the score of 100. */
export function Score({ percent }: { percent: number }): JSX.Element {
  const { matches } = words;
  const filled = (AROUND * percent) / 100;
  return (
    <svg class="score" viewBox="0 0 48 48" role="img" aria-label={matches.fit(count(percent))}>
      <circle class="score-rest" cx="24" cy="24" r={RADIUS} />
      <circle
        class="score-part"
        cx="24"
        cy="24"
        r={RADIUS}
        stroke-dasharray={`${filled} ${AROUND}`}
        transform="rotate(-90 24 24)"
      />
      <text x="24" y="28.5">
        {count(percent)}
      </text>
    </svg>
  );
}
