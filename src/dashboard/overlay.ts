// What lies over the page, one at a time, and whether single letters are shortcuts in this browser.
import { signal } from '@preact/signals';

export const overlay = signal<'palette' | 'shortcuts' | null>(null);

export function closeOverlay(which: 'palette' | 'shortcuts'): void {
  if (overlay.value === which) overlay.value = null;
}

const PLACE = 'meshwork-shortcuts';
const OFF = 'off';

/** Who speaks to the browser, or types by accident, switches them off (WCAG 2.1.4). */
export const lettersOn = signal(localStorage.getItem(PLACE) !== OFF);

export function setLetters(on: boolean): void {
  lettersOn.value = on;
  if (on) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, OFF);
}

/** As the keyboard of this machine has it. */
const isMac = /mac|iphone|ipad/i.test(navigator.platform);
export const PALETTE_KEYS = isMac ? '⌘K' : 'Ctrl K';
