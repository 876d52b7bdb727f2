// What came of a button that is gone with what it was pressed for, and ways on from there.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';

export function Way({ href, text, main }: { href: string; text: string; main?: boolean }): JSX.Element {
  return (
    <Link class={main ? 'button main' : 'button'} href={href}>
      {text}
    </Link>
  );
}

/** What came. Whoever pressed the button is led to it. */
export function Notice({ good, children }: { good: boolean; children: ComponentChildren }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} class={good ? 'notice good' : 'notice'} role="status" tabIndex={-1}>
      {children}
    </div>
  );
}
