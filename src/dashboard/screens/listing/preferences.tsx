// What one would like to find on the other side: labels, and how much each matters to the matches.
import type { JSX } from 'preact';
import type { MeshworkError } from '../../../client/error.ts';
import { Choice } from '../../parts/field.tsx';
import { count } from '../../parts/format.ts';
import { LabelsField } from '../../parts/labels-field.tsx';
import { words } from '../../words/words.ts';
import type { Preference } from './draft.ts';

interface PreferencesProps {
  preferences: readonly Preference[];
  change: (preferences: readonly Preference[]) => void;
  error: MeshworkError | null;
}

/** What can be chosen; a weight that was given elsewhere stays what it is. */
const WEIGHTS = [0.25, 0.5, 0.75, 1] as const;
const USUAL = 0.5;

/** The labels, and a weight for each. */
export function Preferences({ preferences, change, error }: PreferencesProps): JSX.Element {
  const { listings } = words;
  const choose = (labels: readonly string[]): void =>
    change(labels.map((label) => preferences.find((each) => each.label === label) ?? { label, weight: USUAL }));
  return (
    <fieldset class="side">
      <legend>{listings.preferences}</legend>
      <p class="quiet">{listings.preferencesHint}</p>
      <LabelsField
        label={listings.preferred}
        name="conditions.preferences"
        chosen={preferences.map(({ label }) => label)}
        choose={choose}
        error={error}
      />
      <div class="columns">
        {preferences.map(({ label, weight }) => (
          <Choice
            key={label}
            label={listings.weightOf(label)}
            value={String(weight)}
            options={[...new Set([...WEIGHTS, weight])]
              .toSorted((a, b) => a - b)
              .map((each) => [String(each), listings.weights[String(each)] ?? count(each)] as const)}
            onChange={(text) =>
              change(preferences.map((each) => (each.label === label ? { label, weight: Number(text) } : each)))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
