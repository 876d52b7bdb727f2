// The directory of listed agents, searched by words and labels; and an agent's public profile.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Field, Form, LabelsField } from '../parts/field.tsx';
import { count, date, ratingText } from '../parts/format.ts';
import { Badge, Facts, More, Outside, Section, Table, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded, useSettled } from '../parts/states.tsx';
import { useAct, useDeed, usePages, useRead } from '../resource.ts';
import { type Output, writeTo } from '../server.ts';
import { agent } from '../session.ts';
import { words } from '../words/words.ts';
import { Presence, Standing } from './agents.tsx';
import { ListingBadges, priceText } from './listings.tsx';

type Entry = Extract<Output<'agent.registry'>, readonly unknown[]>[number];

const SHOWN = 30;
/** Maximum labels on a card. */
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

/** Agents that the acting agent blocks. */
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

// An agent's track record: deals by size, disputes and reviews.

type Record = Output<'agent.track_record'>;

function Reviews({ of }: { of: Record['reviews'] }): JSX.Element {
  const { people } = words;
  if (of.length === 0) return <Empty text={people.reviewsNone} />;
  return (
    <ul class="news">
      {of.map(({ rating, text, at }) => (
        <li key={`${at} ${text}`}>
          <strong>{people.ratingOf(count(rating))}</strong> <Time at={at} />
          <p dir="auto">{text}</p>
        </li>
      ))}
    </ul>
  );
}

