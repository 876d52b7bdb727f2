// A proposal as a card: party, terms, the previous proposal, the bound that it exceeds and by how much, and the deadline.

import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { count, date, issueText, money } from '../../parts/format.ts';
import { Agent, Badge, Facts, Sums, Time } from '../../parts/show.tsx';
import { useRead } from '../../resource.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import { BOUNDS_PLACE, POLICIES_PLACE } from '../agent/own.ts';
import { Standing } from '../agents.tsx';
import { type Issue, otherOf, type Proposal, waitsForMe } from './proposal.ts';

function titleOf(of: Proposal): string {
  const { approvals } = words;
  const other = otherOf(of);
  const amount = money(of.amount_cents);
  const buys = of.your_side === 'buyer';
  if (of.by === other) return buys ? approvals.asks(`@${other}`, amount) : approvals.offers(`@${other}`, amount);
  return buys ? approvals.youOffer(`@${other}`, amount) : approvals.youAsk(`@${other}`, amount);
}

/** The counterparty with its trust; only the name when its profile cannot be read. */
export function With({ handle }: { handle: string }): JSX.Element {
  const read = useRead('agent.public', { handle });
  return (
    <span class="marks">
      <Agent handle={handle} />
      {read.state === 'ready' && <Standing verified={read.value.verified} score={read.value.trust.score} />}
    </span>
  );
}

interface BoundProps {
  bound: NonNullable<Proposal['bound']> | 'max_pay_per_day_cents';
  amount_cents: number;
  /** The bound in cents; null when not known. */
  at: number | null;
  /** The bound's agent. */
  handle: string;
}

/** The bound that requires approval, and the amount's distance from it. */
export function BoundSaid({ bound, amount_cents, at, handle }: BoundProps): JSX.Element {
  const { approvals } = words;
  const place = `/agents/${handle}#${bound === 'policy' ? POLICIES_PLACE : BOUNDS_PLACE}`;
  if (bound === 'policy') {
    return (
      <p class="quiet">
        {approvals.policy} <Link href={place}>{approvals.changePolicy}</Link>
      </p>
    );
  }
  const by = at === null ? null : Math.abs(amount_cents - at);
  const said =
    at !== null && by !== null
      ? approvals.bounds[bound](money(by), money(at))
      : bound === 'auto_approve_below_cents'
        ? approvals.boundNone
        : approvals.boundUnknown;
  // No bound is exceeded: approval is merely not automatic.
  return (
    <p class={bound === 'auto_approve_below_cents' ? 'quiet' : 'notice'}>
      {said} <Link href={place}>{approvals.change}</Link>
    </p>
  );
}

/** The same for a proposal, by the current bounds. */
function Bound({ of: { bound, amount_cents } }: { of: Proposal }): JSX.Element | null {
  const handle = agent.value ?? '';
  const read = useRead('agent.read', { handle });
  if (bound === null) return <p class="quiet">{words.approvals.within}</p>;
  if (bound === 'policy') return <BoundSaid bound={bound} amount_cents={amount_cents} at={null} handle={handle} />;
  if (read.state !== 'ready') return null;
  const at = 'bounds' in read.value ? read.value.bounds[bound] : null;
  return <BoundSaid bound={bound} amount_cents={amount_cents} at={at} handle={handle} />;
}

function differenceOf(now_cents: number, before_cents: number): string {
  const { approvals } = words;
  if (now_cents === before_cents) return approvals.same;
  const by = money(Math.abs(now_cents - before_cents));
  return now_cents < before_cents ? approvals.less(by) : approvals.more(by);
}

export interface Part {
  readonly title: string;
  readonly amount_cents: number;
  readonly due_at?: string | null;
}

/** The milestones, if any. */
export function Parts({ of }: { of: readonly Part[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <>
      <p class="quiet">{words.approvals.milestones}</p>
      <ol class="parts">
        {of.map(({ title, amount_cents, due_at = null }, n) => (
          // Milestones may be identical, so the index is the key.
          <li key={`${n} ${title}`}>
            <span dir="auto">{title}</span>: <span>{money(amount_cents)}</span>
            {due_at !== null && <span class="quiet"> ({words.approvals.due(date(due_at))})</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

/** The deadline, relative and exact. */
export function Ends({ at }: { at: string }): JSX.Element {
  return (
    <span>
      <Time at={at} />{' '}
      <span class="quiet">
        (<Time at={at} exact />)
      </span>
    </span>
  );
}

function What({ of: { terms, issues, milestones } }: { of: Proposal }): JSX.Element {
  const { approvals } = words;
  return (
    <>
      {terms === '' ? (
        issues.length === 0 && <p class="quiet">{approvals.termsNone}</p>
      ) : (
        <p class="said-plain" dir="auto">
          {terms}
        </p>
      )}
      <Parts of={milestones} />
    </>
  );
}

/** What is agreed beside the amount. */
export function issueFacts(issues: readonly Issue[]): (readonly [string, string])[] {
  return issues.map(({ issue, value }) => [words.listings.goals.issues[issue], issueText(value)] as const);
}

/** The terms of its escrow. */
function escrowFacts({ escrow_terms: { auto_release_after_days: days, expires_at } }: Proposal) {
  const { approvals } = words;
  return [
    ...(days === null ? [] : [[approvals.releases, approvals.days(count(days))] as const]),
    ...(expires_at === null ? [] : [[approvals.comesBack, <Time key="comesBack" at={expires_at} exact />] as const]),
  ];
}

interface CardProps {
  of: Proposal;
  /** The previous proposal; null when there was none or it is not known. */
  before: Proposal | null;
  /** A link to the conversation, when it is on another page. */
  linked?: boolean;
  children?: ComponentChildren;
}

/** The card, with its actions at the bottom. */
export function ProposalCard({ of, before, linked, children }: CardProps): JSX.Element {
  const { approvals } = words;
  const id = useId();
  const { amount_cents, fee_cents, net_cents, status, your_side, expires_at, conversation_id } = of;
  return (
    <article class="card proposal" aria-labelledby={id}>
      <header>
        <h3 id={id}>{titleOf(of)}</h3>
        {status === 'withheld' && <Badge tone="wait">{approvals.withheld}</Badge>}
      </header>
      <p class="figures">
        <span class="figure-big">{money(amount_cents)}</span>
        {before && (
          <span class="quiet">
            {approvals.before}: {money(before.amount_cents)} · {differenceOf(amount_cents, before.amount_cents)}
          </span>
        )}
      </p>
      <Sums {...{ amount_cents, fee_cents, net_cents }} side={your_side} />
      {waitsForMe(of) && <Bound of={of} />}
      <What of={of} />
      <Facts
        of={[
          [approvals.with, <With key="with" handle={otherOf(of)} />],
          ...issueFacts(of.issues),
          ...escrowFacts(of),
          [approvals.ends, <Ends key="ends" at={expires_at} />],
        ]}
      />
      {status === 'withheld' && <p class="quiet">{approvals.withheldWhy}</p>}
      {status === 'open' && waitsForMe(of) && of.by !== otherOf(of) && <p class="quiet">{approvals.yoursToo}</p>}
      {your_side === 'buyer' && <p class="quiet">{approvals.pays(money(amount_cents))}</p>}
      {children}
      {linked && (
        <p>
          <Link href={`/conversations/${conversation_id}`}>{approvals.talk}</Link>
        </p>
      )}
    </article>
  );
}
