// Disputes that nobody has ended, with all that was said, and the ruling that ends one.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Yes } from '../../final.ts';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field } from '../../parts/field.tsx';
import { money, shareOf } from '../../parts/format.ts';
import { Agent, Badge, Facts, More, Section, Time } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useAct, usePages } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Dispute = Extract<Output<'dispute.list'>, readonly unknown[]>[number];

function Rule({ id, unreleased_cents }: Dispute): JSX.Element {
  const { admin } = words;
  const rule = useAct('dispute.rule');
  const [back, setBack] = useState('');
  const [note, setNote] = useState('');
  const refund_cents = shareOf(back, unreleased_cents);
  const go = (yes: Yes): unknown => {
    if (refund_cents === null) return undefined;
    const shares = { refund_cents, release_cents: unreleased_cents - refund_cents };
    return rule.run({ id, ...shares, ...(note.trim() !== '' && { note: note.trim() }) }, yes);
  };
  return (
    <>
      <Field
        label={admin.toBuyer}
        name="refund_cents"
        value={back}
        onInput={setBack}
        error={rule.error}
        mode="decimal"
        required
      />
      <p role="status">{refund_cents !== null && admin.seller(money(unreleased_cents - refund_cents))}</p>
      <Field
        label={admin.note}
        name="note"
        value={note}
        onInput={setNote}
        error={rule.error}
        rows={3}
        maxLength={2_000}
      />
      <ConfirmButton
        danger
        busy={rule.busy}
        disabled={refund_cents === null}
        tells
        question={admin.ruleAsk}
        onClick={go}
      >
        {admin.rule}
      </ConfirmButton>
      {rule.error && <Failure error={rule.error} />}
    </>
  );
}

function Item(dispute: Dispute): JSX.Element {
  const { admin, disputes } = words;
  const { opened_by, respondent, reason, status, evidence, proposal, unreleased_cents, respond_by } = dispute;
  return (
    <li class="card">
      <header>
        <h3>{admin.between(`@${opened_by}`, `@${respondent}`)}</h3>
        <Badge tone="wait">{disputes.statuses[status]}</Badge>
      </header>
      <Facts
        of={[
          [
            disputes.reason,
            <span key="reason" dir="auto">
              {reason}
            </span>,
          ],
          [disputes.inDispute, money(unreleased_cents)],
          [admin.about, <Agent key="respondent" handle={respondent} />],
          [words.accounts.ends, <Time key="by" at={respond_by} />],
        ]}
      />
      {proposal && (
        <p>{disputes.proposed(`@${proposal.by}`, money(proposal.refund_cents), money(proposal.release_cents))}</p>
      )}
      <h4>{disputes.evidence}</h4>
      {evidence.length === 0 && <Empty text={disputes.evidenceNone} />}
      <ol class="plain">
        {evidence.map(({ by, statement, links, at, hash }) => (
          <li key={hash}>
            <p dir="auto">
              <strong>@{by}</strong> <Time at={at} /> {statement} {links.join(' ')}
            </p>
          </li>
        ))}
      </ol>
      <Rule {...dispute} />
    </li>
  );
}

/** Newest first. */
export function DisputesPart(): JSX.Element {
  const { admin } = words;
  const list = usePages('dispute.list', {});
  return (
    <Section title={admin.disputes}>
      <Loaded of={list}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={admin.disputesNone} />
          ) : (
            <>
              <ul class="plain">
                {pages.items.map((dispute) => (
                  <Item key={dispute.id} {...dispute} />
                ))}
              </ul>
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
