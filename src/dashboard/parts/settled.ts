// What somebody types, once they pause: so that the service is asked about words and not about letters.
import { useEffect, useState } from 'preact/hooks';

const PAUSE_MS = 250;

/** The value as it was when it last stood still. */
export function useSettled<T>(value: T, pause_ms = PAUSE_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), pause_ms);
    return () => clearTimeout(pause);
  }, [value, pause_ms]);
  return settled;
}
