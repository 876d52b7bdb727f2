// Chart size on this screen, in SVG units.
import { useEffect, useState } from 'preact/hooks';

export interface Sheet {
  readonly width: number;
  readonly height: number;
  /** Width of a character. */
  readonly letter: number;
}

/** Below this width charts are narrower, so that their text keeps its size; tables become cards there too (style.css). */
const NARROW_SCREEN = '(max-width: 48rem)';
const WIDE: Sheet = { width: 640, height: 200, letter: 6.5 };
const NARROW: Sheet = { width: 320, height: 190, letter: 7 };

/** The size for the screen, updated when its width changes. */
export function useSheet(): Sheet {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW_SCREEN).matches);
  useEffect(() => {
    const media = matchMedia(NARROW_SCREEN);
    const look = (): void => setNarrow(media.matches);
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, []);
  return narrow ? NARROW : WIDE;
}
