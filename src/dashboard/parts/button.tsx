// Buttons: one press is one deed. While it is on its way the button says so and takes no second press.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../words/words.ts';

export interface ButtonProps {
  onClick?: () => unknown;
  children: ComponentChildren;
  main?: boolean;
  danger?: boolean;
  /** Without a border, where many stand together. */
  ghost?: boolean;
  busy?: boolean;
  disabled?: boolean;
  submit?: boolean;
  /** Pressed too early it says what is missing, as the button of a form does. */
  tells?: boolean;
  label?: string;
  /** The letter that presses it in a list that takes keys. */
  shortcut?: string;
}

/** What the form of a button lacks: its first field that is not filled in as it has to be, and why. The person is led there. */
function lackingAt(button: HTMLElement): string {
  const form = button.closest('form, section');
  const field = form?.querySelector<HTMLInputElement>('input:invalid, textarea:invalid, select:invalid');
  field?.focus();
  return field ? `${field.labels?.[0]?.textContent ?? ''}: ${field.validationMessage}` : words.common.lacking;
}

/** A button; with `submit` its form's. One that cannot do its deed yet says what is missing when it is pressed. */
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
