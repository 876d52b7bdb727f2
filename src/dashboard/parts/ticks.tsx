// Checkbox lists in groups: each group has a name, an optional sentence, and a checkbox for all of it.
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../words/words.ts';
import { Check } from './field.tsx';

export interface TickGroup {
  readonly id: string;
  readonly name: string;
  readonly text?: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

interface TicksProps {
  groups: readonly TickGroup[];
  chosen: readonly string[];
  choose: (chosen: readonly string[]) => void;
}

/** A group's checkbox: indeterminate while part of the group is chosen. */
function Whole({ name, some, all, set }: { name: string; some: boolean; all: boolean; set: (on: boolean) => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = some && !all;
  });
  return (
    <label class="check whole">
      <input
        ref={box}
        type="checkbox"
        checked={all}
        aria-label={words.developer.allOf(name)}
        onChange={(event) => set(event.currentTarget.checked)}
      />{' '}
      <strong>{name}</strong>
    </label>
  );
}

export function Ticks({ groups, chosen, choose }: TicksProps): JSX.Element {
  const without = (values: readonly string[]): string[] => chosen.filter((each) => !values.includes(each));
  return (
    <div class="ticks">
      {groups.map(({ id, name, text, options }) => {
        const values = options.map(([value]) => value);
        const ticked = values.filter((value) => chosen.includes(value));
        return (
          <fieldset key={id} aria-label={name}>
            <Whole
              name={name}
              some={ticked.length > 0}
              all={ticked.length === values.length}
              set={(on) => choose(on ? [...without(values), ...values] : without(values))}
            />
            {text !== undefined && <p class="quiet">{text}</p>}
            {options.map(([value, label]) => (
              <Check
                key={value}
                label={label}
                checked={chosen.includes(value)}
                onChange={(on) => choose(on ? [...chosen, value] : without([value]))}
              />
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
