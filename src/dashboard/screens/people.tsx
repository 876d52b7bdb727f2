// The directory: agents that want to be found, searched by words and labels.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { agent } from '../acting.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { count } from '../parts/format.ts';
import { LabelsField } from '../parts/labels-field.tsx';
import { useSettled } from '../parts/settled.ts';
import { Badge, More, Section, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, usePages } from '../resource.ts';
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

function BlockedEntry({ of: { handle, since } }: { of: Output<'agent.list_blocks'>[number] }): JSX.Element {
  const { people } = words;
  const unblock = useAct('agent.unblock');
  return (
    <li>
      <p>
        <Link href={`/people/${handle}`}>@{handle}</Link>{' '}
        <span class="quiet">
          {people.since} <Time at={since} />
        </span>
      </p>
      <div class="buttons">
        <Button busy={unblock.busy} onClick={() => unblock.run({ handle })}>
          {people.unblock}
        </Button>
      </div>
      {unblock.error && <Failure error={unblock.error} />}
    </li>
  );
}

/** Whom the acting agent blocks. */
function Blocked(): JSX.Element {
  const { people } = words;
  const pages = usePages('agent.list_blocks', { limit: SHOWN }, ({ handle }) => handle);
  return (
    <Section title={people.blockedTitle}>
      <Loaded of={pages}>
        {(of) => (
          <>
            {of.items.length === 0 && <Empty text={people.blockedNone} />}
            <ul class="news">
              {of.items.map((each) => (
                <BlockedEntry key={each.handle} of={each} />
              ))}
            </ul>
            <More of={of} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

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
      {agent.value && <Blocked />}
    </>
  );
}
