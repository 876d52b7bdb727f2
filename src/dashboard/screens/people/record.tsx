// What an agent has done here: its deals by size, its disputes, and what others say of it.
import type { JSX } from 'preact';
import { count } from '../../parts/format.ts';
import { Facts, Section, Time } from '../../parts/show.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

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
                [people.rating, rating === null ? people.ratingNone : people.ratingOf(rating.toFixed(1))],
              ]}
            />
            {deals.completed > 0 && (
              <Table
                caption={people.byBand}
                rows={deals.by_band}
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
