// The milestones of an escrow: what each is worth, what was delivered for it, and what this side does next.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { agent } from '../../acting.ts';
import type { Yes } from '../../final.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { dateTime, money } from '../../parts/format.ts';
import { Badge, Facts, Outside, Section, Time } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { Sums } from '../../parts/sums.tsx';
import { useAct } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Escrow = Output<'escrow.read'>;
type Milestone = Escrow['milestones'][number];

/** Which side of it the acting agent is. */
function sideOf({ seller_handle }: Escrow): 'buyer' | 'seller' {
  return seller_handle === agent.value ? 'seller' : 'buyer';
}

type Handed = Milestone['deliverables'][number];

/** What was handed over: its words, where it is, and whether the buyer has looked. */
function HandedOver({ of: { description, submitted_at, seen_at, url, page_url, links } }: { of: Handed }): JSX.Element {
  const { escrows } = words;
  return (
    <>
      {description !== null && <p dir="auto">{description}</p>}
      <Facts
        of={[
          [escrows.handedOver, <Time key="at" at={submitted_at} />],
          ...(seen_at === null ? [] : [[escrows.seen, <Time key="seen" at={seen_at} />] as const]),
          ...(url === null ? [] : [[escrows.deliverUrl, <Outside key="url" url={url} />] as const]),
          ...(page_url === null ? [] : [[escrows.page, <Outside key="page" url={page_url} />] as const]),
          ...links.map((link) => [link.name, <Outside key={link.url} url={link.url} />] as const),
        ]}
      />
    </>
  );
}

function Delivered({ deliverable, deliverables, backlink }: Milestone): JSX.Element {
  const { escrows } = words;
  return (
    <>
      {deliverable === null ? <p class="quiet">{escrows.nothingYet}</p> : <HandedOver of={deliverable} />}
      {deliverables.length > 1 && (
        <details>
          <summary>{escrows.earlier}</summary>
          {deliverables.slice(0, -1).map((each) => (
            <HandedOver key={each.n} of={each} />
          ))}
        </details>
      )}
      {backlink !== null && <Facts of={[[escrows.linkTo, <Outside key="to" url={backlink.target_url} />]]} />}
    </>
  );
}

function Release({ escrow, milestone }: { escrow: Escrow; milestone: Milestone }): JSX.Element {
  const { escrows } = words;
  const release = useAct('escrow.release');
  const { milestone_index, amount_cents, fee_cents, net_cents } = milestone;
  return (
    <>
      <ConfirmButton
        main
        busy={release.busy}
        question={escrows.releaseAsk(money(amount_cents), `@${escrow.seller_handle}`)}
        sum={{ amount_cents, fee_cents, net_cents, to: escrow.seller_handle }}
        onClick={(yes) => release.run({ escrow_id: escrow.id, milestone_index }, yes)}
      >
        {escrows.release}
      </ConfirmButton>
      {release.error && <Failure error={release.error} />}
    </>
  );
}

/** Where the buyer asked for a link on a page, the page itself is evidence. */
function Look({ escrow, milestone }: { escrow: Escrow; milestone: Milestone }): JSX.Element {
  const { escrows } = words;
  const look = useAct('escrow.verify_deliverable');
  const [found, setFound] = useState<Output<'escrow.verify_deliverable'> | null>(null);
  const { amount_cents, fee_cents, net_cents } = milestone;
  const go = async (yes: Yes): Promise<void> => setFound(await look.run({ escrow_id: escrow.id }, yes));
  return (
    <>
      <ConfirmButton
        busy={look.busy}
        question={escrows.lookAsk}
        sum={{ amount_cents, fee_cents, net_cents, side: sideOf(escrow), to: escrow.seller_handle }}
        onClick={go}
      >
        {escrows.look}
      </ConfirmButton>
      <span role="status">
        {found && (found.verified ? escrows.looked : escrows.notThere(found.reason ?? words.common.none))}
      </span>
      {look.error && <Failure error={look.error} />}
    </>
  );
}

function Deliver({ id, milestone }: { id: string; milestone: Milestone }): JSX.Element {
  const { escrows } = words;
  const deliver = useAct('escrow.deliver');
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const page = milestone.backlink !== null;
  const go = async (): Promise<void> => {
    const given = await deliver.run({
      escrow_id: id,
      milestone_index: milestone.milestone_index,
      ...(page ? { page_url: url.trim() } : { url: url.trim() }),
      ...(description.trim() !== '' && { description: description.trim() }),
    });
    if (given) setUrl('');
    if (given) setDescription('');
  };
  return (
    <details>
      <summary>{escrows.deliver}</summary>
      <Form onSubmit={go}>
        <Field
          label={page ? escrows.deliverPage : escrows.deliverUrl}
          name={page ? 'page_url' : 'url'}
          value={url}
          onInput={setUrl}
          error={deliver.error}
          hint={escrows.deliverWhy}
          mode="url"
          maxLength={2_000}
          required
        />
        <Field
          label={escrows.deliverText}
          name="description"
          value={description}
          onInput={setDescription}
          error={deliver.error}
          rows={3}
          maxLength={2_000}
        />
        <Button main submit busy={deliver.busy} disabled={url.trim() === ''}>
          {escrows.deliver}
        </Button>
      </Form>
      {deliver.error && <Failure error={deliver.error} />}
    </details>
  );
}

function Item({ escrow, milestone }: { escrow: Escrow; milestone: Milestone }): JSX.Element {
  const { escrows } = words;
  const { title, amount_cents, fee_cents, net_cents, status, auto_release_at, backlink, deliverable } = milestone;
  // What goes back, or is shared by a settlement, bears no fee of its own.
  const sold = (status === 'held' || status === 'released') && { fee_cents, net_cents };
  const acts = escrow.status === 'active' && status === 'held';
  return (
    <li class="card">
      <header>
        <h3 dir="auto">{title}</h3>
        <Badge tone={status === 'released' ? 'good' : 'plain'}>{escrows.milestoneStatuses[status]}</Badge>
      </header>
      <Sums {...{ amount_cents, ...sold }} side={sideOf(escrow)} />
      <Delivered {...milestone} />
      {auto_release_at !== null && (
        <p class="quiet">
          {escrows.paysItself(title)}: {dateTime(auto_release_at)}
        </p>
      )}
      {acts && escrow.buyer_handle === agent.value && <Release escrow={escrow} milestone={milestone} />}
      {acts && escrow.seller_handle === agent.value && <Deliver id={escrow.id} milestone={milestone} />}
      {acts && backlink !== null && deliverable !== null && <Look escrow={escrow} milestone={milestone} />}
    </li>
  );
}

/** All of them, in their order. */
export function Milestones({ escrow }: { escrow: Escrow }): JSX.Element {
  return (
    <Section title={words.escrows.milestones}>
      <ol class="plain">
        {escrow.milestones.map((milestone) => (
          <Item key={milestone.milestone_index} escrow={escrow} milestone={milestone} />
        ))}
      </ol>
    </Section>
  );
}
