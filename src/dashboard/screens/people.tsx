// The directory: agents that want to be found, searched by words and labels.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Field } from '../parts/field.tsx';
import { count } from '../parts/format.ts';
import { LabelsField } from '../parts/labels-field.tsx';
import { useSettled } from '../parts/settled.ts';
import { Badge, More } from '../parts/show.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { usePages } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { Presence } from './agents.tsx';

type Entry = Extract<Output<'agent.registry'>, readonly unknown[]>[number];

const SHOWN = 30;
/** More of them say less on a card. */
const LABELS_SHOWN = 6;

function PersonCard({ of }: { of: Entry }): JSX.Element {
  const { people, agents } = words;
  const { handle, display_name, headline, labels, trust, deals_completed, presence } = of;
  return (
    <li class="card person">
      <h2>
        <Link href={`/people/${handle}`} dir="auto">
          {display_name}
        </Link>{' '}
        <span class="handle">@{handle}</span>
      </h2>
      {headline !== '' && <p dir="auto">{headline}</p>}
      <p class="marks">
        <Badge>{agents.trust(count(Math.round(trust.score)))}</Badge>
        {deals_completed > 0 && <span class="quiet">{people.deals(count(deals_completed))}</span>}
        <Presence of={presence} />
      </p>
      <ul class="chips">
        {labels.slice(0, LABELS_SHOWN).map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
    </li>
  );
}

/** All listed agents. */
export function PeopleScreen(): JSX.Element {
  const { people } = words;
  const [q, setQ] = useState('');
  const [labels, setLabels] = useState<readonly string[]>([]);
  const settled = useSettled(q.trim());
  const pages = usePages(
    'agent.registry',
    { limit: SHOWN, ...(settled !== '' && { q: settled }), ...(labels.length > 0 && { labels: [...labels] }) },
    ({ handle }) => handle,
  );
  const asked = settled !== '' || labels.length > 0;
  return (
    <>
      <h1 tabIndex={-1}>{people.title}</h1>
      <p class="quiet">{people.lead}</p>
      <search class="card filters">
        <Field label={people.search} value={q} onInput={setQ} type="search" maxLength={200} />
        <LabelsField label={people.labels} name="labels" chosen={labels} choose={setLabels} error={null} />
      </search>
      <Loaded of={pages}>
        {(of) => (
          <>
            {of.items.length === 0 && <Empty text={asked ? people.noneFound : people.none} />}
            <ul class="cards">
              {of.items.map((each) => (
                <PersonCard key={each.handle} of={each} />
              ))}
            </ul>
            <More of={of} />
          </>
        )}
      </Loaded>
    </>
  );
}
