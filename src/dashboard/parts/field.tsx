// Fields of forms: a label, what it takes, and what was wrong with it, tied together for those who hear the page.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { MeshworkError } from '../../client/error.ts';
import { words } from '../words/words.ts';
import { money, readAmount } from './format.ts';

interface FieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: string;
  /** The field's name in the operation's input: a refusal that names it is shown beside it. */
  name?: string;
  error?: MeshworkError | null;
  type?: 'text' | 'email' | 'number' | 'url' | 'tel' | 'date' | 'datetime-local' | 'search';
  mode?: 'decimal' | 'numeric' | 'text' | 'tel' | 'email' | 'url' | 'search';
  complete?: string;
  rows?: number;
  /** What Enter does in an area; with Shift it begins a new line there. */
  onEnter?: () => unknown;
  required?: boolean;
  maxLength?: number;
}

/** What a refusal says of one field of the input, or of what is inside it. */
export function problemOf(error: MeshworkError | null | undefined, name: string | undefined): string | null {
  return error?.fields.find(({ path }) => path === name || path.startsWith(`${name}.`))?.message ?? null;
}

/** What belongs to a field: its hint, and what was wrong with it. */
export function Notes({
  id,
  hint,
  problem,
}: {
  id: string;
  hint: string | undefined;
  problem: string | null;
}): JSX.Element {
  return (
    <>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="quiet">
          {hint}
        </p>
      )}
      {problem !== null && (
        <p id={`${id}-problem`} class="problem">
          {problem}
        </p>
      )}
    </>
  );
}

/** Calls on Enter alone: not with Shift, and not while a word of several keys is being made. */
function entering(onEnter: () => unknown): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    onEnter();
  };
}

/** How an amount is read while it is typed. What is none is said at the field, and the browser holds the form back. */
function useAmount(text: string) {
  const line = useRef<HTMLInputElement>(null);
  const amount = text.trim() === '' ? undefined : readAmount(text);
  const misread = amount === null ? words.common.noAmount : '';
  useEffect(() => line.current?.setCustomValidity(misread), [misread]);
  return { line, misread, read: typeof amount === 'number' && words.common.readAs(money(amount)) };
}

/** A line, or with `rows` an area, of text. */
export function Field({
  label,
  value,
  onInput,
  hint,
  name,
  error,
  type = 'text',
  mode,
  complete,
  rows,
  onEnter,
  required,
  maxLength,
}: FieldProps): JSX.Element {
  const id = useId();
  const { line, misread, read } = useAmount(mode === 'decimal' ? value : '');
  const problem = problemOf(error, name) ?? (misread || null);
  const about = [hint === undefined ? '' : `${id}-hint`, problem === null ? '' : `${id}-problem`]
    .filter(Boolean)
    .join(' ');
  const shared = {
    id,
    name,
    value,
    required,
    maxLength,
    'aria-describedby': about || undefined,
    'aria-invalid': problem !== null,
  } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input
          {...shared}
          ref={line}
          type={type}
          inputMode={mode}
          autoComplete={complete ?? 'off'}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={onEnter && entering(onEnter)}
        />
      )}
      <Notes id={id} hint={hint} problem={problem} />
      {mode === 'decimal' && (
        <p role="status" class="quiet">
          {read}
        </p>
      )}
    </div>
  );
}

export function Choice<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: V;
  options: readonly (readonly [value: V, text: string])[];
  onChange: (value: V) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as V)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

export function Check({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} /> {label}
    </label>
  );
}

/** A form that sends nothing by itself. */
export function Form({ onSubmit, children }: { onSubmit: () => unknown; children: ComponentChildren }): JSX.Element {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
