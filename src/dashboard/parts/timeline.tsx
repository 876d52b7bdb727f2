// What happened and what is due, in the order of time, with the present between them.
import type { ComponentChildren, JSX } from 'preact';
import { Time } from './show.tsx';

export interface Moment {
  readonly at: string;
  readonly text: ComponentChildren;
}

/** The moments in their order; what is still to come is marked. */
export function Timeline({ of, now_ms = Date.now() }: { of: readonly Moment[]; now_ms?: number }): JSX.Element {
  const order = of.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <ol class="timeline">
      {order.map(({ at, text }, n) => (
        // Two moments may be of one time and alike; their places tell them apart.
        <li key={`${at} ${n}`} class={Date.parse(at) > now_ms ? 'ahead' : undefined}>
          <span dir="auto">{text}</span> <Time at={at} />
        </li>
      ))}
    </ol>
  );
}
