// What the owner of a listing wants of each issue of a deal: the last acceptable value, the wish, and how much it counts.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MeshworkError } from '../../../client/error.ts';
import { GOAL_ISSUES } from '../../../domain/negotiation/goal.ts';
import { LICENCES } from '../../../domain/negotiation/issue.ts';
import { Button } from '../../parts/button.tsx';
import { SaveForm } from '../../parts/confirm.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { amountOf, count, dollarsOf } from '../../parts/format.ts';
import { IssueField, issueValue } from '../../parts/issue.tsx';
import { Section } from '../../parts/show.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Input, Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Goal = Output<'listing.goals'>['goals'][number];
type GoalInput = NonNullable<Input<'listing.set_goals'>['goals']>[number];

/** A goal as it is typed. */
interface Draft {
  readonly issue: Goal['issue'];
  readonly limit: string;
  readonly wish: string;
  readonly weight: number;
}

/** What can be chosen; a weight that was given elsewhere stays what it is. */
const WEIGHTS = [1, 2, 4] as const;
const USUAL = 2;

function typed(issue: Goal['issue'], value: Goal['limit']): string {
  if (value === null) return '';
  return issue === 'price' && typeof value === 'number' ? dollarsOf(value) : String(value);
}

const draftOf = ({ issue, limit, wish, weight }: Goal): Draft => ({
  ...{ issue, weight },
  limit: typed(issue, limit),
  wish: typed(issue, wish),
});

/** What was typed as the operation takes it; for a text that is no value the service asks. */
function valueIn(issue: Goal['issue'], text: string): Goal['limit'] {
  return issue === 'price' ? (amountOf(text) ?? null) : issueValue(issue, text);
}

const inputOf = ({ issue, limit, wish, weight }: Draft): GoalInput => ({
  ...{ issue, weight },
  limit: valueIn(issue, limit),
  wish: valueIn(issue, wish),
});

interface RowProps {
  draft: Draft;
  at: number;
  error: MeshworkError | null;
  change: (draft: Draft) => void;
  remove: () => void;
}

/** One end of a goal: the limit or the wish. */
function End({ draft, at, error, change, end }: Omit<RowProps, 'remove'> & { end: 'limit' | 'wish' }): JSX.Element {
  const { goals } = words.listings;
  const { issue } = draft;
  const field = {
    label: goals[end],
    name: `goals.${at}.${end}`,
    value: draft[end],
    onInput: (value: string): void => change({ ...draft, [end]: value }),
    error,
  };
  if (issue === 'price') return <Field {...field} hint={goals.priceHints[end]} mode="decimal" />;
  return <IssueField issue={issue} {...field} />;
}

function Row(props: RowProps): JSX.Element {
  const { goals } = words.listings;
  const { draft, change, remove } = props;
  const weights = [...new Set([...WEIGHTS, draft.weight])].toSorted((a, b) => a - b);
  return (
    <fieldset class="group">
      <legend>{goals.issues[draft.issue]}</legend>
      <div class="columns">
        <End {...props} end="limit" />
        <End {...props} end="wish" />
        <Choice
          label={goals.weight}
          value={String(draft.weight)}
          options={weights.map((each) => [String(each), goals.weights[String(each)] ?? count(each)] as const)}
          onChange={(text) => change({ ...draft, weight: Number(text) })}
        />
      </div>
      <div class="buttons">
        <Button onClick={remove}>{goals.remove(goals.issues[draft.issue])}</Button>
      </div>
    </fieldset>
  );
}

const blank = (issue: Goal['issue']): Draft => {
  const choice = issue === 'licence' ? LICENCES[0] : '';
  return { issue, limit: choice, wish: choice, weight: USUAL };
};

function Goals({ id, set }: { id: string; set: readonly Goal[] }): JSX.Element {
  const { goals } = words.listings;
  const act = useAct('listing.set_goals');
  const [drafts, setDrafts] = useState(() => set.map(draftOf));
  const left = GOAL_ISSUES.filter((issue) => !drafts.some((each) => each.issue === issue));
  return (
    <SaveForm save={() => act.run({ cardId: id, goals: drafts.map(inputOf) })} act={act}>
      {drafts.map((draft, at) => (
        <Row
          key={draft.issue}
          draft={draft}
          at={at}
          error={act.error}
          change={(to) => setDrafts(drafts.map((each) => (each === draft ? to : each)))}
          remove={() => setDrafts(drafts.filter((each) => each !== draft))}
        />
      ))}
      {left.length > 0 && (
        <Choice<string>
          label={goals.add}
          value=""
          options={[['', goals.choose], ...left.map((issue) => [issue, goals.issues[issue]] as const)]}
          onChange={(chosen) => {
            const issue = left.find((each) => each === chosen);
            if (issue) setDrafts([...drafts, blank(issue)]);
          }}
        />
      )}
    </SaveForm>
  );
}

/** The goals of a listing, for its owner. */
export function GoalsPart({ id }: { id: string }): JSX.Element {
  const { goals } = words.listings;
  const read = useRead('listing.goals', { cardId: id });
  return (
    <Section title={goals.title}>
      <p class="quiet">{goals.why}</p>
      <Loaded of={read}>{(own) => <Goals id={id} set={own.goals} />}</Loaded>
    </Section>
  );
}
