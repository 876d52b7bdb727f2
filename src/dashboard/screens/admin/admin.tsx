// Further sections of the administration: pending decisions, the ledger's integrity, debts, and the log of administrators'
// acts.
import type { FunctionComponent, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MeshworkError } from '../../../client/error.ts';
import type { Yes } from '../../final.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field } from '../../parts/field.tsx';
import { count, money, shareOf } from '../../parts/format.ts';
import { Agent, Badge, Facts, Money, More, Section, Segments, Table, Time } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { errorOf, useAct, usePages } from '../../resource.ts';
import { ask, type Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import { actName, OverviewPart, type Part, type PartProps } from './overview.tsx';
import { AgentsPart, PeoplePart } from './people.tsx';

// Administrators' acts, newest first, with export.

function AuditPart(): JSX.Element {
  const { admin, common } = words;
  const acts = usePages('admin.audit', {});
  return (
    <Section title={admin.audit}>
      <Loaded of={acts}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={admin.auditNone} />
          ) : (
            <>
              <Table
                caption={admin.audit}
                rows={pages.items}
                keyOf={({ id }) => id}
                columns={[
                  { name: admin.when, cell: ({ at }) => <Time at={at} exact /> },
                  { name: admin.by, cell: ({ by }) => (by === 'platform' ? admin.platform : (by ?? common.none)) },
                  { name: admin.did, cell: ({ operation }) => actName(operation) },
                  { name: admin.about, cell: ({ subject_id }) => <code>{subject_id ?? ''}</code> },
                  { name: admin.reason, cell: ({ reason }) => <span dir="auto">{reason ?? common.none}</span> },
                ]}
              />
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

// Open disputes with their statements, and the ruling that ends one.

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
        label={words.disputes.back}
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
        question={admin.ruleAsk(money(refund_cents ?? 0), money(unreleased_cents - (refund_cents ?? 0)))}
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
function DisputesPart(): JSX.Element {
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

// Ledger integrity, and debts after chargebacks.

type Checked = Output<'ledger.check'>;

function Result({ ok, accounts, transfers, sum_cents, problems }: Checked): JSX.Element {
  const { admin } = words;
  return (
    <div role="status">
      <p>
        <Badge tone={ok ? 'good' : 'bad'}>{ok ? admin.proved : admin.wrong}</Badge>
      </p>
      <Facts
        of={[
          [admin.accounts, count(accounts)],
          [admin.transfers, count(transfers)],
          [admin.sum, money(sum_cents)],
        ]}
      />
      {problems.length > 0 && (
        <Table
          caption={admin.wrong}
          rows={problems}
          keyOf={({ about, problem }) => `${about} ${problem}`}
          columns={[
            { name: admin.about, cell: ({ about }) => <code>{about}</code> },
            { name: admin.problem, cell: ({ problem }) => problem },
          ]}
        />
      )}
    </div>
  );
}

function Prove(): JSX.Element {
  const { admin } = words;
  const [busy, setBusy] = useState(false);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [error, setError] = useState<MeshworkError | null>(null);
  const go = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    await ask('ledger.check', {}).then(
      ({ value }) => setChecked(value),
      (problem) => setError(errorOf(problem)),
    );
    setBusy(false);
  };
  return (
    <Section title={admin.ledger}>
      <p>{admin.ledgerWhy}</p>
      <Button main busy={busy} onClick={go}>
        {admin.prove}
      </Button>
      {busy && <progress aria-label={admin.ledger} />}
      {checked && <Result {...checked} />}
      {error && <Failure error={error} retry={go} />}
    </Section>
  );
}

function Receivables(): JSX.Element {
  const { admin } = words;
  const list = usePages('receivable.list', {});
  return (
    <Section title={admin.receivables}>
      <Loaded of={list}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={admin.receivablesNone} />
          ) : (
            <>
              <Table
                caption={admin.receivables}
                rows={pages.items}
                keyOf={({ id }) => id}
                columns={[
                  { name: admin.when, cell: ({ created_at }) => <Time at={created_at} /> },
                  { name: admin.about, cell: ({ handle }) => <Agent handle={handle} /> },
                  { name: admin.of, figure: true, cell: ({ amount_cents }) => <Money cents={amount_cents} /> },
                  { name: admin.repaid, figure: true, cell: ({ repaid_cents }) => <Money cents={repaid_cents} /> },
                  { name: admin.owed, figure: true, cell: ({ owed_cents }) => <Money cents={owed_cents} /> },
                ]}
              />
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function LedgerPart(): JSX.Element {
  return (
    <>
      <Prove />
      <Receivables />
    </>
  );
}

// Held listings, reported agents and unusual payments, each to approve or reject.

type Review = Extract<Output<'review.list'>, readonly unknown[]>[number];

function ReviewItem({ id, kind, reason, text, handle, listing, reporter_handle, created_at }: Review): JSX.Element {
  const { admin, common } = words;
  const decide = useAct('review.decide');
  return (
    <li class="card">
      <header>
        <h3 dir="auto">{listing?.headline ?? reason}</h3>
        <span>
          <Badge>{admin.kinds[kind]}</Badge> <Time at={created_at} />
        </span>
      </header>
      {listing && <p dir="auto">{listing.description}</p>}
      <Facts
        of={[
          [
            admin.why,
            <span key="why" dir="auto">
              {reason}
            </span>,
          ],
          [
            admin.words,
            <span key="words" dir="auto">
              {text === '' ? common.none : text}
            </span>,
          ],
          [admin.about, <Agent key="about" handle={handle} />],
          ...(reporter_handle === null
            ? []
            : [[admin.reportedBy, <Agent key="by" handle={reporter_handle} />] as const]),
        ]}
      />
      <div class="buttons">
        <Button main busy={decide.busy} onClick={() => decide.run({ id, approve: true })}>
          {admin.approve}
        </Button>
        <Button danger busy={decide.busy} onClick={() => decide.run({ id, approve: false })}>
          {admin.reject}
        </Button>
      </div>
      {decide.error && <Failure error={decide.error} />}
    </li>
  );
}

/** Open ones, newest first. */
function ReviewsPart(): JSX.Element {
  const { admin } = words;
  const reviews = usePages('review.list', {});
  return (
    <Section title={admin.reviews}>
      <Loaded of={reviews}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={admin.reviewsNone} />
          ) : (
            <>
              <ul class="plain">
                {pages.items.map((review) => (
                  <ReviewItem key={review.id} {...review} />
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

const PARTS = {
  overview: OverviewPart,
  people: PeoplePart,
  allAgents: AgentsPart,
  reviews: ReviewsPart,
  disputes: DisputesPart,
  ledger: LedgerPart,
  audit: AuditPart,
} as const satisfies Readonly<Record<Part, FunctionComponent<PartProps>>>;

export function AdminScreen(): JSX.Element {
  const { admin } = words;
  const [{ part, who }, setShown] = useState<{ part: Part; who: string }>({ part: 'overview', who: '' });
  const go = (to: Part, about = ''): void => setShown({ part: to, who: about });
  const Shown: FunctionComponent<PartProps> = PARTS[part];
  return (
    <>
      <h1 tabIndex={-1}>{admin.title}</h1>
      <Segments
        label={admin.title}
        value={part}
        options={(Object.keys(PARTS) as Part[]).map((each) => [each, admin[each]])}
        onChange={(to) => go(to)}
      />
      <Shown key={who} who={who} go={go} />
    </>
  );
}
