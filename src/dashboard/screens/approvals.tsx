// What waits for a word of the acting agent's person, and what was said before.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { agent } from '../acting.ts';
import { Agent, Badge, Money, More, Section, Time } from '../parts/show.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { type Pages, usePages } from '../resource.ts';
import { words } from '../words/words.ts';
import { Decide } from './approvals/answer.tsx';
import { ProposalCard } from './approvals/card.tsx';
import { Outcome, type Told } from './approvals/outcome.tsx';
import { otherOf, type Proposal, previousOf, waitsForMe } from './approvals/proposal.ts';

const SHOWN = 20;
const OTHERS_SHOWN = 50;

const TONES = {
  approved: 'good',
  rejected: 'bad',
  replaced: 'plain',
  expired: 'plain',
  withheld: 'wait',
  open: 'wait',
} as const;

function State({ of }: { of: Proposal }): JSX.Element {
  const { approvals } = words;
  return <Badge tone={TONES[of.status]}>{waitsForMe(of) ? approvals.yours : approvals.terminal[of.status]}</Badge>;
}

/** Those that need no word any more, or not this side's. */
function Others({ of, waiting }: { of: Pages<Proposal>; waiting: readonly Proposal[] }): JSX.Element {
  const { approvals } = words;
  const rows = of.items.filter(({ id }) => waiting.every((each) => each.id !== id));
  return (
    <>
      {rows.length === 0 && of.more === null ? (
        <p class="quiet">{approvals.othersNone}</p>
      ) : (
        <Table
          caption={approvals.others}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { name: approvals.with, cell: (each) => <Agent handle={otherOf(each)} /> },
            {
              name: approvals.amount,
              figure: true,
              cell: ({ amount_cents, conversation_id }) => (
                <Link href={`/conversations/${conversation_id}`}>
                  <Money cents={amount_cents} />
                </Link>
              ),
            },
            { name: approvals.terms, cell: ({ terms }) => <span dir="auto">{terms || words.common.none}</span> },
            { name: approvals.state, cell: (each) => <State of={each} /> },
            { name: approvals.when, cell: ({ created_at }) => <Time at={created_at} /> },
          ]}
        />
      )}
      <More of={of} />
    </>
  );
}

function Ready({ waiting }: { waiting: Pages<Proposal> }): JSX.Element {
  const { approvals } = words;
  const all = usePages('proposal.list', { limit: OTHERS_SHOWN }, ({ id }) => id);
  const known = all.state === 'ready' ? all.value.items : [];
  const [told, setTold] = useState<readonly Told[]>([]);
  const tell = (news: Told): void => {
    const { conversation_id } = news.of;
    // What came after in the same conversation says more than what came before.
    setTold((before) => [news, ...before.filter(({ of }) => of.conversation_id !== conversation_id)]);
  };
  return (
    <>
      <Section title={approvals.waiting}>
        {told.map((each) => (
          <Outcome key={`${each.of.id} ${each.kind}`} told={each} />
        ))}
        {waiting.items.length === 0 && (
          <Empty text={approvals.none} href={`/agents/${agent.value}`} action={approvals.noneGo} />
        )}
        <div class="stack">
          {waiting.items.map((each) => (
            <ProposalCard key={each.id} of={each} before={previousOf(known, each)} linked>
              <Decide of={each} tell={tell} />
            </ProposalCard>
          ))}
        </div>
        <More of={waiting} />
      </Section>
      <Section title={approvals.others}>
        <Loaded of={all}>{(of) => <Others of={of} waiting={waiting.items} />}</Loaded>
      </Section>
    </>
  );
}

function Approvals(): JSX.Element {
  const waiting = usePages('proposal.list', { waiting: true, limit: SHOWN }, ({ id }) => id);
  return <Loaded of={waiting}>{(of) => <Ready waiting={of} />}</Loaded>;
}

/** The proposals of the acting agent. */
export function ApprovalsScreen(): JSX.Element {
  const { approvals } = words;
  return (
    <>
      <h1 tabIndex={-1}>{approvals.title}</h1>
      <p class="quiet">{approvals.lead}</p>
      <Approvals key={agent.value} />
    </>
  );
}
