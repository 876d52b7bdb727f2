// The one dialog in which what is final is asked for, and the button that opens it.
import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { YES, type Yes } from '../final.ts';
import { words } from '../words/words.ts';
import { Button, type ButtonProps } from './button.tsx';
import { Sums, type SumsProps } from './sums.tsx';

interface ConfirmProps extends Omit<ButtonProps, 'onClick'> {
  /** What is asked; it says what ends. */
  question: string;
  /** What moves, and to whom. */
  sum?: SumsProps;
  told?: ComponentChildren;
  onClick: (yes: Yes) => unknown;
}

/** The dialog. Whoever leaves it is back at its button. */
function Asked({
  question,
  sum,
  told,
  children,
  onClick,
  gone,
  ...rest
}: ConfirmProps & { gone: () => void }): JSX.Element {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  // It stays until the deed is done: a second press does not reach what lies beneath it.
  const done = async (): Promise<void> => {
    await onClick(YES);
    close();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={gone}>
      <fieldset class="confirm">
        <legend id={id}>{question}</legend>
        {sum && <Sums {...sum} />}
        {told !== undefined && <div class="told-first">{told}</div>}
        <Button {...rest} onClick={done}>
          {children}
        </Button>
        <Button onClick={close}>{words.common.notNow}</Button>
      </fieldset>
    </dialog>
  );
}

/** A button whose deed cannot be taken back: it asks in a dialog with the amount, who gets it and what it ends. Where the question
 * changes while it is asked, as with a price that rose, it is withdrawn: nobody says yes to what they have not read. */
export function ConfirmButton(props: ConfirmProps): JSX.Element {
  const { question, sum, told: _told, onClick: _deed, ...rest } = props;
  const [asked, setAsked] = useState<string | null>(null);
  const own = JSON.stringify([question, sum]);
  return (
    <>
      <Button {...rest} onClick={() => setAsked(own)} />
      {asked === own && <Asked {...props} gone={() => setAsked(null)} />}
    </>
  );
}
