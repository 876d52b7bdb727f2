// The inbox of the acting agent, newest first: what happened to it, and the answers that are still open. Reading it here marks
// nothing: whether the agent has read its events is its own matter.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { EventCard } from '../parts/event-card.tsx';
import { Choice } from '../parts/field.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { useRead } from '../resource.ts';
import { agent } from '../session.ts';
import { words } from '../words/words.ts';

const SHOWN = 50;

export function InboxScreen(): JSX.Element {
  const { inbox } = words;
  const [shown, setShown] = useState<'open' | 'all'>('all');
  const recent = useRead('inbox.recent', agent.value === undefined ? null : { limit: SHOWN });
  return (
    <>
      <h1 tabIndex={-1}>{inbox.title}</h1>
      <Choice
        label={inbox.show}
        value={shown}
        options={[
          ['all', inbox.all],
          ['open', inbox.open],
        ]}
        onChange={setShown}
      />
      <Loaded of={recent}>
        {(events) => {
          const wanted = events.filter(({ actions }) => shown === 'all' || actions.length > 0);
          if (wanted.length === 0)
            return (
              <Empty
                text={shown === 'all' ? inbox.none : inbox.noneOpen}
                href="/listings"
                action={words.nav.listings}
              />
            );
          return wanted.map((event) => <EventCard key={event.id} event={event} />);
        }}
      </Loaded>
    </>
  );
}
