// A modal dialog. Escape or a press outside closes it and returns focus to where it was.
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  label: string;
  kind: string;
  gone: () => void;
  children: ComponentChildren;
}

export function Dialog({ label, kind, gone, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const press = ({ target }: Event): void => {
    if (target === dialog.current) dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class={kind} aria-label={label} onClose={gone} onPointerDown={press}>
      <div>{children}</div>
    </dialog>
  );
}
