// The value of an issue of a deal, as a person types or chooses it.
import type { JSX } from 'preact';
import type { MeshworkError } from '../../client/error.ts';
import { type Issue, type IssueName, LICENCES } from '../../domain/negotiation/issue.ts';
import { words } from '../words/words.ts';
import { Choice, Field } from './field.tsx';

/** What was typed, as an operation takes it; for a text that is none of its values the service asks. */
export function issueValue(issue: IssueName, text: string): Issue['value'] {
  if (issue === 'licence') return LICENCES.find((each) => each === text) ?? Number.NaN;
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

interface IssueFieldProps {
  issue: IssueName;
  label: string;
  /** The field's name in the operation's input. */
  name: string;
  value: string;
  onInput: (value: string) => void;
  error: MeshworkError | null;
  /** What no value is called; without it a value is required. */
  none?: string;
}

export function IssueField({ issue, label, name, value, onInput, error, none }: IssueFieldProps): JSX.Element {
  if (issue !== 'licence') {
    const required = none === undefined;
    return <Field {...{ label, name, value, onInput, error, required }} mode="numeric" />;
  }
  const { licences } = words.listings.goals;
  const options = LICENCES.map((each) => [each, licences[each]] as const);
  return (
    <Choice<string>
      label={label}
      value={value}
      options={none === undefined ? options : [['', none], ...options]}
      onChange={onInput}
    />
  );
}
