// Keeps the input of a page whose session ended, and restores it once the same person has signed in again in this tab. Codes are never
// stored.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { account, has_ended } from './session.ts';

const PLACE = 'meshwork-typed';

interface Left {
  readonly account_id: string;
  readonly path: string;
  readonly typed: Readonly<Record<string, string>>;
}

interface Typed {
  readonly label: string;
  readonly text: string;
}

/** The input of the displayed fields. */
const typed = new Map<HTMLElement, Typed>();
/** Stored input that no field has restored yet. */
let left: Map<string, string> | null = null;

addEventListener('pagehide', () => {
  if (!has_ended || !account.value || typed.size === 0) return;
  const entries = [...typed].map(([field, { label, text }]) => [keyOf(label, field), text] as const);
  const kept: Left = { account_id: account.value.id, path: location.pathname, typed: Object.fromEntries(entries) };
  sessionStorage.setItem(PLACE, JSON.stringify(kept));
});

function readLeft(): Map<string, string> {
  const text = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (text === null) return new Map();
  const { account_id, path, typed } = JSON.parse(text) as Left;
  const here = account_id === account.value?.id && path === location.pathname;
  return new Map(here ? Object.entries(typed) : []);
}

const groupOf = (field: Element): string => field.closest('fieldset')?.querySelector('legend')?.textContent ?? '';

/** Names a field by its group and label, and its place among those of this name. */
function keyOf(label: string, field: HTMLElement): string {
  const group = groupOf(field);
  const alike = [...document.querySelectorAll('.field')].filter(
    (each) => each.querySelector('label')?.textContent === label && groupOf(each) === group,
  );
  return JSON.stringify([group, label, alike.indexOf(field)]);
}

/** Restores a field's stored input and opens the `details` around it; returns the field's `onInput`. */
export function useTyped(
  label: string,
  value: string,
  onInput: (value: string) => void,
  place: RefObject<HTMLElement>,
): (value: string) => void {
  const last = useRef<string | null>(null);
  const type = (text: string): void => {
    last.current = text;
    if (place.current) typed.set(place.current, { label, text });
    onInput(text);
  };
  useEffect(() => {
    const field = place.current;
    if (!field) return undefined;
    left ??= readLeft();
    const key = keyOf(label, field);
    const before = left.get(key);
    if (before !== undefined) {
      left.delete(key);
      type(before);
      field.closest('details')?.setAttribute('open', '');
    }
    return () => void typed.delete(field);
  }, [label]);
  // Any other value was set by the form itself (after sending or a reset), so there is no draft.
  useEffect(() => {
    const field = place.current;
    if (last.current === null || !field) return;
    if (value === last.current) typed.set(field, { label, text: value });
    else typed.delete(field);
  }, [label, value]);
  return type;
}

// Drafts of longer texts, such as messages: kept across pages of the app until sent.

/** A text in session storage of the signed-in person; an empty one is removed. */
export function useDraft(name: string): [text: string, set: (text: string) => void] {
  const key = `meshwork-draft ${account.value?.id ?? ''} ${name}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const set = (next: string): void => {
    setText(next);
    if (next === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, next);
  };
  return [text, set];
}
