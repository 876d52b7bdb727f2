// The offers that an agent compares for one of its listings, best first, and when it decides.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { money } from '../../parts/format.ts';
import { Agent, Table, Time } from '../../parts/show.tsx';
import { useRead } from '../../resource.ts';
import { words } from '../../words/words.ts';
import type { Proposal } from '../approvals/proposal.ts';
import { Fold } from './side.tsx';

/** The handle of the other side. */
const otherIn = ({ your_side, buyer_handle, seller_handle }: Proposal): string =>
  your_side === 'buyer' ? seller_handle : buyer_handle;

interface ComparedProps {
  /** The open proposal of this conversation. */
  of: Proposal;
  /** The reader's listing in it; null where nothing says which. */
  listing_id: string | null;
}

/** The table; where the other side is the one that compares, only when it decides. */
export function Compared({ of, listing_id }: ComparedProps): JSX.Element | null {
  const { room } = words;
  const listed = useRead('proposal.list', listing_id === null ? null : { listing_id });
  if (of.decides_at === null || listed.state === 'loading') return null;
  const rows = listed.state === 'ready' ? listed.value : [];
  const when = <Time at={of.decides_at} />;
  return (
    <Fold id="compared" title={room.compared} open>
      <p class="quiet">
        {rows.length === 0 ? room.theyCompare : room.youCompare} {when}
      </p>
      {rows.length > 0 && (
        <Table
          caption={room.compared}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { name: room.comparedWith, cell: (row) => <Agent handle={otherIn(row)} /> },
            { name: room.comparedPrice, figure: true, cell: ({ amount_cents }) => money(amount_cents) },
            {
              name: room.comparedTalk,
              cell: ({ conversation_id }) =>
                conversation_id === of.conversation_id ? (
                  room.comparedHere
                ) : (
                  <Link href={`/conversations/${conversation_id}`}>{room.comparedOpen}</Link>
                ),
            },
          ]}
        />
      )}
    </Fold>
  );
}
