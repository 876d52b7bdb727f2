// A choice between a few ways to see the same: all of them are shown, one is pressed.
import type { JSX } from 'preact';

interface SegmentsProps<V extends string> {
  label: string;
  value: V;
  options: readonly (readonly [value: V, text: string])[];
  onChange: (value: V) => void;
}

export function Segments<V extends string>({ label, value, options, onChange }: SegmentsProps<V>): JSX.Element {
  return (
    <fieldset class="segments" aria-label={label}>
      {options.map(([each, text]) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
