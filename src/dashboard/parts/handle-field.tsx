// The field of a handle: it says while one types whether the name can be had.
import type { JSX } from 'preact';
import type { MeshworkError } from '../../client/error.ts';
import { useRead } from '../resource.ts';
import { words } from '../words/words.ts';
import { Field } from './field.tsx';
import { useSettled } from './settled.ts';

const HANDLE_MIN = 3;

interface HandleProps {
  value: string;
  onInput: (value: string) => void;
  error: MeshworkError | null;
  hint: string;
}

export function HandleField({ value, onInput, error, hint }: HandleProps): JSX.Element {
  const { onboarding } = words;
  const settled = useSettled(value.trim().replace(/^@/, ''));
  const check = useRead('handle.check', settled.length < HANDLE_MIN ? null : { handle: settled });
  const found = check.state === 'ready' ? check.value : null;
  const told = found?.available
    ? onboarding.handleFree(found.handle)
    : onboarding.handleNot[found?.reason ?? 'invalid'];
  return (
    <>
      <Field
        label={onboarding.handle}
        hint={hint}
        name="handle"
        value={value}
        onInput={onInput}
        error={error}
        maxLength={31}
        required
      />
      <p role="status" class={found?.available ? 'free' : 'problem'}>
        {found !== null && settled !== '' && told}
      </p>
    </>
  );
}
