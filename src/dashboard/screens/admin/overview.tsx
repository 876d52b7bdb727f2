// The service's status on one page: pending decisions, overdue work, people, the machine, the last backup, the ledger, mail and
// recent errors.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { bytes, count } from '../../parts/format.ts';
import { Badge, Facts, Section, Table, Time } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useAct, usePages, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import { DemoPart } from './demo.tsx';

/** The sections of the screen. */
export type Part = 'overview' | 'people' | 'allAgents' | 'reviews' | 'disputes' | 'ledger' | 'audit';

export interface PartProps {
  /** The person concerned, when a link named one. */
  who: string;
  /** Opens another section. */
  go: (to: Part, who?: string) => void;
}

/** What an administrator did, in words; an operation without any is shown by its name. */
export function actName(operation: string): string {
  const acts: Readonly<Record<string, string>> = words.admin.acts;
  return acts[operation] ?? operation;
}

type Overview = Output<'admin.overview'>;
type Go = PartProps['go'];

/** Number of displayed acts of administrators. */
const ACTS = 5;

const size = (n: number | null): string => (n === null ? words.common.none : bytes(n));

function Waiting({ of, go }: { of: Overview; go: Go }): JSX.Element {
  const { admin } = words;
  const late = of.overdue.filter((each) => each.count > 0);
  return (
    <Section title={admin.waits}>
      <div class="buttons">
        <Button main={of.reviews_open > 0} onClick={() => go('reviews')}>
          {admin.reviewsOpen(count(of.reviews_open))}
        </Button>
        <Button main={of.disputes_open > 0} onClick={() => go('disputes')}>
          {admin.disputesOpen(count(of.disputes_open))}
        </Button>
      </div>
      <h3>{admin.overdue}</h3>
      {late.length === 0 ? (
        <p class="quiet">{admin.overdueNone}</p>
      ) : (
        <Table
          caption={admin.overdue}
          rows={late}
          keyOf={({ kind }) => kind}
          columns={[
            { name: admin.did, cell: ({ kind }) => admin.overdueKinds[kind] ?? kind },
            { name: admin.howMany, figure: true, cell: (each) => count(each.count) },
            { name: admin.oldest, cell: ({ oldest_at }) => oldest_at && <Time at={oldest_at} /> },
          ]}
        />
      )}
    </Section>
  );
}

function Here({ of: { people, agents }, go }: { of: Overview; go: Go }): JSX.Element {
  const { admin } = words;
  return (
    <Section title={admin.here}>
      <Facts
        of={[
          [admin.peopleCount, admin.withNew(count(people.count), count(people.new_this_week))],
          [admin.suspendedCount, count(people.suspended)],
          [admin.agents, admin.withNew(count(agents.count), count(agents.new_this_week))],
        ]}
      />
      <div class="buttons">
        <Button onClick={() => go('people')}>{admin.people}</Button>
        <Button onClick={() => go('allAgents')}>{admin.allAgents}</Button>
      </div>
    </Section>
  );
}

function Machine({ version, started_at, ready, not_ready, disk }: Overview): JSX.Element {
  const { admin } = words;
  return (
    <Section title={admin.service}>
      <p>
        <Badge tone={ready ? 'good' : 'bad'}>{ready ? admin.healthy : admin.unhealthy(not_ready ?? '')}</Badge>
      </p>
      <Facts
        of={[
          [admin.version, version],
          [admin.upSince, <Time key="up" at={started_at} exact />],
          [admin.free, size(disk.free_bytes)],
          [admin.database, size(disk.database_bytes)],
          [admin.log, size(disk.log_bytes)],
        ]}
      />
    </Section>
  );
}

function Backup({ backup }: Overview): JSX.Element {
  const { admin } = words;
  const last = backup?.last;
  const proof = backup?.proof;
  return (
    <Section title={admin.backup}>
      {!last && <p class="quiet">{admin.backupNone}</p>}
      {last && (
        <Facts
          of={[
            [admin.when, <Time key="at" at={last.made_at} exact />],
            [admin.where, <code key="where">{last.address}</code>],
            [admin.size, bytes(last.bytes)],
            [admin.encrypted, last.encrypted ? words.common.yes : words.common.no],
          ]}
        />
      )}
      {proof && (
        <p>
          <Badge tone={proof.result === 'ok' ? 'good' : 'bad'}>{admin.proofs[proof.result]}</Badge>{' '}
          <Time at={proof.at} /> {proof.problems.join(' ')}
        </p>
      )}
      {backup?.failure && (
        <p class="problem">
          {admin.backupFailed} <Time at={backup.failure.at} /> {backup.failure.reason}
        </p>
      )}
    </Section>
  );
}

