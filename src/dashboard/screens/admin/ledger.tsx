// Whether every cent is where it belongs, and who owes after chargebacks.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MeshworkError } from '../../../client/error.ts';
import { Button } from '../../parts/button.tsx';
import { count, money } from '../../parts/format.ts';
import { Agent, Badge, Facts, Money, More, Section, Time } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { errorOf, usePages } from '../../resource.ts';
import { ask, type Output } from '../../server.ts';
import { words } from '../../words/words.ts';

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

export function LedgerPart(): JSX.Element {
  return (
    <>
      <Prove />
      <Receivables />
    </>
  );
}
