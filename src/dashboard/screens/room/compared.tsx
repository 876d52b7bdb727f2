// The offers that an agent compares for one of its listings, best first, and when it decides. Its person may choose one before, or decline
// all but the first.
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { count, issueText, money } from '../../parts/format.ts';
import { Agent, Table, Time } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct, useDeed, useRead } from '../../resource.ts';
import { type Asking, ask } from '../../server.ts';
import { words } from '../../words/words.ts';
import { type Issue, otherOf, type Proposal, waitsForMe } from '../approvals/proposal.ts';
import { Fold } from './side.tsx';

interface ComparedProps {
  /** The open proposal of this conversation. */
  of: Proposal;
  /** The reader's listing in it; null where nothing says which. */
  listing_id: string | null;
}

/** An answer to exactly the displayed proposal. */
const answerTo = ({ conversation_id, id: proposal_id, version }: Proposal, decision: 'approve' | 'reject') => ({
  conversation_id,
  proposal_id,
  version,
  decision,
});

/** Chooses one, and opens its conversation. */
function Choose({ of }: { of: Proposal }): JSX.Element {
  const { room, approvals, common } = words;
  const { run, busy, error } = useAct('proposal.approve');
  const [, go] = useLocation();
  if (!waitsForMe(of)) return <>{common.none}</>;
  const choose = async (): Promise<void> => {
    if (await run(answerTo(of, 'approve'))) go(`/conversations/${of.conversation_id}`);
  };
  const { amount_cents, fee_cents, net_cents } = of;
  const to = otherOf(of);
  const label = room.chooseOf(`@${to}`);
  return (
    <>
      {of.your_side === 'buyer' ? (
        <ConfirmButton
          busy={busy}
          label={label}
          question={approvals.approveAsk(money(amount_cents))}
          sum={{ amount_cents, fee_cents, net_cents, to }}
          onClick={choose}
        >
          {room.choose}
        </ConfirmButton>
      ) : (
        <Button busy={busy} label={label} onClick={choose}>
          {room.choose}
        </Button>
      )}
      {error && <Failure error={error} />}
    </>
  );
}

/** Does the same for each of several proposals. Another press goes on with those that are left. */
function useEach(act: (row: Proposal, asking: Asking) => Promise<unknown>) {
  const done = useRef(new Set<string>());
  const deed = useDeed<readonly Proposal[], true>(async (rows, { agent, key }) => {
    for (const row of rows) {
      if (done.current.has(row.id)) continue;
      await act(row, { agent, key: `${key}:${row.id}` });
      done.current.add(row.id);
    }
    return true;
  });
  return { ...deed, isDone: ({ id }: Proposal): boolean => done.current.has(id) };
}

/** Declines all but the first. */
function DeclineRest({ first, rest }: { first: Proposal; rest: readonly Proposal[] }): JSX.Element {
  const { room } = words;
  const { run, busy, error } = useEach((row, asking) => ask('proposal.approve', answerTo(row, 'reject'), asking));
  return (
    <div class="buttons">
      <ConfirmButton
        danger
        busy={busy}
        question={room.declineRestAsk(count(rest.length), `@${otherOf(first)}`)}
        onClick={() => run(rest)}
      >
        {room.declineRest}
      </ConfirmButton>
      {error && <Failure error={error} />}
    </div>
  );
}

type IssueName = Issue['issue'];

const valueIn = ({ issues }: Proposal, name: IssueName): Issue['value'] | null =>
  issues.find(({ issue }) => issue === name)?.value ?? null;

/** Asks each counterparty for what its offer does not say. */
function AskMissing({ rows, names }: { rows: readonly Proposal[]; names: readonly IssueName[] }): JSX.Element | null {
  const { room, listings } = words;
  const lacks = (row: Proposal): readonly IssueName[] => names.filter((name) => valueIn(row, name) === null);
  const { run, busy, error, isDone } = useEach((row, asking) => {
    const content = room.pleaseSay(lacks(row).map((name) => listings.goals.issues[name]));
    return ask('message.send', { conversation_id: row.conversation_id, content }, asking);
  });
  const asked = rows.filter((row) => lacks(row).length > 0 && !isDone(row));
  if (asked.length === 0) return null;
  return (
    <div class="buttons">
      <Button busy={busy} onClick={() => run(asked)}>
        {room.askMissing}
      </Button>
      {error && <Failure error={error} />}
    </div>
  );
}

function Rows({ of, rows }: { of: Proposal; rows: readonly Proposal[] }): JSX.Element {
  const { room, listings } = words;
  const names = [...new Set(rows.flatMap(({ issues }) => issues.map(({ issue }) => issue)))];
  const [first, ...others] = rows;
  const rest = others.filter(waitsForMe);
  return (
    <>
      <Table
        caption={room.compared}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            name: room.comparedWith,
            cell: (row) => (
              <>
                <Agent handle={otherOf(row)} />
                <br />
                {row.conversation_id === of.conversation_id ? (
                  <span class="quiet">{room.comparedHere}</span>
                ) : (
                  <Link href={`/conversations/${row.conversation_id}`}>{room.comparedOpen}</Link>
                )}
              </>
            ),
          },
          { name: room.comparedPrice, figure: true, cell: ({ amount_cents }) => money(amount_cents) },
          ...names.map((name) => ({
            name: listings.goals.issues[name],
            cell: (row: Proposal) => {
              const value = valueIn(row, name);
              return value === null ? <span class="quiet">{room.notSaid}</span> : issueText(value);
            },
          })),
          { name: room.comparedChoice, cell: (row) => <Choose of={row} /> },
        ]}
      />
      <AskMissing rows={rows} names={names} />
      {first && rest.length > 0 && <DeclineRest first={first} rest={rest} />}
    </>
  );
}

/** The table; where the other side is the one that compares, only when it decides. */
export function Compared({ of, listing_id }: ComparedProps): JSX.Element | null {
  const { room } = words;
  const listed = useRead('proposal.list', listing_id === null ? null : { listing_id });
  if (of.decides_at === null || listed.state === 'loading') return null;
  const rows = listed.state === 'ready' ? listed.value : [];
  return (
    <Fold id="compared" title={room.compared} open>
      <p class="quiet">
        {rows.length === 0 ? room.theyCompare : room.youCompare} <Time at={of.decides_at} />
      </p>
      {rows.length > 0 && <Rows of={of} rows={rows} />}
    </Fold>
  );
}
