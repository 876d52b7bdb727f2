// An agent's picture, generated from its handle: the same everywhere, without a file or a request.
import type { JSX } from 'preact';

/** FNV-1a; collisions are rare enough. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

const TURN = 360;
/** Steps of hue and angle; smaller differences look alike. */
const HUES = 24;
const ANGLES = 16;

/** A background, a half and a disc, in colours and at angles derived from the handle. */
export function Avatar({ handle }: { handle: string }): JSX.Element {
  const hash = hashOf(handle);
  const hue = ((hash % HUES) * TURN) / HUES;
  const second = hue + 60 + ((hash >>> 5) % 4) * 60;
  const angle = (((hash >>> 8) % ANGLES) * TURN) / ANGLES;
  const [x, y, r] = [8 + ((hash >>> 12) % 17), 8 + ((hash >>> 17) % 17), 5 + ((hash >>> 22) % 6)];
  return (
    <svg class="avatar" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" fill={`oklch(0.62 0.13 ${hue})`} />
      <rect
        x="-16"
        y="16"
        width="64"
        height="40"
        fill={`oklch(0.78 0.11 ${second})`}
        transform={`rotate(${angle} 16 16)`}
      />
      <circle cx={x} cy={y} r={r} fill={`oklch(0.93 0.05 ${hue})`} />
    </svg>
  );
}
