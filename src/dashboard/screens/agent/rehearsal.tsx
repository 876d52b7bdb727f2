// The talks of a rehearsal: an agent and a copy of it, about each of its live listings, and how they ended.
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { isAutomatic } from '../../../domain/negotiation/proposal.ts';
import { count, money } from '../../parts/format.ts';
import { Badge } from '../../parts/show.tsx';
import { Empty } from '../../parts/states.tsx';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import { BOUNDS_PLACE, type OwnAgent } from './own.ts';

type Rehearsal = Output<'agent.rehearse'>['rehearsals'][number];

/** Leads to the form of the bounds, which stands on the same page. */
export function ToBounds(): JSX.Element {
  return <a href={`#${BOUNDS_PLACE}`}>{words.autopilot.toBounds}</a>;
}

interface EndProps {
  of: Rehearsal;
  bounds: OwnAgent['bounds'];
}

function End({ of: { ended, amount_cents, side }, bounds }: EndProps): JSX.Element {
  const { autopilot } = words;
  if (ended === 'no_limit') {
    return (
      <p>
        {autopilot.ended.no_limit} <ToBounds />
      </p>
    );
  }
  if (amount_cents === null) return <p>{autopilot.ended.apart}</p>;
  return (
    <p>
      <strong>{autopilot.ended.agreed(money(amount_cents))}</strong>{' '}
      {isAutomatic(bounds, side, amount_cents) ? autopilot.alone : autopilot.waits}
    </p>
  );
}

function Talk({ said }: { said: Rehearsal['said'] }): JSX.Element {
  const { autopilot } = words;
  return (
    <ol class="talk-log">
      {said.map(({ by, text }, at) => (
        // The talk of one rehearsal never changes its order.
        <li key={`${at} ${by}`} class={by === 'you' ? 'said self' : 'said'}>
          <p class="said-by quiet">{autopilot.by[by]}</p>
          <p class="said-text" dir="auto">
            {text}
          </p>
        </li>
      ))}
    </ol>
  );
}

function Rehearsed({ of, bounds, open }: EndProps & { open: boolean }): JSX.Element {
  const { autopilot } = words;
  const id = useId();
  return (
    <article class="event" aria-labelledby={id}>
      <p class="marks">
        <Badge>{autopilot.sides[of.side]}</Badge>
      </p>
      <h3 id={id} dir="auto">
        {of.headline}
      </h3>
      <End of={of} bounds={bounds} />
      {of.said.length > 0 && (
        <details open={open}>
          <summary>{autopilot.talk(count(of.said.length))}</summary>
          <Talk said={of.said} />
        </details>
      )}
    </article>
  );
}

/** All talks; the first one is open. */
export function Rehearsals({ of, bounds }: { of: readonly Rehearsal[]; bounds: OwnAgent['bounds'] }): JSX.Element {
  const { autopilot } = words;
  if (of.length === 0) return <Empty text={autopilot.none} href="/listings" action={autopilot.noneGo} />;
  return (
    <>
      {of.map((each, at) => (
        <Rehearsed key={each.listing_id} of={each} bounds={bounds} open={at === 0} />
      ))}
    </>
  );
}
