// A dispute as its two sides see it: until when who has to speak, what was said, what is proposed, and what this side may do. The room
// shows what this side may do in its next step.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useDraft } from '../../drafts.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { away, linesOf, money, shareOf } from '../../parts/format.ts';
import { Badge, Facts, Sums, Time } from '../../parts/show.tsx';
import { Empty, Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import type { Dispute } from './next-step.ts';
import { Settlement } from './settlement.tsx';

/** Who has to do what until when. */
function Waits({ status, opened_by, respondent, respond_by }: Dispute): JSX.Element | null {
  const { disputes } = words;
  if (status === 'responded') return <p class="notice">{disputes.between}</p>;
  if (status !== 'open') return null;
  const time = away(respond_by);
  return (
    <p class="notice">
      {respondent === agent.value ? disputes.yours(`@${opened_by}`, time) : disputes.theirs(`@${respondent}`, time)}{' '}
      {disputes.noAnswer}
    </p>
  );
}

function Evidence({ evidence }: Dispute): JSX.Element {
  const { disputes } = words;
  if (evidence.length === 0) return <Empty text={disputes.evidenceNone} />;
  return (
    <ol class="plain">
      {evidence.map(({ by, statement, links, at, hash }) => (
        <li key={hash} class="card">
          <p>
            <strong>@{by}</strong> <Time at={at} />
          </p>
          <p dir="auto">{statement}</p>
          {links.map((link) => (
            <p key={link} dir="auto">
              {link}
            </p>
          ))}
          <p class="quiet">{disputes.evidenceSeal(hash.slice(0, 12))}</p>
        </li>
      ))}
    </ol>
  );
}

function AddEvidence({ escrow_id }: Dispute): JSX.Element {
  const { disputes } = words;
  const add = useAct('dispute.evidence');
  const [statement, setStatement] = useDraft(`${escrow_id} statement`);
  const [links, setLinks] = useState('');
  const said = linesOf(links);
  const go = async (): Promise<void> => {
    const added = await add.run({
      escrow_id,
      ...(statement.trim() !== '' && { statement: statement.trim() }),
      ...(said.length > 0 && { links: said }),
    });
    if (added) setStatement('');
    if (added) setLinks('');
  };
  return (
    <Form onSubmit={go}>
      <Field
        label={disputes.statement}
        hint={disputes.stands}
        name="statement"
        value={statement}
        onInput={setStatement}
        error={add.error}
        rows={4}
        maxLength={8_192}
      />
      <Field label={disputes.links} name="links" value={links} onInput={setLinks} error={add.error} rows={2} />
      <Button main submit busy={add.busy} disabled={statement.trim() === '' && said.length === 0}>
        {disputes.add}
      </Button>
      {add.error && <Failure error={add.error} />}
    </Form>
  );
}

function Proposal({ escrow_id, proposal, your_side: side }: Dispute): JSX.Element | null {
  return (
    proposal && (
      <div class="notice">
        <Settlement {...proposal} escrow_id={escrow_id} side={side} />
      </div>
    )
  );
}

function Share({ escrow_id, unreleased_cents }: Dispute): JSX.Element {
  const { disputes } = words;
  const propose = useAct('dispute.propose');
  const [back, setBack] = useDraft(`${escrow_id} back`);
  const refund_cents = shareOf(back, unreleased_cents);
  const fits = refund_cents !== null;
  const go = async (): Promise<void> => {
    if (!fits) return;
    const release_cents = unreleased_cents - refund_cents;
    if (await propose.run({ escrow_id, refund_cents, release_cents })) setBack('');
  };
  return (
    <Form onSubmit={go}>
      <Field
        label={disputes.back}
        name="refund_cents"
        value={back}
        onInput={setBack}
        error={propose.error}
        mode="decimal"
        required
      />
      <p role="status">{fits && disputes.rest(money(unreleased_cents - refund_cents))}</p>
      <Button main submit busy={propose.busy} disabled={!fits}>
        {disputes.propose}
      </Button>
      {propose.error && <Failure error={propose.error} />}
    </Form>
  );
}

/** A form that is not the first thing to do. */
function Folded({ title, children }: { title: string; children: JSX.Element }): JSX.Element {
  return (
    <details>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** The ways out of this side alone. */
function Leave({ escrow_id, opened_by, status, your_side, unreleased_cents, ...sums }: Dispute): JSX.Element | null {
  const { disputes } = words;
  const [concede, withdraw] = [useAct('dispute.concede'), useAct('dispute.withdraw')];
  const failed = concede.error ?? withdraw.error;
  const opener = opened_by === agent.value;
  // What goes to the seller bears the fee, what goes back does not.
  const { fee_cents, net_cents } = sums;
  const released = your_side === 'buyer' && { fee_cents, net_cents };
  if (opener && status !== 'open') return null;
  return (
    <>
      {opener ? (
        <ConfirmButton
          busy={withdraw.busy}
          question={disputes.withdrawAsk}
          onClick={(yes) => withdraw.run({ escrow_id }, yes)}
        >
          {disputes.withdraw}
        </ConfirmButton>
      ) : (
        <ConfirmButton
          danger
          busy={concede.busy}
          question={disputes.concedeAsk}
          sum={{ amount_cents: unreleased_cents, ...released, to: opened_by }}
          onClick={(yes) => concede.run({ escrow_id }, yes)}
        >
          {disputes.concede}
        </ConfirmButton>
      )}
      {failed && <Failure error={failed} />}
    </>
  );
}

/** How it ended, and who got what. */
function Outcome({ resolution, your_side }: Dispute): JSX.Element | null {
  const { disputes, escrows } = words;
  if (!resolution) return null;
  const { outcome, refund_cents, release_cents, fee_cents, net_cents, note } = resolution;
  return (
    <>
      <p>
        <strong>{escrows.outcomes[outcome]}</strong>
      </p>
      <Facts
        of={[
          [disputes.toBuyer, money(refund_cents)],
          [disputes.toSeller, money(release_cents)],
          ...(note === null ? [] : [[disputes.note, note] as const]),
        ]}
      />
      {release_cents > 0 && fee_cents !== null && (
        <Sums {...{ amount_cents: release_cents, fee_cents, net_cents }} side={your_side ?? 'either'} />
      )}
    </>
  );
}

const isLive = ({ status }: Dispute): boolean => status === 'open' || status === 'responded';

export function DisputeState({ of }: { of: Dispute }): JSX.Element {
  return <Badge tone={isLive(of) ? 'wait' : 'plain'}>{words.disputes.statuses[of.status]}</Badge>;
}

/** What this side may do: first what the dispute waits for. */
export function DisputeActs({ dispute }: { dispute: Dispute }): JSX.Element | null {
  const { disputes } = words;
  const { status, respondent, proposal } = dispute;
  if (!isLive(dispute)) return null;
  const answers = status === 'open' && respondent === agent.value;
  const evidence = <AddEvidence {...dispute} />;
  const share = <Share {...dispute} />;
  return (
    <>
      <Waits {...dispute} />
      <Proposal {...dispute} />
      {answers ? evidence : status === 'open' && <Folded title={disputes.add}>{evidence}</Folded>}
      {status === 'responded' && proposal === null ? share : <Folded title={disputes.propose}>{share}</Folded>}
      <Leave {...dispute} />
    </>
  );
}

/** The dispute of an escrow, the live or the latest one; what is to be done may stand elsewhere on the page. */
export function DisputePart({ dispute, above }: { dispute: Dispute; above: boolean }): JSX.Element {
  const { disputes } = words;
  return (
    <>
      <Outcome {...dispute} />
      <Facts
        of={[
          [
            disputes.reason,
            <span key="reason" dir="auto">
              {dispute.reason}
            </span>,
          ],
          [disputes.inDispute, money(dispute.unreleased_cents)],
        ]}
      />
      <h3>{disputes.evidence}</h3>
      <Evidence {...dispute} />
      {!above && <DisputeActs dispute={dispute} />}
    </>
  );
}
