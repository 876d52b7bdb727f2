// People and agents, searched by prefix of address or handle. Opening a person requires a reason.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { PLAN_NAMES } from '../../instance.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { count } from '../../parts/format.ts';
import { Agent, Badge, More, Section, Table, Time } from '../../parts/show.tsx';
import { Empty, Loaded, useSettled } from '../../parts/states.tsx';
import { usePages } from '../../resource.ts';
import type { Item } from '../../server.ts';
import { words } from '../../words/words.ts';
import type { PartProps } from './overview.tsx';
import { LookPart } from './person.tsx';

const STATES = ['all', 'suspended', 'administrator'] as const;
const PLANS = ['all', 'free', 'pro'] as const;

function Standing({ state, admin: administers }: Item<'admin.people'>): JSX.Element {
  const { admin } = words;
  return (
    <>
      <Badge tone={state === 'suspended' ? 'bad' : 'plain'}>{admin.states[state]}</Badge>{' '}
      {administers && <Badge tone="good">{admin.administers}</Badge>}
    </>
  );
}

function PeopleTable({
  people,
  choose,
}: {
  people: readonly Item<'admin.people'>[];
  choose: (who: string) => void;
}): JSX.Element {
  const { admin, accounts, common } = words;
  return (
    <Table
      caption={admin.people}
      rows={people}
      keyOf={({ id }) => id}
      columns={[
        { name: accounts.address, cell: ({ email }) => email ?? common.none },
        { name: accounts.plan, cell: (person) => PLAN_NAMES[person.plan] },
        { name: admin.state, cell: (person) => <Standing {...person} /> },
        { name: admin.agents, figure: true, cell: ({ agents }) => count(agents) },
        { name: accounts.since, cell: ({ created_at }) => <Time at={created_at} /> },
        {
          name: admin.lastSeen,
          cell: ({ last_seen_at }) => (last_seen_at ? <Time at={last_seen_at} /> : common.none),
        },
        {
          name: admin.act,
          cell: ({ id, email }) => (
            <Button label={admin.openOf(email ?? id)} onClick={() => choose(email ?? id)}>
              {admin.open}
            </Button>
          ),
        },
      ]}
    />
  );
}

function PeopleList({ choose }: { choose: (who: string) => void }): JSX.Element {
  const { admin, accounts } = words;
  const [q, setQ] = useState('');
  const [state, setState] = useState<(typeof STATES)[number]>('all');
  const [plan, setPlan] = useState<(typeof PLANS)[number]>('all');
  const settled = useSettled(q.trim());
  const people = usePages(
    'admin.people',
    { ...(settled !== '' && { q: settled }), ...(state !== 'all' && { state }), ...(plan !== 'all' && { plan }) },
    ({ id }) => id,
  );
  return (
    <Section title={admin.people}>
      <p>
        <Link class="button" href="/invitations">
          {words.invitations.make}
        </Link>
      </p>
      <Field label={admin.addressBegins} value={q} onInput={setQ} maxLength={254} />
      <div class="buttons">
        <Choice
          label={admin.state}
          value={state}
          onChange={setState}
          options={STATES.map((each) => [each, admin.filters[each]] as const)}
        />
        <Choice
          label={accounts.plan}
          value={plan}
          onChange={setPlan}
          options={PLANS.map((each) => [each, each === 'all' ? admin.filters.all : PLAN_NAMES[each]] as const)}
        />
      </div>
      <Loaded of={people}>
        {(pages) => (
          <>
            {pages.items.length === 0 ? (
              <Empty text={admin.nobody} />
            ) : (
              <PeopleTable people={pages.items} choose={choose} />
            )}
            <More of={pages} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

export function PeoplePart({ who }: PartProps): JSX.Element {
  const [chosen, setChosen] = useState(who);
  return (
    <>
      <PeopleList choose={setChosen} />
      <LookPart about={chosen} />
    </>
  );
}

export function AgentsPart({ go }: PartProps): JSX.Element {
  const { admin, accounts, common } = words;
  const [q, setQ] = useState('');
  const settled = useSettled(q.trim());
  const agents = usePages('admin.agents', settled === '' ? {} : { q: settled }, ({ id }) => id);
  return (
    <Section title={admin.allAgents}>
      <Field label={admin.handleBegins} value={q} onInput={setQ} maxLength={64} />
      <Loaded of={agents}>
        {(pages) => (
          <>
            {pages.items.length === 0 ? (
              <Empty text={admin.nobody} />
            ) : (
              <Table
                caption={admin.allAgents}
                rows={pages.items}
                keyOf={({ id }) => id}
                columns={[
                  { name: admin.handle, cell: ({ handle }) => <Agent handle={handle} /> },
                  { name: admin.name, cell: ({ display_name }) => <span dir="auto">{display_name}</span> },
                  { name: accounts.address, cell: ({ email }) => email ?? common.none },
                  {
                    name: admin.state,
                    cell: ({ deactivated_at, visibility }) =>
                      deactivated_at === null ? visibility : <Badge tone="bad">{admin.deactivated}</Badge>,
                  },
                  { name: accounts.since, cell: ({ created_at }) => <Time at={created_at} /> },
                  {
                    name: admin.lastSeen,
                    cell: ({ last_seen_at }) => (last_seen_at ? <Time at={last_seen_at} /> : common.none),
                  },
                  {
                    name: admin.act,
                    cell: ({ handle, account_id }) => (
                      <Button label={admin.openOf(`@${handle}`)} onClick={() => go('people', account_id)}>
                        {admin.open}
                      </Button>
                    ),
                  },
                ]}
              />
            )}
            <More of={pages} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
