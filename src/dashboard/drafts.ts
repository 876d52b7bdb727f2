// What was typed into the fields of a page whose session ended, so that it stands there when the same person has signed in again in this
// tab. Codes are never kept.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { account, has_ended } from './session.ts';

const PLACE = 'meshwork-typed';

interface Left {
  readonly account_id: string;
  readonly path: string;
  readonly typed: Readonly<Record<string, string>>;
}

/** What is typed into the fields that are shown, by their labels. */
const typed = new Map<string, string>();
/** What was left here, and no field has taken yet. */
let left: Map<string, string> | null = null;

addEventListener('pagehide', () => {
  if (!has_ended || !account.value || typed.size === 0) return;
  const kept: Left = { account_id: account.value.id, path: location.pathname, typed: Object.fromEntries(typed) };
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

/** Gives a field what was typed into it before, and opens what it is folded into; answers the field's own `onInput`. */
export function useTyped(
  label: string,
  value: string,
  onInput: (value: string) => void,
  place: RefObject<HTMLElement>,
): (value: string) => void {
  const last = useRef<string | null>(null);
  const type = (text: string): void => {
    last.current = text;
    typed.set(label, text);
    onInput(text);
  };
  useEffect(() => {
    left ??= readLeft();
    const before = left.get(label);
    if (before !== undefined) {
      left.delete(label);
      type(before);
      place.current?.closest('details')?.setAttribute('open', '');
    }
    return () => void typed.delete(label);
  }, [label]);
  // A value that nobody typed is the form's own: it was sent, or began anew.
  useEffect(() => {
    if (last.current !== null && value !== last.current) typed.delete(label);
  }, [label, value]);
  return type;
}

// What is typed over a longer time, as a message: it is kept while one looks at other pages of the app, too, until it is sent.

/** A text that the tab keeps for the person who is signed in; an empty one is forgotten. */
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
