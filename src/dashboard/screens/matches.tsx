// The acting agent's matches: best, weak ones below its minimum score, or all; and a single match.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { DECLINE_REASONS } from '../../domain/match/state.ts';
import { answerLater, saidOf } from '../answers.ts';
import { Button } from '../parts/button.tsx';
import { Choice, Field, Form } from '../parts/field.tsx';
import { count } from '../parts/format.ts';
import { Missing } from '../parts/missing.tsx';
import { Reasons } from '../parts/reasons.tsx';
import { Facts, More, Score, Section, Segments, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded, useNoticed } from '../parts/states.tsx';
import { useAct, usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { toldInWords } from '../words/refusal.ts';
import { words } from '../words/words.ts';
import { KeyedList, KeyHint } from './home/list.tsx';
import { Answers, type Match, MatchBadge, MatchCard, Terms } from './match/card.tsx';

interface DeclineProps {
  go: (why: { readonly reason: string; readonly note?: string }) => void;
  close: () => void;
}

/** The form to decline with a reason; `close` cancels it. */
function Decline({ go, close }: DeclineProps): JSX.Element {
  const { matches, common } = words;
  const [reason, setReason] = useState<(typeof DECLINE_REASONS)[number]>('not_relevant');
  const [note, setNote] = useState('');
  return (
    <Form onSubmit={() => go({ reason, ...(note.trim() !== '' && { note: note.trim() }) })}>
      <p class="quiet">{matches.declineWhy}</p>
      <Choice
        label={matches.declineTitle}
        value={reason}
        options={DECLINE_REASONS.map((each) => [each, matches.declineReasons[each]] as const)}
        onChange={setReason}
      />
      <Field label={matches.note} value={note} onInput={setNote} rows={2} maxLength={2000} />
      <div class="buttons">
        <Button danger submit>
          {matches.declineGo}
        </Button>
        <Button onClick={close}>{common.cancel}</Button>
      </div>
    </Form>
  );
}

/** The answers on a match's page; declining asks for a reason. */
function MatchAnswer({ match }: { match: Match }): JSX.Element | null {
  const [declining, setDeclining] = useState(false);
  const [here] = useLocation();
  const { match_id, their_listing } = match;
  const { headline } = their_listing;
  if (saidOf(match_id) === 'not_a_fit') return null;
  if (declining) {
    const decline: DeclineProps['go'] = (why) => {
      setDeclining(false);
      answerLater({ match_id, action: 'not_a_fit', ...why }, headline);
    };
    return <Decline go={decline} close={() => setDeclining(false)} />;
  }
  return (
    <Answers
      match={match}
      interested={() => answerLater({ match_id, action: 'interested' }, headline, here)}
      decline={() => setDeclining(true)}
    />
  );
}

type Summary = Output<'match.summary'>;

const SHOWN = 30;

const SHOWN_AS = ['best', 'weak', 'all'] as const;
type ShownAs = (typeof SHOWN_AS)[number];

function MatchCards({ of, shown }: { of: readonly Match[]; shown: ShownAs }): JSX.Element {
  const { matches } = words;
  const left = of.filter(({ match_id }) => saidOf(match_id) !== 'not_a_fit');
  if (left.length === 0 && shown === 'weak') return <Empty text={matches.weakNone} />;
  if (left.length === 0) return <Empty text={matches.none} href="/listings" action={matches.noneAction} />;
  return (
    <>
      <KeyedList of={left} keyOf={({ match_id }) => match_id} label={matches.shown[shown]}>
        {(match) => <MatchCard match={match} />}
      </KeyedList>
      <KeyHint />
    </>
  );
}

function Feed({ shown }: { shown: 'best' | 'weak' }): JSX.Element {
  const feed = useRead('match.feed', shown === 'weak' ? { only: 'weak' } : {});
  return <Loaded of={feed}>{(found) => <MatchCards of={found} shown={shown} />}</Loaded>;
}

function All(): JSX.Element {
  const pages = usePages('match.list', { limit: SHOWN }, ({ match_id }) => match_id);
  return (
    <Loaded of={pages}>
      {(of) => (
        <>
          <MatchCards of={of.items} shown="all" />
          <More of={of} />
        </>
      )}
    </Loaded>
  );
}

/** All matches, best or newest first, or the weak ones. */
export function MatchesScreen(): JSX.Element {
  const { matches } = words;
  const [shown, setShown] = useState<ShownAs>('best');
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
          options={SHOWN_AS.map((each) => [each, matches.shown[each]] as const)}
          onChange={setShown}
        />
        <Button busy={run.busy} onClick={async () => setRan(await run.run({}))}>
          {matches.run}
        </Button>
      </div>
      {run.error && <Failure error={run.error} />}
      <p role="status" class="quiet">
        {ran &&
          (ran.note === null
            ? matches.ran(count(ran.matches.length), count(ran.considered))
            : toldInWords(ran.note, words.refusals))}
      </p>
      {shown === 'all' ? <All /> : <Feed key={shown} shown={shown} />}
    </>
  );
}

function Whole({ of }: { of: Summary }): JSX.Element {
  const { matches, agents } = words;
  const { match, counterparty } = of;
  return (
    <>
      <section class="card match" aria-label={matches.summary}>
        <header>
          <Score percent={match.score_percent} />
          <div>
            <Terms of={match} />
            <p class="marks">
              <MatchBadge of={match} />
            </p>
          </div>
        </header>
        <Facts
          of={[
            [matches.theirs, match.their_listing.headline],
            [matches.mine, <Link href={`/listings/${match.my_listing.id}`}>{match.my_listing.headline}</Link>],
            ...(match.expires_at === null || match.status !== 'pending'
              ? []
              : [[matches.until, <Time key="until" at={match.expires_at} />] as const]),
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

/** The match in the URL. */
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
