// A choice between several words, as chips of which one is pressed.
import type { JSX } from 'preact';

interface ChipsProps<V extends string> {
  label: string;
  value: V;
  options: readonly (readonly [value: V, text: string])[];
  onChange: (value: V) => void;
}

export function Chips<V extends string>({ label, value, options, onChange }: ChipsProps<V>): JSX.Element {
  return (
    <ul class="chips categories" aria-label={label}>
      {options.map(([each, text]) => (
        <li key={each}>
          <button type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
