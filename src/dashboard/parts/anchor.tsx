// A part of a screen that an address leads to by its name, as in /agents/ada#bounds.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The part. Its screen begins at the top and is filled later, so it asks to be shown once it is there. */
export function Anchor({ id, children }: { id: string; children: ComponentChildren }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (location.hash !== `#${id}`) return undefined;
    const frame = requestAnimationFrame(() => place.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [id]);
  return (
    <div id={id} ref={place} tabIndex={-1}>
      {children}
    </div>
  );
}
