// A list of cards that is gone through by keys while it has the focus: j and k move, Enter opens, and each button of a card says the
// letter that presses it. Where a card goes away, the next one has the focus.
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { openNow, takeBack } from '../../answers.ts';
import { words } from '../../words/words.ts';

interface ListProps<T> {
  of: readonly T[];
  keyOf: (item: T) => string;
  label: string;
  children: (item: T) => ComponentChildren;
}

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** Where letters are typed, or something else is asked. */
const ELSEWHERE = 'dialog, input, textarea, select';

export function KeyedList<T>({ of, keyOf, label, children }: ListProps<T>): JSX.Element {
  const [here] = useLocation();
  const list = useRef<HTMLUListElement>(null);
  /** Which card has the focus; null for none. */
  const at = useRef<number | null>(null);
  const cards = (): HTMLElement[] => [...(list.current?.children ?? [])] as HTMLElement[];
  const keys = of.map(keyOf).join(' ');
  useLayoutEffect(() => {
    if (keys === '' || at.current === null || document.activeElement !== document.body) return;
    cards()[Math.min(at.current, cards().length - 1)]?.focus();
  }, [keys]);
  const press = (event: KeyboardEvent, target: HTMLElement): void => {
    const { key } = event;
    const n = cards().findIndex((card) => card.contains(target));
    const card = cards()[n];
    if (!card) return;
    const step = STEPS[key];
    if (step !== undefined) {
      cards()[n + step]?.focus();
      return;
    }
    if (key === 'u') {
      takeBack();
      return;
    }
    // On a link or a button Enter is its own.
    if (key === 'Enter' ? target !== card : !/^[a-z]$/.test(key)) return;
    const button = card.querySelector<HTMLElement>(`[data-key="${key}"]`);
    // The card of the answer is gone already, on Home.
    if (!button && key === 'o') openNow(here);
    if (!button) return;
    event.preventDefault();
    button.click();
  };
  return (
    <ul
      ref={list}
      class="stack keyed"
      aria-label={label}
      onKeyDown={(event) => {
        const { target, ctrlKey, altKey, metaKey } = event;
        if (ctrlKey || altKey || metaKey || !(target instanceof HTMLElement) || target.closest(ELSEWHERE)) return;
        press(event, target);
      }}
      onFocusIn={({ target }) => {
        at.current = cards().findIndex((card) => card.contains(target as Node));
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !list.current?.contains(relatedTarget)) at.current = null;
      }}
    >
      {of.map((item) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys go to the card that has the focus, and its buttons do the same.
        <li key={keyOf(item)} tabIndex={0}>
          {children(item)}
        </li>
      ))}
    </ul>
  );
}

/** Which keys the list takes; shown where there is a keyboard. */
export function KeyHint(): JSX.Element {
  const { home } = words;
  return (
    <p class="quiet key-hint">
      <kbd>j</kbd> <kbd>k</kbd> {home.keysMove} · <kbd>Enter</kbd> {home.keysOpen} · <kbd>u</kbd> {home.keysUndo} ·{' '}
      <kbd>o</kbd> {home.keysGo}
    </p>
  );
}
