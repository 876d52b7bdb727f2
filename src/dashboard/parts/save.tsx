// The foot of a form that saves: the button, whether it is saved, and why it could not be.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MeshworkError } from '../../client/error.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Form } from './field.tsx';
import { Failure } from './states.tsx';

interface SaveProps {
  /** Saves; null where it was refused. */
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
