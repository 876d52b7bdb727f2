// The column next to the messages: the other side, the two listings with their match reasons, and the deal's status.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Avatar } from '../../parts/avatar.tsx';
import { count, duration, listed, ratingText } from '../../parts/format.ts';
import { Reasons } from '../../parts/reasons.tsx';
import { Facts, Score, Sums, Time } from '../../parts/show.tsx';
import { useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import { issueFacts, Parts } from '../approvals/card.tsx';
import { Cancel, type Late, Pay, Reviews } from './deal.tsx';
import type { Deal } from './next-step.ts';

/** With room for both columns, the sections are open. */
const WIDE = '(min-width: 64rem)';

interface FoldProps {
  id: string;
  title: string;
  aside?: ComponentChildren;
  /** Open on narrow screens too. */
  open?: boolean;
  children: ComponentChildren;
}

/** A section of the column. A URL with its fragment opens it. */
export function Fold({ id, title, aside, open, children }: FoldProps): JSX.Element {
  const place = useRef<HTMLDetailsElement>(null);
  const [first] = useState(() => open === true || matchMedia(WIDE).matches);
  useEffect(() => {
    const come = (): void => {
      if (location.hash !== `#${id}` || !place.current) return;
      place.current.open = true;
      place.current.scrollIntoView({ block: 'start' });
    };
    // After the page has scrolled to its top.
    const soon = requestAnimationFrame(come);
    addEventListener('hashchange', come);
    return () => {
      cancelAnimationFrame(soon);
      removeEventListener('hashchange', come);
    };
  }, [id]);
  return (
    <details class="card fold" id={id} ref={place} open={first}>
      <summary>
        <h2>{title}</h2>
        {aside}
      </summary>
      {children}
    </details>
  );
}

/** The shortest displayed response time. */
const MINUTE_SECONDS = 60;

/** The other side's visible profile. */
export function Them({ handle }: { handle: string }): JSX.Element {
  const { room, people } = words;
  const profile = useRead('agent.public', { handle });
  const record = useRead('agent.track_record', { handle });
  const known = profile.state === 'ready' ? profile.value : null;
  const done = record.state === 'ready' ? record.value : null;
  const proofs = known?.claims
    .filter(({ status }) => status === 'active')
    .map(({ kind }) => people.credentials[kind] ?? kind);
  const median = known?.presence.median_response_seconds ?? null;
  return (
    <>
      <p class="them">
        <Avatar handle={handle} />
        <span>
          {known && (
            <strong dir="auto">
              {known.display_name}
              <br />
            </strong>
          )}
          <span class="handle">@{handle}</span>
        </span>
      </p>
      {known && known.headline !== '' && <p dir="auto">{known.headline}</p>}
      <Facts
        of={[
          ...(known ? [[room.trust, room.trustOf(count(known.trust.score))] as const] : []),
          ...(proofs ? [[room.proofs, proofs.length === 0 ? room.proofsNone : listed(proofs)] as const] : []),
          ...(median === null ? [] : [[room.answers, duration(Math.max(median, MINUTE_SECONDS))] as const]),
          ...(done ? [[people.completed, count(done.deals.completed)] as const] : []),
          ...(done && done.rating !== null ? [[people.rating, people.ratingOf(ratingText(done.rating))] as const] : []),
          ...(done && done.disputes.opened_against > 0
            ? [[people.disputes, count(done.disputes.opened_against)] as const]
            : []),
        ]}
      />
      <p>
        <Link href={`/people/${handle}`}>{room.profile}</Link>
      </p>
    </>
  );
}

type Match = Output<'match.summary'>;

/** The two listings side by side, and their match reasons. */
export function Matched({ of: { match } }: { of: Match }): JSX.Element {
  const { room } = words;
  const { my_listing, their_listing, score_percent, match_id } = match;
  return (
    <>
      <div class="pair">
        <div>
          <p class="quiet">{room.theirs}</p>
          <p>
            <Link href={`/matches/${match_id}`}>
              <span dir="auto">{their_listing.headline}</span>
            </Link>
          </p>
        </div>
        <Score percent={score_percent} />
        <div>
          <p class="quiet">{room.yours}</p>
          <p>
            <Link href={`/listings/${my_listing.id}`}>
              <span dir="auto">{my_listing.headline}</span>
            </Link>
          </p>
        </div>
      </div>
      <Reasons of={match} />
    </>
  );
}

interface DealPartProps {
  of: Deal;
  late: (told: Late) => void;
  /** Its next step is displayed above. */
  above: boolean;
}

/** The deal and its acts. */
export function DealPart({ of, late, above }: DealPartProps): JSX.Element {
  const { deals } = words;
  const { status, title, amount_cents, fee_cents, net_cents, your_side: side, terms, created_at, completed_at } = of;
  return (
    <>
      <p dir="auto">
        <strong>{title}</strong>
      </p>
      {of.escrow_id === null && <Sums {...{ amount_cents, fee_cents, net_cents, side }} />}
      {terms !== null && terms !== '' && (
        <p class="said-plain" dir="auto">
          {terms}
        </p>
      )}
      {of.escrow_id === null && <Parts of={of.milestones} />}
      <Facts
        of={[
          ...issueFacts(of.issues),
          [deals.role, side === 'buyer' ? deals.buyer : deals.seller],
          [deals.made, <Time key="made" at={created_at} />],
          ...(completed_at === null ? [] : [[deals.completed, <Time key="done" at={completed_at} />] as const]),
        ]}
      />
      {status === 'agreed' && !above && (
        <div class="buttons">
          {side === 'buyer' && <Pay of={of} late={late} />}
          <Cancel of={of} late={late} />
        </div>
      )}
      {status === 'completed' && (
        <>
          <h3>{deals.reviews}</h3>
          <Reviews of={of} above={above} />
        </>
      )}
    </>
  );
}