function Books({ of: { ledger }, go }: { of: Overview; go: Go }): JSX.Element {
  const { admin, common } = words;
  const { checked_at, problems, sealed_until } = ledger;
  return (
    <Section title={admin.ledger}>
      {problems !== null && (
        <p>
          <Badge tone={problems === 0 ? 'good' : 'bad'}>{problems === 0 ? admin.proved : admin.wrong}</Badge>
        </p>
      )}
      <Facts
        of={[
          [admin.ledgerChecked, checked_at === null ? admin.never : <Time key="at" at={checked_at} exact />],
          [admin.ledgerSealed, sealed_until === null ? common.none : <Time key="until" at={sealed_until} exact />],
        ]}
      />
      <div class="buttons">
        <Button onClick={() => go('ledger')}>{admin.prove}</Button>
      </div>
    </Section>
  );
}

function Mail(): JSX.Element {
  const { admin } = words;
  const test = useAct('admin.test_mail');
  const [tried, setTried] = useState<Output<'admin.test_mail'> | null>(null);
  const told = (answer: Output<'admin.test_mail'>): string => {
    if (!answer.sent) return admin.mailRefused(answer.to, answer.reason ?? '');
    return answer.outbox ? admin.mailKept(answer.to) : admin.mailSent(answer.to);
  };
  return (
    <Section title={admin.mail}>
      <p>{admin.mailWhy}</p>
      <div class="buttons">
        <Button busy={test.busy} onClick={async () => setTried(await test.run({}))}>
          {admin.mailTry}
        </Button>
      </div>
      <p role="status" class={tried && !tried.sent ? 'problem' : undefined}>
        {tried && told(tried)}
      </p>
      {test.error && <Failure error={test.error} />}
    </Section>
  );
}

function Errors({ errors }: Overview): JSX.Element {
  const { admin } = words;
  return (
    <Section title={admin.errors}>
      {errors.length === 0 ? (
        <Empty text={admin.errorsNone} />
      ) : (
        <Table
          caption={admin.errors}
          rows={errors}
          keyOf={({ message, error, operation }) => [message, error, operation].join(' ')}
          columns={[
            { name: admin.when, cell: ({ at }) => <Time at={at} /> },
            { name: admin.problem, cell: ({ message, error }) => [message, error].filter(Boolean).join(': ') },
            { name: admin.did, cell: ({ operation }) => <code>{operation ?? ''}</code> },
            { name: admin.howMany, figure: true, cell: (each) => count(each.count) },
          ]}
        />
      )}
    </Section>
  );
}

function LastActs({ go }: { go: Go }): JSX.Element {
  const { admin, common } = words;
  const acts = usePages('admin.audit', { limit: ACTS });
  return (
    <Section title={admin.audit}>
      <Loaded of={acts}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty text={admin.auditNone} />
          ) : (
            <Table
              caption={admin.audit}
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { name: admin.when, cell: ({ at }) => <Time at={at} /> },
                { name: admin.by, cell: ({ by }) => (by === 'platform' ? admin.platform : (by ?? common.none)) },
                { name: admin.did, cell: ({ operation }) => actName(operation) },
              ]}
            />
          )
        }
      </Loaded>
      <div class="buttons">
        <Button onClick={() => go('audit')}>{admin.all}</Button>
      </div>
    </Section>
  );
}

export function OverviewPart({ go }: PartProps): JSX.Element {
  const overview = useRead('admin.overview', {});
  return (
    <Loaded of={overview}>
      {(of) => (
        <>
          <div class="cards">
            <Waiting of={of} go={go} />
            <DemoPart />
            <Here of={of} go={go} />
            <Machine {...of} />
            <Backup {...of} />
            <Books of={of} go={go} />
            <Mail />
          </div>
          <Errors {...of} />
          <LastActs go={go} />
        </>
      )}
    </Loaded>
  );
}
