// A program's request beyond its bounds, as a card: the act, amount, payee, the bound that requires approval, the deadline, and the
// person's two answers, each effective once.
import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { money } from '../../parts/format.ts';
import { Facts, Sums, type SumsProps } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import { agent } from '../../session.ts';
import { touch } from '../../touched.ts';
import { words } from '../../words/words.ts';
import { RefusedBy } from '../market/checkout.tsx';
import { BoundSaid, Ends, type Part, Parts, With } from './card.tsx';
import { type Action, type ActionTold, payeeOf, textIn } from './outcome.tsx';

/** The milestones that would be paid separately. */
function partsOf({ input: { milestones } }: Action): readonly Part[] {
  return Array.isArray(milestones) ? (milestones as readonly Part[]) : [];
}

/** The payment's gross, fee, net and receiver; with a quote the agent itself would be paid. */
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

/** The name of the requesting key. */
function AskedBy({ id }: { id: string | null }): JSX.Element {
  const list = useRead('key.list', {});
  const key = list.state === 'ready' ? list.value.find((each) => each.id === id) : undefined;
  return key ? <span dir="auto">{key.name}</span> : <span class="quiet">{words.actions.keyGone}</span>;
}

/** The act's details, except amount and payee. */
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

/** The wallet before and after approval. */
function questionOf({ operation }: Action): string {
  const { actions, demand } = words;
  return operation === 'demand.award' ? demand.awardAsk : (actions.approveAskOf[operation] ?? actions.approveAsk);
}

/** The two buttons. Their outcome is displayed outside the card, which disappears with the request. */
function DecideAction({ of, tell }: { of: Action; tell: (told: ActionTold) => void }): JSX.Element {
  const { actions, approvals } = words;
  const { run, busy, error } = useAct('action.decide', {
    onRefused: ({ code }) => {
      if (!isLate(code)) return;
      tell({ kind: 'late', of, code });
      touch('all');
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
        <ConfirmButton
          main
          shortcut="a"
          busy={pending}
          question={questionOf(of)}
          sum={sumsOf(of)}
          onClick={() => say('approve')}
        >
          {actions.approve}
        </ConfirmButton>
        <Button danger shortcut="x" disabled={pending} onClick={() => say('reject')}>
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

/** Why it was not done; it remains pending. */
function Refusal({ of, error }: { of: Action; error: Parameters<typeof Failure>[0]['error'] }): JSX.Element {
  if (of.to_handle === null) return <Failure error={error} />;
  return <RefusedBy error={error} of={{ handle: of.to_handle, listing_id: '' }} tried />;
}

export function ActionCard({ of, tell }: { of: Action; tell: (told: ActionTold) => void }): JSX.Element {
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
