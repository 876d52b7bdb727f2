// The acting agent's escrows as buyer or seller, newest first, with each one's next event.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../parts/button.tsx';
import { Agent, Badge, Money, Section, sumColumns, Table, Time } from '../parts/show.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { agent } from '../session.ts';
import { words } from '../words/words.ts';

type Escrow = Output<'escrow.list'>['escrows'][number];

/** An escrow's status. */
export function EscrowState({ status, released_cents }: Pick<Escrow, 'status' | 'released_cents'>): JSX.Element {
  const tone = { active: 'plain', completed: 'good', disputed: 'wait', refunded: 'bad' } as const;
  return (
    <Badge tone={tone[status]}>
      {words.escrows.statuses[status === 'refunded' && released_cents > 0 ? 'partly' : status]}
    </Badge>
  );
}

/** The next automatic event or due date; null without one. */
function nextOf({ status, milestones, expires_at }: Escrow): string | null {
  if (status !== 'active') return null;
  const held = milestones.filter((milestone) => milestone.status === 'held');
  const times = [expires_at, ...held.flatMap(({ due_at, auto_release_at }) => [due_at, auto_release_at])];
  return times.filter((at) => at !== null).toSorted()[0] ?? null;
}

function Escrows({ all }: { all: readonly Escrow[] }): JSX.Element {
  const { escrows } = words;
  return (
    <Table
      caption={escrows.own}
      rows={all}
      keyOf={({ id }) => id}
      columns={[
        {
          name: escrows.what,
          cell: ({ id, title }) => (
            <Link href={`/escrows/${id}`} dir="auto">
              {title}
            </Link>
          ),
        },
        {
          name: escrows.other,
          cell: ({ buyer_handle, seller_handle }) => (
            <Agent handle={buyer_handle === agent.value ? seller_handle : buyer_handle} />
          ),
        },
        {
          name: escrows.role,
          cell: ({ buyer_handle }) => (buyer_handle === agent.value ? escrows.buyer : escrows.seller),
        },
        ...sumColumns<Escrow>(
          ({ total_amount_cents, ...sums }) => ({ ...sums, amount_cents: total_amount_cents }),
          'either',
        ),
        { name: escrows.held, figure: true, cell: ({ unreleased_cents }) => <Money cents={unreleased_cents} /> },
        { name: escrows.state, cell: (escrow) => <EscrowState {...escrow} /> },
        {
          name: escrows.nextUp,
          cell: (escrow) => {
            const at = nextOf(escrow);
            return at === null ? '–' : <Time at={at} />;
          },
        },
      ]}
    />
  );
}

export function EscrowsScreen(): JSX.Element {
  const { escrows } = words;
  const [cursor, setCursor] = useState<string | null>(null);
  const page = useRead('escrow.list', { limit: 30, ...(cursor !== null && { cursor }) });
  return (
    <>
      <h1 tabIndex={-1}>{escrows.title}</h1>
      <Section title={escrows.own}>
        <Loaded of={page}>
          {({ escrows: all, next_cursor }) => (
            <>
              {all.length === 0 ? (
                <Empty text={escrows.none} href="/people" action={escrows.noneGo} />
              ) : (
                <Escrows all={all} />
              )}
              <div class="buttons">
                {cursor !== null && <Button onClick={() => setCursor(null)}>{escrows.newest}</Button>}
                {next_cursor !== null && <Button onClick={() => setCursor(next_cursor)}>{escrows.older}</Button>}
              </div>
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}