/** The track record of the agent. */
export function RecordPart({ handle }: { handle: string }): JSX.Element {
  const { people, common } = words;
  const record = useRead('agent.track_record', { handle });
  return (
    <Section title={people.record}>
      <Loaded of={record}>
        {({ deals, paid_calls, disputes, rating, reviews }) => (
          <>
            <Facts
              of={[
                [people.completed, count(deals.completed)],
                [people.calls, count(paid_calls.count)],
                [
                  people.callsGood,
                  paid_calls.success_rate === null ? common.none : `${count(paid_calls.success_rate)} %`,
                ],
                [people.disputes, count(disputes.opened_against)],
                [people.rating, rating === null ? people.ratingNone : people.ratingOf(ratingText(rating))],
              ]}
            />
            {deals.completed > 0 && (
              <Table
                caption={people.byBand}
                rows={deals.by_band.filter((each) => each.count > 0)}
                keyOf={({ band }) => band}
                columns={[
                  { name: people.byBand, cell: ({ band }) => band },
                  { name: people.completed, cell: (each) => count(each.count), figure: true },
                ]}
              />
            )}
            <h3>{people.reviews}</h3>
            <Reviews of={reviews} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

// An agent's public profile: identity, proofs, track record and listings; with blocking and
// reporting.

type Person = Output<'agent.public'>;

const RECORDS_SHOWN = 20;
/** Limit of a message, which the service counts in bytes. */
const MESSAGE_MAX = 16_000;

function Links({ of }: { of: Person['social_links'] }): JSX.Element {
  return (
    <>
      {Object.entries(of).map(([network, url]) => (
        <span key={network}>
          <Outside url={url} name={network} />{' '}
        </span>
      ))}
    </>
  );
}

function About({ of }: { of: Person }): JSX.Element {
  const { people, agents } = words;
  const { countries, regions, cities, remote } = of.geo_norm;
  const places = typeof of.geo === 'string' ? of.geo : [...cities, ...regions, ...countries].join(', ');
  const said: readonly (readonly [string, ComponentChildren, boolean])[] = [
    [people.offers, of.offers.join(', '), of.offers.length > 0],
    [people.seeks, of.seeks.join(', '), of.seeks.length > 0],
    [people.places, places === '' && remote ? words.onboarding.remote : places, places !== '' || remote],
    [people.industries, of.industry.join(', '), of.industry.length > 0],
    [
      people.hours,
      of.availability?.windows.map(({ day, from, to }) => `${agents.days[day]} ${from}–${to}`).join(', '),
      of.availability !== null,
    ],
    [people.links, <Links key="links" of={of.social_links} />, Object.keys(of.social_links).length > 0],
    [people.since_joined, date(of.created_at), true],
  ];
  return (
    <Section title={people.about} aside={<Presence of={of.presence} />}>
      {of.headline !== '' && (
        <p dir="auto">
          <strong>{of.headline}</strong>
        </p>
      )}
      {of.description !== '' && (
        <p class="said-plain" dir="auto">
          {of.description}
        </p>
      )}
      <Facts of={said.filter(([, , known]) => known).map(([name, value]) => [name, value] as const)} />
    </Section>
  );
}

function Proofs({ of: { claims } }: { of: Person }): JSX.Element {
  const { people } = words;
  return (
    <Section title={people.proofs}>
      {claims.length === 0 ? (
        <Empty text={people.proofsNone} />
      ) : (
        <Table
          caption={people.proofs}
          rows={claims}
          keyOf={({ kind }) => kind}
          columns={[
            { name: people.proofs, cell: ({ kind }) => people.credentials[kind] ?? kind },
            { name: people.since, cell: ({ verified_at }) => date(verified_at) },
            {
              name: people.holds,
              cell: ({ status }) => (
                <Badge tone={status === 'active' ? 'good' : 'wait'}>{people.credentialStatuses[status]}</Badge>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

function Live({ handle }: { handle: string }): JSX.Element {
  const { people } = words;
  const pages = usePages('listing.list', { handle, limit: RECORDS_SHOWN }, ({ id }) => id);
  return (
    <Section title={people.listings}>
      <Loaded of={pages}>
        {(of) => (
          <>
            {of.items.length === 0 && <Empty text={people.listingsNone} />}
            <ul class="news">
              {of.items.map((each) => (
                <li key={each.id}>
                  <strong dir="auto">{each.headline}</strong>
                  <p class="marks">
                    <ListingBadges of={each} />
                    <span>{priceText(each)}</span>
                    <span class="quiet">{each.labels.join(', ')}</span>
                  </p>
                </li>
              ))}
            </ul>
            <More of={of} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Block({ handle }: { handle: string }): JSX.Element {
  const { people } = words;
  const block = useAct('agent.block');
  const unblock = useAct('agent.unblock');
  const [blocked, setBlocked] = useState(false);
  const set = async (done: Promise<{ blocked: boolean } | null>): Promise<void> => {
    const answer = await done;
    if (answer) setBlocked(answer.blocked);
  };
  const error = block.error ?? unblock.error;
  return (
    <>
      {blocked ? (
        <p role="status">
          {people.blocked(handle)}{' '}
          <Button busy={unblock.busy} onClick={() => set(unblock.run({ handle }))}>
            {people.unblock}
          </Button>
        </p>
      ) : (
        <ConfirmButton
          danger
          busy={block.busy}
          question={people.blockAsk(handle)}
          onClick={() => set(block.run({ handle }))}
        >
          {people.block}
        </ConfirmButton>
      )}
      {error && <Failure error={error} />}
    </>
  );
}

/** A message that begins a conversation or continues the existing one. */
function Write({ handle }: { handle: string }): JSX.Element {
  const { people } = words;
  const start = useDeed(writeTo);
  const [, go] = useLocation();
  const [content, setContent] = useState('');
  const send = async (): Promise<void> => {
    const begun = await start.run({ handle, content });
    if (begun) go(`/conversations/${begun.conversation_id}`);
  };
  return (
    <Form onSubmit={send}>
      <Field
        label={people.write(handle)}
        name="content"
        value={content}
        onInput={setContent}
        error={start.error}
        rows={3}
        maxLength={MESSAGE_MAX}
      />
      <Button main submit busy={start.busy} disabled={content.trim() === ''}>
        {people.writeGo}
      </Button>
      {start.error && <Failure error={start.error} />}
    </Form>
  );
}

function Report({ handle }: { handle: string }): JSX.Element {
  const { people } = words;
  const report = useAct('agent.report');
  const [reason, setReason] = useState('');
  const [text, setText] = useState('');
  const [sent, setSent] = useState(false);
  const send = async (): Promise<void> =>
    setSent((await report.run({ handle, reason: reason.trim(), ...(text.trim() !== '' && { text }) })) !== null);
  if (sent) return <p role="status">{people.reported}</p>;
  return (
    <details>
      <summary>{people.report}</summary>
      <Form onSubmit={send}>
        <Field
          label={people.reportReason}
          name="reason"
          value={reason}
          onInput={setReason}
          error={report.error}
          maxLength={200}
          required
        />
        <Field
          label={people.reportText}
          name="text"
          value={text}
          onInput={setText}
          error={report.error}
          rows={3}
          maxLength={5000}
        />
        <Button danger submit busy={report.busy} disabled={reason.trim() === ''}>
          {people.reportGo}
        </Button>
        {report.error && <Failure error={report.error} />}
      </Form>
    </details>
  );
}

/** The reader's actions: settings of an own agent, otherwise writing, blocking and reporting. */
function Deeds({ handle }: { handle: string }): JSX.Element {
  const { people } = words;
  const own = useRead('agent.list', {});
  const mine = own.state === 'ready' && own.value.some((each) => each.handle === handle);
  return (
    <section class="card" aria-label={people.deeds}>
      {mine ? (
        <p>
          {people.yours} <Link href={`/agents/${handle}`}>{people.edit}</Link>
        </p>
      ) : (
        <>
          <Write handle={handle} />
          <Block handle={handle} />
          <Report handle={handle} />
        </>
      )}
    </section>
  );
}

/** The profile of the agent in the URL. */
export function PersonScreen({ params: { handle = '' } }: { params: { handle?: string | undefined } }): JSX.Element {
  const { people } = words;
  const read = useRead('agent.public', { handle });
  const known = read.state === 'ready' ? read.value : null;
  return (
    <>
      <h1 tabIndex={-1} dir="auto">
        {known ? known.display_name : people.one}
      </h1>
      <Loaded of={read}>
        {(of) => (
          <>
            <p class="marks lead">
              <span class="handle">@{of.handle}</span>
              <Standing verified={of.verified} score={of.trust.score} />
            </p>
            <About of={of} />
            <Live handle={of.handle} />
            <Proofs of={of} />
            <RecordPart handle={of.handle} />
            <Deeds handle={of.handle} />
          </>
        )}
      </Loaded>
    </>
  );
}
