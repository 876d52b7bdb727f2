// A key's spending limits, in addition to the wallet's.
import type { JSX } from 'preact';
import type { MeshworkError } from '../../../client/error.ts';
import { Field } from '../../parts/field.tsx';
import { readAmount } from '../../parts/format.ts';
import type { Input } from '../../server.ts';
import { words } from '../../words/words.ts';

const LIMITS = ['per_call', 'per_day', 'total'] as const;

/** The typed limits: amounts, and handles separated by commas. */
export interface Spending {
  readonly per_call: string;
  readonly per_day: string;
  readonly total: string;
  readonly recipients: string;
}

export const NO_LIMITS: Spending = { per_call: '', per_day: '', total: '', recipients: '' };

/** The limits as the operation's input; undefined when none is set. */
export function budgetOf(typed: Spending): Input<'key.create'>['budget'] {
  const handles = typed.recipients
    .split(/[\s,;]+/)
    .map((each) => each.replace(/^@/, ''))
    .filter(Boolean);
  const sums = LIMITS.flatMap((name) => {
    const cents = readAmount(typed[name]);
    return cents === null ? [] : [[`${name}_cents`, cents] as const];
  });
  if (sums.length === 0 && handles.length === 0) return undefined;
  return { ...Object.fromEntries(sums), ...(handles.length > 0 && { recipients: handles }) };
}

interface SpendingProps {
  typed: Spending;
  type: (typed: Spending) => void;
  error: MeshworkError | null;
}

export function SpendingFields({ typed, type, error }: SpendingProps): JSX.Element {
  const { keys } = words;
  const labels = { per_call: keys.perCall, per_day: keys.perDay, total: keys.total };
  return (
    <fieldset>
      <legend>{keys.spend}</legend>
      <p class="quiet">{keys.spendWhy}</p>
      <div class="columns">
        {LIMITS.map((name) => (
          <Field
            key={name}
            label={labels[name]}
            name={`budget.${name}_cents`}
            value={typed[name]}
            onInput={(text) => type({ ...typed, [name]: text })}
            mode="decimal"
            error={error}
          />
        ))}
        <Field
          label={keys.recipients}
          hint={keys.recipientsHint}
          name="budget.recipients"
          value={typed.recipients}
          onInput={(recipients) => type({ ...typed, recipients })}
          error={error}
        />
      </div>
    </fieldset>
  );
}
