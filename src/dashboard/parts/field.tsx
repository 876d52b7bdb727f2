// Form fields: label, input and error, associated for screen readers.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { MeshworkError } from '../../client/error.ts';
import { useTyped } from '../drafts.ts';
import { useRead } from '../resource.ts';
import { words } from '../words/words.ts';
import { money, readAmount } from './format.ts';
import { problemOf, useNamed } from './refused.ts';
import { useSettled } from './states.tsx';

interface FieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: string;
  /** The field's name in the operation's input; errors for that name are displayed at the field. */
  name?: string;
  error?: MeshworkError | null;
  /** Its error, for refusals that name no field. */
  problem?: string | null;
  type?: 'text' | 'email' | 'number' | 'url' | 'tel' | 'date' | 'datetime-local' | 'search';
  mode?: 'decimal' | 'numeric' | 'text' | 'tel' | 'email' | 'url' | 'search';
  complete?: string;
  rows?: number;
  /** Called on Enter in a textarea; Shift+Enter inserts a line break. */
  onEnter?: () => unknown;
  required?: boolean;
  maxLength?: number;
}

/** A field's hint and error. */
function Notes({ id, hint, problem }: { id: string; hint: string | undefined; problem: string | null }): JSX.Element {
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

/** Ids of a field's existing notes (aria-describedby). */
function notesOf(id: string, hint: string | undefined, problem: string | null): string | undefined {
  const ids = [hint === undefined ? '' : `${id}-hint`, problem === null ? '' : `${id}-problem`];
  return ids.filter(Boolean).join(' ') || undefined;
}

/** Calls on plain Enter: not with Shift, and not during IME composition. */
function entering(onEnter: () => unknown): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    onEnter();
  };
}

/** Validates an amount while it is typed: an invalid one shows an error at the field and blocks the form. */
function useAmount(text: string) {
  const line = useRef<HTMLInputElement>(null);
  const amount = text.trim() === '' ? undefined : readAmount(text);
  const misread = amount === null ? words.common.noAmount : '';
  useEffect(() => line.current?.setCustomValidity(misread), [misread]);
  return { line, misread, read: typeof amount === 'number' && words.common.readAs(money(amount)) };
}

function ReadAs({ text }: { text: string | false }): JSX.Element {
  return (
    <p role="status" class="quiet">
      {text}
    </p>
  );
}

type Line = HTMLInputElement | HTMLTextAreaElement;

/** Displays a validation error at the field, instead of in the browser's bubble, until the value changes; focuses the first such
 * field. */
function useHeldBack(value: string) {
  const [held, setHeld] = useState({ value, problem: '' });
  const onInvalid = (event: JSX.TargetedEvent<Line>): void => {
    event.preventDefault();
    const { form, validity, validationMessage } = event.currentTarget;
    setHeld({ value, problem: validity.valueMissing ? words.common.needed : validationMessage });
    if (form?.querySelector('input:invalid, textarea:invalid') === event.currentTarget) event.currentTarget.focus();
  };
  return { held: held.value === value ? held.problem : '', onInvalid };
}

/** A text input; with `rows` a textarea. */
export function Field({
  label,
  value,
  onInput,
  hint,
  name,
  error,
  problem: told = null,
  type = 'text',
  mode,
  complete,
  rows,
  onEnter,
  required,
  maxLength,
}: FieldProps): JSX.Element {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const typing = useTyped(label, value, onInput, place);
  const { held, onInvalid } = useHeldBack(value);
  const take = complete === 'one-time-code' ? onInput : typing;
  const { line, misread, read } = useAmount(mode === 'decimal' ? value : '');
  useNamed(error, name, label, place);
  const problem = problemOf(error, name) ?? told ?? (misread || held || null);
  const shared = {
    id,
    name,
    value,
    required,
    maxLength,
    onInvalid,
    'aria-describedby': notesOf(id, hint, problem),
    'aria-invalid': problem !== null,
  } as const;
  return (
    <div class="field" ref={place}>
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input
          {...shared}
          ref={line}
          type={type}
          inputMode={mode}
          autoComplete={complete ?? 'off'}
          onInput={(event) => take(event.currentTarget.value)}
        />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          onInput={(event) => take(event.currentTarget.value)}
          onKeyDown={onEnter && entering(onEnter)}
        />
      )}
      <Notes id={id} hint={hint} problem={problem} />
      {mode === 'decimal' && <ReadAs text={read} />}
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

/** A form whose submission the page handles. */
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

// The field of a handle: it shows while typing whether the handle is available.

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

// Labels: search terms, typed one by one, completed from those in use, and removable.

const LABELS_MAX = 20;
const LABEL_MAX = 200;
const OFFERED = 8;

interface LabelsProps {
  label: string;
  chosen: readonly string[];
  choose: (labels: readonly string[]) => void;
  name: string;
  error: MeshworkError | null;
  required?: boolean;
}

/** Splits input into labels at commas and semicolons. */
function labelsOf(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Chosen labels and an input for the next. */
export function LabelsField({ label, chosen, choose, name, error, required }: LabelsProps): JSX.Element {
  const id = useId();
  const [typed, setTyped] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const chose = useTyped(label, chosen.join(), (text) => choose(labelsOf(text)), place);
  const settled = useSettled(typed.trim());
  const offered = useRead('label.search', settled === '' ? null : { q: settled, limit: OFFERED });
  const { labels } = words;
  const { held, onInvalid } = useHeldBack(chosen.join());
  useNamed(error, name, label, place);
  const problem = problemOf(error, name) ?? (held || null);
  const add = (text: string): void => {
    chose([...new Set([...chosen, ...labelsOf(text)])].slice(0, LABELS_MAX).join());
    setTyped('');
  };
  const type = (text: string): void => (/[,;\n]/.test(text) ? add(text) : setTyped(text));
  return (
    <div class="field" ref={place}>
      <label for={id}>{label}</label>
      {chosen.length > 0 && (
        <ul class="chips" aria-label={labels.chosen}>
          {chosen.map((each) => (
            <li key={each}>
              <button
                type="button"
                aria-label={labels.remove(each)}
                onClick={() => chose(chosen.filter((kept) => kept !== each).join())}
              >
                {each} <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        value={typed}
        list={`${id}-offered`}
        maxLength={LABEL_MAX}
        required={required === true && chosen.length === 0}
        onInvalid={onInvalid}
        autoComplete="off"
        aria-describedby={`${id}-hint${problem === null ? '' : ` ${id}-problem`}`}
        aria-invalid={problem !== null}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed.trim() === '') return;
          event.preventDefault();
          add(typed);
        }}
        onBlur={() => typed.trim() !== '' && add(typed)}
      />
      <datalist id={`${id}-offered`}>
        {offered.state === 'ready' && offered.value.map((each) => <option key={each.name} value={each.name} />)}
      </datalist>
      <Notes id={id} hint={labels.hint} problem={problem} />
    </div>
  );
}
