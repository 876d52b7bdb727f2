// Pending approvals of the acting agent's person, and past ones.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Agent, Badge, Money, More, Section, Table, Time } from '../parts/show.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { type Pages, usePages } from '../resource.ts';
import { agent } from '../session.ts';
import { words } from '../words/words.ts';
import { BOUNDS_PLACE } from './agent/own.ts';
import { ActionCard } from './approvals/action.tsx';
import { Decide } from './approvals/answer.tsx';
import { ProposalCard } from './approvals/card.tsx';
import { type Action, ActionOutcome, type ActionTold, answeredId, Outcome, type Told } from './approvals/outcome.tsx';
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

const ACTION_TONES = {
  pending: 'wait',
  approved: 'good',
  rejected: 'bad',
  expired: 'plain',
  failed: 'bad',
  withdrawn: 'plain',
} as const;

function State({ of }: { of: Proposal }): JSX.Element {
  const { approvals } = words;
  return <Badge tone={TONES[of.status]}>{waitsForMe(of) ? approvals.yours : approvals.terminal[of.status]}</Badge>;
}

/** Decided ones, or those for the other side. */
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

/** Past requests and their outcomes. */
function AskedBefore({ of }: { of: Pages<Action> }): JSX.Element | null {
  const { actions, approvals } = words;
  const rows = of.items.filter(({ status }) => status !== 'pending');
  if (rows.length === 0 && of.more === null) return null;
  return (
    <Section title={actions.asked}>
      <Table
        caption={actions.asked}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { name: actions.what, cell: (each) => words.policies.operations[each.operation] },
          { name: approvals.with, cell: (each) => <Agent handle={each.to_handle} /> },
          { name: approvals.amount, figure: true, cell: ({ amount_cents }) => <Money cents={amount_cents} /> },
          {
            name: approvals.state,
            cell: ({ status }) => <Badge tone={ACTION_TONES[status]}>{actions.statuses[status]}</Badge>,
          },
          { name: approvals.when, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      <More of={of} />
    </Section>
  );
}

interface ReadyProps {
  waiting: Pages<Proposal>;
  asked: Pages<Action>;
}

/** Cards and the outcomes of their answers. */
function Waiting({ waiting, asked, known }: ReadyProps & { known: readonly Proposal[] }): JSX.Element {
  const { approvals } = words;
  const [told, setTold] = useState<readonly Told[]>([]);
  const [did, setDid] = useState<readonly ActionTold[]>([]);
  const tell = (news: Told): void => {
    const { conversation_id } = news.of;
    // In a conversation the later outcome replaces the earlier one.
    setTold((before) => [news, ...before.filter(({ of }) => of.conversation_id !== conversation_id)]);
  };
  const tellDone = (news: ActionTold): void =>
    setDid((before) => [news, ...before.filter(({ of }) => of.id !== news.of.id)]);
  const none = waiting.items.length === 0 && asked.items.length === 0;
  return (
    <Section title={approvals.waiting}>
      {did.map((each) => (
        <ActionOutcome key={`${each.of.id} ${each.kind}`} told={each} />
      ))}
      {told.map((each) => (
        <Outcome
          key={`${each.of.id} ${each.kind}`}
          told={each}
          now={known.find(({ id }) => id === answeredId(each)) ?? null}
        />
      ))}
      {none && (
        <Empty text={approvals.none} href={`/agents/${agent.value}#${BOUNDS_PLACE}`} action={approvals.noneGo} />
      )}
      <div class="stack">
        {asked.items.map((each) => (
          <ActionCard key={each.id} of={each} tell={tellDone} />
        ))}
        {waiting.items.map((each) => (
          <ProposalCard key={each.id} of={each} before={previousOf(known, each)} linked>
            <Decide of={each} tell={tell} />
          </ProposalCard>
        ))}
      </div>
      <More of={asked} />
      <More of={waiting} />
    </Section>
  );
}

function Ready({ waiting, asked }: ReadyProps): JSX.Element {
  const { approvals } = words;
  const all = usePages('proposal.list', { limit: OTHERS_SHOWN }, ({ id }) => id);
  const before = usePages('action.list', { limit: OTHERS_SHOWN }, ({ id }) => id);
  return (
    <>
      <Waiting waiting={waiting} asked={asked} known={all.state === 'ready' ? all.value.items : []} />
      <Section title={approvals.others}>
        <Loaded of={all}>{(of) => <Others of={of} waiting={waiting.items} />}</Loaded>
      </Section>
      <Loaded of={before}>{(of) => <AskedBefore of={of} />}</Loaded>
    </>
  );
}

/** Pending and past approvals of the acting agent's person. */
export function Approvals(): JSX.Element {
  const waiting = usePages('proposal.list', { waiting: true, limit: SHOWN }, ({ id }) => id);
  const asked = usePages('action.list', { waiting: true, limit: SHOWN }, ({ id }) => id);
  return (
    <>
      <p class="quiet">{words.approvals.lead}</p>
      <Loaded of={waiting}>{(of) => <Loaded of={asked}>{(on) => <Ready waiting={of} asked={on} />}</Loaded>}</Loaded>
    </>
  );
}
