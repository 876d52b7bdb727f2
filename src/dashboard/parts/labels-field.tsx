// Labels: words by which others find something. They are typed one by one, completed from those in use, and taken away again.
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { MeshworkError } from '../../client/error.ts';
import { useRead } from '../resource.ts';
import { words } from '../words/words.ts';
import { Notes, problemOf } from './field.tsx';
import { useSettled } from './settled.ts';

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

/** What was typed, as labels: commas part them, and so do semicolons. */
function labelsOf(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Chosen labels and a line for the next. */
export function LabelsField({ label, chosen, choose, name, error, required }: LabelsProps): JSX.Element {
  const id = useId();
  const [typed, setTyped] = useState('');
  const settled = useSettled(typed.trim());
  const offered = useRead('label.search', settled === '' ? null : { q: settled, limit: OFFERED });
  const { labels } = words;
  const problem = problemOf(error, name);
  const add = (text: string): void => {
    choose([...new Set([...chosen, ...labelsOf(text)])].slice(0, LABELS_MAX));
    setTyped('');
  };
  const type = (text: string): void => (/[,;\n]/.test(text) ? add(text) : setTyped(text));
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {chosen.length > 0 && (
        <ul class="chips" aria-label={labels.chosen}>
          {chosen.map((each) => (
            <li key={each}>
              <button
                type="button"
                aria-label={labels.remove(each)}
                onClick={() => choose(chosen.filter((kept) => kept !== each))}
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
