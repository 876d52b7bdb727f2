// The matches of the acting agent, each with its score and reasons, and the answers that it takes; and one match in full.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../parts/button.tsx';
import { count } from '../parts/format.ts';
import { type Match, MatchAnswer, MatchBadge } from '../parts/match-answer.tsx';
import { Missing } from '../parts/missing.tsx';
import { useNoticed } from '../parts/noticed.ts';
import { Score } from '../parts/score.tsx';
import { Segments } from '../parts/segments.tsx';
import { Agent, Facts, More, Section, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Summary = Output<'match.summary'>;

const SHOWN = 30;

function Reasons({ of }: { of: readonly string[] }): JSX.Element | null {
  const { matches } = words;
  if (of.length === 0) return null;
  return (
    <ul class="chips" aria-label={matches.reasons}>
      {of.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

function MatchCard({ match }: { match: Match }): JSX.Element {
  const { matches } = words;
  const { match_id, score_percent, counterparty_handle, their_listing, my_listing, reasons, expires_at } = match;
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
      <Reasons of={reasons} />
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
  const { match, summary, reasons, counterparty } = of;
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
        <Reasons of={reasons} />
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
