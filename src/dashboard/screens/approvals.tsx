// What waits for a word of the acting agent's person, and what was said before.
import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { pulse } from '../live.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { money } from '../parts/format.ts';
import { Agent, Badge, Facts, Money, More, Section, Sums, type SumsProps, Table, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { type Pages, useAct, usePages, useRead } from '../resource.ts';
import { agent } from '../session.ts';
import { words } from '../words/words.ts';
import { BOUNDS_PLACE } from './agent/own.ts';
import { Decide } from './approvals/answer.tsx';
import { BoundSaid, Ends, type Part, Parts, ProposalCard, With } from './approvals/card.tsx';
import {
  type Action,
  ActionOutcome,
  type ActionTold,
  answeredId,
  Outcome,
  payeeOf,
  type Told,
  textIn,
} from './approvals/outcome.tsx';
import { otherOf, type Proposal, previousOf, waitsForMe } from './approvals/proposal.ts';
import { RefusedBy } from './market/checkout.tsx';

// What a program asked for beyond what it may do alone, as a card: what would be done, for how much and whom, which bound asks, until
// when; and the two words of its person, each of which counts once.

/** The parts that would be paid for as parts. */
function partsOf({ input: { milestones } }: Action): readonly Part[] {
  return Array.isArray(milestones) ? (milestones as readonly Part[]) : [];
}

/** What would be paid, and what of it would arrive where; who quotes would be paid. */
function sumsOf({ operation, amount_cents, fee_cents, net_cents, to_handle }: Action): SumsProps {
  const sums = { amount_cents, fee_cents, net_cents };
  return operation === 'demand.quote' ? { ...sums, side: 'seller' } : { ...sums, to: to_handle ?? undefined };
}

function Written({ text }: { text: string }): JSX.Element {
  return (
    <span class="said-plain" dir="auto">
      {text}
    </span>
  );
}

/** The key by which it was asked for, by the name that its person gave it. */
function AskedBy({ id }: { id: string | null }): JSX.Element {
  const list = useRead('key.list', {});
  const key = list.state === 'ready' ? list.value.find((each) => each.id === id) : undefined;
  return key ? <span dir="auto">{key.name}</span> : <span class="quiet">{words.actions.keyGone}</span>;
}

/** What would be done, beside the amount and for whom. */
function detailsOf(of: Action): readonly (readonly [string, ComponentChildren])[] {
  const { actions } = words;
  const text = (name: string, label: string) => {
    const found = textIn(of, name);
    return found !== null && ([label, <Written key={name} text={found} />] as const);
  };
  const interval = textIn(of, 'interval');
  const request_id = textIn(of, 'request_id');
  const [handle, slug] = [textIn(of, 'handle'), textIn(of, 'slug')];
  const { payload } = of.input;
  const way = (key: string, href: string) => (
    <Link key={key} href={href}>
      {actions.see}
    </Link>
  );
  const all = [
    text('title', words.approvals.for),
    text('note', actions.note),
    text('message', actions.note),
    text('capability', actions.capability),
    payload !== undefined && ([actions.payload, <Written key="payload" text={JSON.stringify(payload)} />] as const),
    interval !== null && ([actions.every, actions.intervals[interval] ?? interval] as const),
    slug !== null && ([actions.listing, way('listing', `/market/${handle}/${slug}`)] as const),
    request_id !== null && ([actions.request, way('request', `/demand/${request_id}`)] as const),
  ];
  return all.filter((each) => each !== false);
}

function isLate(code: string): code is keyof typeof words.actions.late & string {
  return code in words.actions.late;
}

/** What approving it does to the wallet. */
function questionOf({ operation }: Action): string {
  const { actions, demand } = words;
  return operation === 'demand.award' ? demand.awardAsk : (actions.approveAskOf[operation] ?? actions.approveAsk);
}

/** The two buttons. What came of them is told outside, since the card goes away with what it asks. */
function DecideAction({ of, tell }: { of: Action; tell: (told: ActionTold) => void }): JSX.Element {
  const { actions, approvals } = words;
  const { run, busy, error } = useAct('action.decide', {
    onRefused: ({ code }) => {
      if (!isLate(code)) return;
      tell({ kind: 'late', of, code });
      pulse.value += 1;
    },
  });
  const [done, setDone] = useState(false);
  const say = async (decision: 'approve' | 'reject'): Promise<void> => {
    const answer = await run({ action_id: of.id, decision });
    if (!answer) return;
    setDone(true);
    tell({ kind: 'decided', of, decision, result: answer.result });
  };
  const pending = busy || done;
  return (
    <>
      <div class="buttons">
        <ConfirmButton main busy={pending} question={questionOf(of)} sum={sumsOf(of)} onClick={() => say('approve')}>
          {actions.approve}
        </ConfirmButton>
        <Button danger disabled={pending} onClick={() => say('reject')}>
          {approvals.reject}
        </Button>
      </div>
      {error?.code === 'outside_bounds' ? (
        <p class="failure" role="alert">
          {actions.changed}
        </p>
      ) : (
        error && !isLate(error.code) && <Refusal of={of} error={error} />
      )}
    </>
  );
}

/** Why it was not done; it waits on. */
function Refusal({ of, error }: { of: Action; error: Parameters<typeof Failure>[0]['error'] }): JSX.Element {
  if (of.to_handle === null) return <Failure error={error} />;
  return <RefusedBy error={error} of={{ handle: of.to_handle, listing_id: '' }} tried />;
}

function ActionCard({ of, tell }: { of: Action; tell: (told: ActionTold) => void }): JSX.Element {
  const { actions, approvals } = words;
  const id = useId();
  const { operation, amount_cents, bound, bound_cents, to_handle, on_timeout, expires_at, asked_by } = of;
  const parts = partsOf(of);
  return (
    <article class="card proposal" aria-labelledby={id}>
      <header>
        <h3 id={id}>{actions.titles[operation](money(amount_cents), payeeOf(of))}</h3>
      </header>
      <p class="figures">
        <span class="figure-big">{money(amount_cents)}</span>
      </p>
      {of.fee_cents !== null && <Sums {...sumsOf(of)} to={undefined} />}
      <BoundSaid bound={bound} amount_cents={amount_cents} at={bound_cents} handle={agent.value ?? ''} />
      <Parts of={parts} />
      <Facts
        of={[
          ...(to_handle === null ? [] : [[approvals.with, <With key="with" handle={to_handle} />] as const]),
          ...detailsOf(of),
          [actions.key, <AskedBy key="key" id={asked_by} />],
          [approvals.ends, <Ends key="ends" at={expires_at} />],
        ]}
      />
      <p class="quiet">{actions.silent[on_timeout]}</p>
      <DecideAction of={of} tell={tell} />
    </article>
  );
}

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

/** What was asked for before, and what became of it. */
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

/** Cards and what came of the answers to them. */
function Waiting({ waiting, asked, known }: ReadyProps & { known: readonly Proposal[] }): JSX.Element {
  const { approvals } = words;
  const [told, setTold] = useState<readonly Told[]>([]);
  const [did, setDid] = useState<readonly ActionTold[]>([]);
  const tell = (news: Told): void => {
    const { conversation_id } = news.of;
    // What came after in the same conversation says more than what came before.
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

function Approvals(): JSX.Element {
  const waiting = usePages('proposal.list', { waiting: true, limit: SHOWN }, ({ id }) => id);
  const asked = usePages('action.list', { waiting: true, limit: SHOWN }, ({ id }) => id);
  return (
    <Loaded of={waiting}>{(of) => <Loaded of={asked}>{(on) => <Ready waiting={of} asked={on} />}</Loaded>}</Loaded>
  );
}

/** What waits for the person of the acting agent. */
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
