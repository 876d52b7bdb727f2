// Buttons: one press is one deed. While it is on its way the button says so and takes no second press.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../words/words.ts';

interface ButtonProps {
  onClick?: () => unknown;
  children: ComponentChildren;
  main?: boolean;
  danger?: boolean;
  busy?: boolean;
  disabled?: boolean;
  submit?: boolean;
  label?: string;
}

/** A button; with `submit` its form's. */
export function Button({ onClick, children, main, danger, busy, disabled, submit, label }: ButtonProps): JSX.Element {
  const kind = danger ? 'danger' : main ? 'main' : '';
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={kind}
      aria-busy={busy}
      aria-label={label}
      aria-disabled={busy || disabled}
      onClick={(event) => {
        if (busy || disabled) event.preventDefault();
        else onClick?.();
      }}
    >
      {busy ? words.common.busy : children}
    </button>
  );
}

/** A button whose deed cannot be taken back: it asks once more in its own place; `told` stands beneath the question. Where the question
 * changes while it is asked, as with a price that rose, it is withdrawn: nobody says yes to what they have not read. */
export function ConfirmButton({
  question,
  told,
  children,
  onClick,
  ...rest
}: ButtonProps & { question: string; told?: ComponentChildren }): JSX.Element {
  const [asked, setAsked] = useState<string | null>(null);
  if (asked !== question) {
    return (
      <Button {...rest} onClick={() => setAsked(question)}>
        {children}
      </Button>
    );
  }
  const done = (): void => {
    setAsked(null);
    onClick?.();
  };
  return (
    <fieldset class="confirm">
      <legend>{question}</legend>
      {told !== undefined && <div class="told-first">{told}</div>}
      <Button {...rest} onClick={done}>
        {children}
      </Button>
      <Button onClick={() => setAsked(null)}>{words.common.notNow}</Button>
    </fieldset>
  );
}
