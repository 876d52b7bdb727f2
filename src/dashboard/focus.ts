// Keeps the focus on the page: when the focused element is removed (a button whose act is done, a card that was decided), the nearest
// part that is left takes the focus, so that a reader with a keyboard goes on from there.

/** Parts of a page that may take the focus; `main` is the last of them. */
const PARTS = 'li, form, details, article, section, aside, dialog[open], main';

/** The focused element and the parts around it, the nearest first. */
let path: readonly HTMLElement[] = [];

function remember({ target }: Event): void {
  if (!(target instanceof HTMLElement)) return;
  const around: HTMLElement[] = [target];
  for (let part = target.parentElement?.closest<HTMLElement>(PARTS); part; ) {
    around.push(part);
    part = part.parentElement?.closest<HTMLElement>(PARTS);
  }
  path = around;
}

/** Focuses the nearest part that is left. */
function restore(): void {
  const [focused, ...around] = path;
  if (!focused || focused.isConnected || document.activeElement !== document.body) return;
  const left = around.find((part) => part.isConnected);
  if (!left) return;
  // A whole page is read from its heading.
  const part = left.matches('main') ? (left.querySelector<HTMLElement>('h1') ?? left) : left;
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

/** Starts to watch the page. */
export function keepFocus(): void {
  addEventListener('focusin', remember);
  new MutationObserver(restore).observe(document.body, { childList: true, subtree: true });
}
