// A match as a card: listing, price, location, reasons, and the three answers.
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { answerLater, opening, saidOf } from '../../answers.ts';
import { Button } from '../../parts/button.tsx';
import { shortMoney } from '../../parts/format.ts';
import { Reasons } from '../../parts/reasons.tsx';
import { Agent, Badge, Score, Time } from '../../parts/show.tsx';
import { OpenNow } from '../../parts/told-answers.tsx';
import type { Item } from '../../server.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';

/** A match as the acting agent sees it. */
export type Match = Item<'match.feed'>;

/** Whether the reader can still answer. */
function isUndecided({ match_id, status, approved_by }: Match): boolean {
  const open = status === 'pending' || status === 'approved';
  return open && !approved_by.includes(agent.value ?? '') && saidOf(match_id) !== 'interested';
}

/** Its status from the reader's side. */
export function MatchBadge({ of: { match_id, status, approved_by, saved } }: { of: Match }): JSX.Element | null {
  const { matches } = words;
  const said = saidOf(match_id) === 'interested';
  const mine = said || approved_by.includes(agent.value ?? '');
  const theirs = approved_by.some((handle) => handle !== agent.value);
  const interest = mine && theirs ? matches.mutual : mine ? matches.youWant : matches.theyWant;
  return (
    <>
      {(status === 'approved' || said) && <Badge tone="good">{interest}</Badge>}
      {status !== 'approved' && status !== 'pending' && <Badge>{matches.statuses[status]}</Badge>}
      {saved && <Badge>{matches.saved}</Badge>}
    </>
  );
}

/** The other side's price or budget. */
function Price({ of }: { of: NonNullable<Match['their_price']> }): JSX.Element {
  const { matches, market } = words;
  const amount = market.each(shortMoney(of.amount_cents), market.periods[of.period]).trim();
  return <strong>{of.is === 'price' ? matches.asks(amount) : matches.pays(amount)}</strong>;
}

/** Owner, price and location. */
export function Terms({ of: { counterparty_handle, their_price, their_place } }: { of: Match }): JSX.Element {
  return (
    <p class="marks terms">
      <Agent handle={counterparty_handle} />
      {their_price && <Price of={their_price} />}
      {their_place !== null && <span dir="auto">{their_place}</span>}
    </p>
  );
}

const REASONS_SHOWN = 3;
/** A shorter swipe snaps back. */
const SWIPE_MIN_PX = 88;
/** Movement below this has no direction yet. */
const BEGUN_PX = 12;

/** Follows a horizontal swipe and answers when released far enough. Vertical scrolling is unaffected. */
function useSwipe(right: () => void, left: () => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const [moved, setMoved] = useState(0);
  const end = (): void => {
    from.current = null;
    setMoved(0);
  };
  return {
    moved,
    handlers: {
      onPointerDown: ({ pointerType, clientX: x, clientY: y }: PointerEvent): void => {
        if (pointerType === 'touch') from.current = { x, y };
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent): void => {
        if (!from.current) return;
        const [x, y] = [clientX - from.current.x, clientY - from.current.y];
        if (Math.abs(x) > BEGUN_PX && Math.abs(x) > Math.abs(y)) setMoved(x);
      },
      onPointerUp: (): void => {
        if (moved > SWIPE_MIN_PX) right();
        else if (moved < -SWIPE_MIN_PX) left();
        end();
      },
      onPointerCancel: end,
    },
  };
}

/** The effect of releasing, displayed behind the card. */
function SwipeHint({ moved }: { moved: number }): JSX.Element | null {
  const { matches } = words;
  if (moved === 0) return null;
  return (
    <span class={moved > 0 ? 'swipe right' : 'swipe left'} aria-hidden="true">
      {moved > 0 ? matches.interested : matches.notFit}
    </span>
  );
}

interface AnswersProps {
  match: Match;
  interested: () => void;
  decline: () => void;
}

/** A match's buttons and the link to its conversation; nothing when it is closed without one. */
export function Answers({ match, interested, decline }: AnswersProps): JSX.Element {
  const { matches } = words;
  const { match_id, their_listing, conversation_id, saved } = match;
  const undecided = isUndecided(match);
  const save = (): void => answerLater({ match_id, action: 'saved' }, their_listing.headline);
  return (
    <div class="buttons">
      {undecided && (
        <>
          <Button main onClick={interested} shortcut="i">
            {matches.interested}
          </Button>
          <Button onClick={decline} shortcut="x">
            {matches.notFit}
          </Button>
          {!saved && saidOf(match_id) !== 'saved' && (
            <Button onClick={save} shortcut="s">
              {matches.save}
            </Button>
          )}
        </>
      )}
      <OpenNow match_id={match_id} main />
      {conversation_id !== null && !opening(match_id) && (
        <Link class={undecided ? 'button' : 'button main'} href={`/conversations/${conversation_id}`}>
          {matches.talk}
        </Link>
      )}
    </div>
  );
}

/** The card, with its answers where it takes any. */
export function MatchCard({ match }: { match: Match }): JSX.Element {
  const { matches } = words;
  const { match_id, score_percent, their_listing, my_listing, expires_at } = match;
  const undecided = isUndecided(match);
  const say = (action: 'interested' | 'not_a_fit') => (): void =>
    answerLater({ match_id, action }, their_listing.headline);
  const [interested, decline] = [say('interested'), say('not_a_fit')];
  const { moved, handlers } = useSwipe(interested, decline);
  return (
    <article class="card match" {...(undecided && handlers)}>
      <SwipeHint moved={moved} />
      <div class="slide" style={{ transform: moved === 0 ? 'none' : `translateX(${moved}px)` }}>
        <header>
          <Score percent={score_percent} />
          <div>
            <h3>
              <Link href={`/matches/${match_id}`} data-key="Enter" dir="auto">
                {their_listing.headline}
              </Link>
            </h3>
            <Terms of={match} />
          </div>
        </header>
        <Reasons of={match} limit={REASONS_SHOWN} />
        <p class="quiet">
          {matches.meets} <span dir="auto">{my_listing.headline}</span>
          {undecided && expires_at !== null && (
            <>
              {' '}
              · {matches.until} <Time at={expires_at} />
            </>
          )}
        </p>
        <p class="marks">
          <MatchBadge of={match} />
        </p>
        <Answers match={match} interested={interested} decline={decline} />
      </div>
    </article>
  );
}
