// The confirmation dialog for final acts, with the button that opens it; the footer of a form that saves; and a secret that is
// displayed once.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MeshworkError } from '../../client/error.ts';
import { YES, type Yes } from '../final.ts';
import { words } from '../words/words.ts';
import { Button, type ButtonProps } from './button.tsx';
import { Form } from './field.tsx';
import { Sums, type SumsProps } from './show.tsx';
import { Failure } from './states.tsx';

interface ConfirmProps extends Omit<ButtonProps, 'onClick'> {
  /** The question; it names what ends. */
  question: string;
  /** What moves, and to whom. */
  sum?: SumsProps;
  told?: ComponentChildren;
  /** Opens without a press, once. */
  asks?: boolean;
  onClick: (yes: Yes) => unknown;
}

/** The dialog. Closing it returns focus to its button. */
function Asked({
  question,
  sum,
  told,
  asks: _asks,
  children,
  onClick,
  gone,
  shortcut: _shortcut,
  ...rest
}: ConfirmProps & { gone: () => void }): JSX.Element {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  // It stays open until the act ends, so that a second press cannot reach the page beneath.
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

/** A button of a final act: a dialog states the amount, the receiver and what ends. When the question changes while the dialog is
 * open (a price rose), the dialog closes, so that a person confirms only what they have read. */
export function ConfirmButton(props: ConfirmProps): JSX.Element {
  const { question, sum, told: _told, asks, onClick: _deed, ...rest } = props;
  const own = JSON.stringify([question, sum]);
  const [asked, setAsked] = useState<string | null>(asks ? own : null);
  return (
    <>
      <Button {...rest} onClick={() => setAsked(own)} />
      {asked === own && <Asked {...props} gone={() => setAsked(null)} />}
    </>
  );
}

// The footer of a form that saves: the button, the saved state and the error.

interface SaveProps {
  /** Saves; null when refused. */
  save: () => Promise<unknown>;
  act: { readonly busy: boolean; readonly error: MeshworkError | null };
  children: ComponentChildren;
  disabled?: boolean;
}

const SHOWN_MS = 4_000;

export function SaveForm({ save, act, children, disabled }: SaveProps): JSX.Element {
  const [saved, setSaved] = useState(0);
  useEffect(() => {
    if (saved === 0) return undefined;
    const ends = setTimeout(() => setSaved(0), SHOWN_MS);
    return () => clearTimeout(ends);
  }, [saved]);
  const submit = async (): Promise<void> => {
    setSaved(0);
    if ((await save()) !== null) setSaved(Date.now());
  };
  return (
    <Form onSubmit={submit}>
      {children}
      <div class="buttons">
        <Button main submit busy={act.busy} disabled={disabled ?? false}>
          {words.common.save}
        </Button>
        <span role="status">{saved > 0 && words.common.saved}</span>
      </div>
      {act.error && <Failure error={act.error} />}
    </Form>
  );
}

// A secret that is displayed once: its text, a copy button and a close button.

/** A secret that the reader must store now; `text` says what it is and that it is not displayed again. */
export function Secret({ text, secret, close }: { text: string; secret: string; close: () => void }): JSX.Element {
  const { common } = words;
  const [copied, setCopied] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  // Scrolls into view: the form above may be longer than the window.
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  const copy = (): void => {
    void navigator.clipboard.writeText(secret).then(() => setCopied(true));
  };
  return (
    <div class="notice" role="status" ref={place}>
      <p>{text}</p>
      <p>
        <code>{secret}</code>
      </p>
      <div class="buttons">
        <Button main onClick={copy}>
          {copied ? common.copied : common.copy}
        </Button>
        <Button onClick={close}>{common.close}</Button>
      </div>
    </div>
  );
}
