// Whether the page is as narrow as a phone's, for what styles alone cannot fit: drawings, whose letters would shrink with them.
import { useEffect, useState } from 'preact/hooks';

/** The width below which tables are cards too (style.css). */
const NARROW = '(max-width: 48rem)';

/** Whether it is now; asked again whenever that changes. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const look = (): void => setNarrow(media.matches);
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, []);
  return narrow;
}
