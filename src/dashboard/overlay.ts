// The open overlay, at most one, and whether single-letter shortcuts are on in this browser.
import { signal } from '@preact/signals';

export const overlay = signal<'palette' | 'shortcuts' | null>(null);

export function closeOverlay(which: 'palette' | 'shortcuts'): void {
  if (overlay.value === which) overlay.value = null;
}

const PLACE = 'meshwork-shortcuts';
const OFF = 'off';

/** Can be switched off, for speech input and accidental typing (WCAG 2.1.4). */
export const lettersOn = signal(localStorage.getItem(PLACE) !== OFF);

export function setLetters(on: boolean): void {
  lettersOn.value = on;
  if (on) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, OFF);
}

/** The modifier key's name on this platform. */
const isMac = /mac|iphone|ipad/i.test(navigator.platform);
export const PALETTE_KEYS = isMac ? '⌘K' : 'Ctrl K';
