// The app's keyboard shortcuts and the dialog that lists them. Off while a text field has focus or a dialog is open.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { closeOverlay, lettersOn, overlay, PALETTE_KEYS, setLetters } from './overlay.ts';
import { Button } from './parts/button.tsx';
import { Dialog } from './parts/dialog.tsx';
import { words } from './words/words.ts';

/** The page for a letter after `g`. */
const GO = {
  h: ['home', '/'],
  i: ['activity', '/activity'],
  m: ['matches', '/matches'],
  c: ['conversations', '/conversations'],
  d: ['deals', '/deals'],
  l: ['listings', '/listings'],
  w: ['wallet', '/wallet'],
  a: ['agent', '/agents'],
  k: ['keys', '/keys'],
} as const;

/** Timeout for the second letter. */
const PAIR_MS = 1_500;

const TYPED_IN = 'input, textarea, select, [contenteditable]';
const types = (target: EventTarget | null): boolean => target instanceof Element && target.closest(TYPED_IN) !== null;

/** Handles key presses. */
function useKeys(): void {
  const [, go] = useLocation();
  useEffect(() => {
    let began_ms = Number.NEGATIVE_INFINITY;
    const letter = (key: string): boolean => {
      const isSecond = performance.now() - began_ms < PAIR_MS;
      began_ms = Number.NEGATIVE_INFINITY;
      if (isSecond && key in GO) go(GO[key as keyof typeof GO][1]);
      else if (key === 'g') began_ms = performance.now();
      else if (key === '/') overlay.value = 'palette';
      else if (key === '?') overlay.value = 'shortcuts';
      else return false;
      return true;
    };
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
      const isPalette = (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k';
      if (isPalette) overlay.value = 'palette';
      else if (ctrlKey || metaKey || altKey || !lettersOn.value || types(target) || !letter(key)) return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [go]);
}

function Keys({ of }: { of: readonly string[] }): JSX.Element {
  return (
    <>
      {of.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </>
  );
}

/** The list, and the switch. */
function Listed(): JSX.Element {
  const { shortcuts, nav, common } = words;
  const lines: readonly (readonly [keys: readonly string[], text: string])[] = [
    [[PALETTE_KEYS], words.palette.title],
    [['/'], words.palette.title],
    [['?'], shortcuts.title],
    ...Object.entries(GO).map(([letter, [name]]) => [['g', letter], shortcuts.go(nav[name])] as const),
  ];
  return (
    <Dialog kind="shortcuts" label={shortcuts.title} gone={() => closeOverlay('shortcuts')}>
      <h2>{shortcuts.title}</h2>
      <dl>
        {lines.map(([keys, text]) => (
          <div key={keys.join(' ')}>
            <dt>{text}</dt>
            <dd>
              <Keys of={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={lettersOn.value}
          onChange={(event) => setLetters(event.currentTarget.checked)}
        />
        {shortcuts.letters}
      </label>
      <Button onClick={() => closeOverlay('shortcuts')}>{common.close}</Button>
    </Dialog>
  );
}

export function Shortcuts(): JSX.Element | null {
  useKeys();
  return overlay.value === 'shortcuts' ? <Listed /> : null;
}
