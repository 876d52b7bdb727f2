// Buttons: one press runs one act. While it runs, the button says so and ignores further presses.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../words/words.ts';

export interface ButtonProps {
  onClick?: () => unknown;
  children: ComponentChildren;
  main?: boolean;
  danger?: boolean;
  /** Without a border, for lists of buttons. */
  ghost?: boolean;
  busy?: boolean;
  disabled?: boolean;
  submit?: boolean;
  /** What is missing; displayed when pressed too early, as with a form's button. */
  tells?: boolean;
  label?: string;
  /** The key that presses it in a list with keyboard shortcuts. */
  shortcut?: string;
}

/** Focuses the first invalid field of a button's form and returns why it is invalid. */
function lackingAt(button: HTMLElement): string {
  const form = button.closest('form, section');
  const field = form?.querySelector<HTMLInputElement>('input:invalid, textarea:invalid, select:invalid');
  field?.focus();
  return field ? `${field.labels?.[0]?.textContent ?? ''}: ${field.validationMessage}` : words.common.lacking;
}

/** A button; with `submit` its form's. Pressed too early, it says what is missing. */
export function Button({
  onClick,
  children,
  main,
  danger,
  ghost,
  busy,
  disabled,
  submit,
  tells = submit,
  label,
  shortcut,
}: ButtonProps): JSX.Element {
  const kind = danger ? 'danger' : main ? 'main' : ghost ? 'ghost' : '';
  const [lacking, setLacking] = useState('');
  const press = (event: JSX.TargetedMouseEvent<HTMLButtonElement>): void => {
    if (!busy && !disabled) onClick?.();
    else event.preventDefault();
    setLacking(disabled && tells ? lackingAt(event.currentTarget) : '');
  };
  return (
    <>
      <button
        type={submit ? 'submit' : 'button'}
        class={kind}
        aria-busy={busy}
        aria-label={label}
        data-key={shortcut}
        aria-disabled={busy || (disabled && !tells)}
        onClick={press}
      >
        {busy ? words.common.busy : children}
      </button>
      {disabled && lacking !== '' && (
        <span class="problem" role="alert">
          {lacking}
        </span>
      )}
    </>
  );
}
