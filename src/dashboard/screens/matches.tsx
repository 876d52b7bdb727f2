// The matches of the acting agent, each with its score and reasons, and the answers that it takes; and one match in full.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { DECLINE_REASONS } from '../../domain/match/state.ts';
import { Button } from '../parts/button.tsx';
import { Choice, Field, Form } from '../parts/field.tsx';
import { count } from '../parts/format.ts';
import { Reasons } from '../parts/reasons.tsx';
import { Agent, Badge, Facts, Missing, More, Score, Section, Segments, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded, useNoticed } from '../parts/states.tsx';
import { useAct, usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { agent } from '../session.ts';
import { words } from '../words/words.ts';

// Answering a match: interest opens the conversation, a decline asks for its reason, and saving keeps it from expiring.

/** A match as the acting agent sees it. */
type Match = Output<'match.feed'>[number];

type Reason = (typeof DECLINE_REASONS)[number];

/** How it stands, from the reader's side. */
function MatchBadge({ of: { status, approved_by, saved } }: { of: Match }): JSX.Element {
  const { matches } = words;
  const mine = approved_by.includes(agent.value ?? '');
  const theirs = approved_by.some((handle) => handle !== agent.value);
  const interest = mine && theirs ? matches.mutual : mine ? matches.youWant : matches.theyWant;
  const open = status === 'pending' || status === 'approved';
  return (
    <span class="marks">
      {status === 'approved' ? (
        <Badge tone="good">{interest}</Badge>
      ) : (
        <Badge tone={open ? 'wait' : 'plain'}>{matches.statuses[status]}</Badge>
      )}
      {saved && <Badge>{matches.saved}</Badge>}
    </span>
  );
}

/** The form of a decline; `close` takes it back. */
function Decline({ match_id, close }: { match_id: string; close: () => void }): JSX.Element {
  const { matches, common } = words;
  const feedback = useAct('match.feedback');
  const [reason, setReason] = useState<Reason>('not_relevant');
  const [note, setNote] = useState('');
  const decline = async (): Promise<void> => {
    const answer = { match_id, action: 'not_a_fit', reason, ...(note.trim() !== '' && { note: note.trim() }) };
    if (await feedback.run(answer)) close();
  };
  return (
    <Form onSubmit={decline}>
      <p class="quiet">{matches.declineWhy}</p>
      <Choice
        label={matches.declineTitle}
        value={reason}
        options={DECLINE_REASONS.map((each) => [each, matches.declineReasons[each]] as const)}
        onChange={setReason}
      />
      <Field label={matches.note} value={note} onInput={setNote} rows={2} maxLength={2000} />
      <div class="buttons">
        <Button danger submit busy={feedback.busy}>
          {matches.declineGo}
        </Button>
        <Button onClick={close}>{common.cancel}</Button>
      </div>
      {feedback.error && <Failure error={feedback.error} />}
    </Form>
  );
}

/** The answers that a match takes; nothing once it is closed and has no conversation. */
function MatchAnswer({ match }: { match: Match }): JSX.Element {
  const { matches } = words;
  const feedback = useAct('match.feedback');
  const [declining, setDeclining] = useState(false);
  const [, go] = useLocation();
  const { match_id, status, approved_by, conversation_id, saved } = match;
  const open = status === 'pending' || status === 'approved';
  const undecided = open && !approved_by.includes(agent.value ?? '');
  const approve = async (): Promise<void> => {
    const answer = await feedback.run({ match_id, action: 'interested' });
    if (answer?.conversation_id) go(`/conversations/${answer.conversation_id}`);
  };
  if (declining) return <Decline match_id={match_id} close={() => setDeclining(false)} />;
  return (
    <>
      <div class="buttons">
        {undecided && (
          <>
            <Button main busy={feedback.busy} onClick={approve}>
              {matches.interested}
            </Button>
            <Button onClick={() => setDeclining(true)}>{matches.notFit}</Button>
            {!saved && <Button onClick={() => feedback.run({ match_id, action: 'saved' })}>{matches.save}</Button>}
          </>
        )}
        {conversation_id !== null && (
          <Link class={undecided ? 'button' : 'button main'} href={`/conversations/${conversation_id}`}>
            {matches.talk}
          </Link>
        )}
      </div>
      {feedback.error && <Failure error={feedback.error} />}
    </>
  );
}

type Summary = Output<'match.summary'>;

const SHOWN = 30;

function MatchCard({ match }: { match: Match }): JSX.Element {
  const { matches } = words;
  const { match_id, score_percent, counterparty_handle, their_listing, my_listing, expires_at } = match;
  return (
    <li class="card match">
      <header>
        <Score percent={score_percent} />
        <div>
          <h2>
            <Link href={`/matches/${match_id}`}>{their_listing.headline}</Link>
          </h2>
          <p class="quiet">
            <Agent handle={counterparty_handle} /> {matches.meets} {my_listing.headline}
          </p>
        </div>
      </header>
      <p class="marks">
        <MatchBadge of={match} />
        {expires_at !== null && (
          <span class="quiet">
            {matches.until} <Time at={expires_at} exact />
          </span>
        )}
      </p>
      <Reasons of={match} />
      <MatchAnswer match={match} />
    </li>
  );
}

function MatchCards({ of }: { of: readonly Match[] }): JSX.Element {
  const { matches } = words;
  if (of.length === 0) return <Empty text={matches.none} href="/listings" action={matches.noneAction} />;
  return (
    <ul class="stack">
      {of.map((match) => (
        <MatchCard key={match.match_id} match={match} />
      ))}
    </ul>
  );
}

function Best(): JSX.Element {
  const feed = useRead('match.feed', {});
  return <Loaded of={feed}>{(found) => <MatchCards of={found} />}</Loaded>;
}

function All(): JSX.Element {
  const pages = usePages('match.list', { limit: SHOWN }, ({ match_id }) => match_id);
  return (
    <Loaded of={pages}>
      {(of) => (
        <>
          <MatchCards of={of.items} />
          <More of={of} />
        </>
      )}
    </Loaded>
  );
}

/** All matches, the best or the newest first. */
export function MatchesScreen(): JSX.Element {
  const { matches } = words;
  const [shown, setShown] = useState<'best' | 'all'>('best');
  const run = useAct('match.run');
  const [ran, setRan] = useState<Output<'match.run'> | null>(null);
  return (
    <>
      <h1 tabIndex={-1}>{matches.title}</h1>
      <p class="quiet">{matches.lead}</p>
      <div class="lead">
        <Segments
          label={matches.show}
          value={shown}
          options={[
            ['best', matches.best],
            ['all', matches.all],
          ]}
          onChange={setShown}
        />
        <Button busy={run.busy} onClick={async () => setRan(await run.run({}))}>
          {matches.run}
        </Button>
      </div>
      {run.error && <Failure error={run.error} />}
      <p role="status" class="quiet">
        {ran && (ran.note ?? matches.ran(count(ran.matches.length), count(ran.considered)))}
      </p>
      {shown === 'best' ? <Best /> : <All />}
    </>
  );
}

function Whole({ of }: { of: Summary }): JSX.Element {
  const { matches, agents } = words;
  const { match, summary, counterparty } = of;
  return (
    <>
      <section class="card match" aria-label={matches.summary}>
        <header>
          <Score percent={match.score_percent} />
          <div>
            <MatchBadge of={match} />
            <p class="quiet">
              <Agent handle={counterparty.handle} /> {matches.meets} {match.my_listing.headline}
            </p>
          </div>
        </header>
        <p>{summary}</p>
        <Facts
          of={[
            [matches.theirs, match.their_listing.headline],
            [matches.mine, <Link href={`/listings/${match.my_listing.id}`}>{match.my_listing.headline}</Link>],
          ]}
        />
        <h3>{matches.reasons}</h3>
        <Reasons of={match} />
        <MatchAnswer match={match} />
      </section>
      <Section
        title={matches.counterparty}
        aside={
          <Link class="button" href={`/people/${counterparty.handle}`}>
            {matches.profile}
          </Link>
        }
      >
        <p>
          <strong>{counterparty.display_name}</strong> <span class="handle">@{counterparty.handle}</span>
        </p>
        <p>{counterparty.headline}</p>
        <p class="quiet">{agents.trust(count(counterparty.trust_score))}</p>
      </Section>
      <Missing of={of} />
    </>
  );
}

/** The match that the address names. */
export function MatchScreen({ params: { id = '' } }: { params: { id?: string | undefined } }): JSX.Element {
  const { matches } = words;
  useNoticed(`/matches/${id}`);
  const summary = useRead('match.summary', { match_id: id });
  return (
    <>
      <h1 tabIndex={-1}>{summary.state === 'ready' ? summary.value.match.their_listing.headline : matches.one}</h1>
      <Loaded of={summary}>{(of) => <Whole of={of} />}</Loaded>
    </>
  );
}
