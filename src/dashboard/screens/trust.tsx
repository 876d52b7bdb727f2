// The acting agent's trust: the score and its parts, proofs with their expiry, and the next proof.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CREDENTIAL_POINTS } from '../../domain/agent/trust.ts';
import { Button } from '../parts/button.tsx';
import { Field, Form } from '../parts/field.tsx';
import { count, date } from '../parts/format.ts';
import { PhoneProof } from '../parts/phone-proof.tsx';
import { Badge, Facts, Section, Table, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { base } from '../session.ts';
import { toldInWords } from '../words/refusal.ts';
import { words } from '../words/words.ts';

type Signals = Output<'trust.signals'>;
type Credential = Signals['credentials'][number];

function Score({ score, breakdown }: Signals): JSX.Element {
  const { trust } = words;
  return (
    <Section title={trust.score}>
      <p class="figure-big">{trust.of(count(score), count(100))}</p>
      <p class="quiet">{trust.scoreText}</p>
      <Table
        caption={trust.score}
        rows={breakdown}
        keyOf={({ signal }) => signal}
        columns={[
          { name: trust.part, cell: ({ signal }) => trust.parts[signal] ?? signal },
          {
            name: trust.points,
            figure: true,
            cell: ({ signal, points, max }) => (
              <>
                <meter min={0} max={max} value={points} aria-label={trust.parts[signal] ?? signal} />{' '}
                {trust.of(count(points), count(max))}
              </>
            ),
          },
        ]}
      />
    </Section>
  );
}

function Proofs({ credentials }: { credentials: readonly Credential[] }): JSX.Element {
  const { trust, common } = words;
  return (
    <Section title={trust.proofs}>
      {credentials.length === 0 ? (
        <Empty text={trust.proofsNone} />
      ) : (
        <Table
          caption={trust.proofs}
          rows={credentials}
          keyOf={({ kind }) => kind}
          columns={[
            { name: trust.proof, cell: ({ kind }) => trust.kinds[kind] ?? kind },
            {
              name: trust.status,
              cell: ({ status }) => (
                <Badge tone={status === 'active' ? 'good' : 'wait'}>{trust.statuses[status]}</Badge>
              ),
            },
            { name: trust.since, cell: ({ verified_at }) => date(verified_at) },
            { name: trust.checked, cell: ({ checked_at }) => <Time at={checked_at} /> },
            {
              name: trust.fades,
              cell: ({ decays_to_zero_at }) => (decays_to_zero_at === null ? common.none : date(decays_to_zero_at)),
            },
          ]}
        />
      )}
    </Section>
  );
}

/** Displays the DNS record to publish, then checks it. */
function DomainProof(): JSX.Element {
  const { trust } = words;
  const verify = useAct('site.verify');
  const [domain, setDomain] = useState('');
  const [answer, setAnswer] = useState<Output<'site.verify'> | null>(null);
  const ask = async (): Promise<void> => setAnswer(await verify.run({ domain: domain.trim() }));
  const record = answer?.record;
  return (
    <Form onSubmit={ask}>
      <p>{trust.domainText}</p>
      <Field
        label={trust.domainName}
        name="domain"
        value={domain}
        onInput={(text) => {
          setDomain(text);
          setAnswer(null);
        }}
        error={verify.error}
        mode="url"
        maxLength={300}
        required
      />
      {record && (
        <div class="notice" role="status">
          <p>{typeof answer.note === 'string' ? toldInWords(answer.note, words.refusals) : trust.record}</p>
          <Facts
            of={[
              [trust.recordName, <code>{record.name}</code>],
              [trust.recordValue, <code>{record.value}</code>],
            ]}
          />
        </div>
      )}
      <Button main submit busy={verify.busy} disabled={domain.trim() === ''}>
        {record ? trust.domainCheck : trust.domainAsk}
      </Button>
      {verify.error && <Failure error={verify.error} />}
    </Form>
  );
}

function Elsewhere({ provider, title, points }: Output<'trust.providers'>['providers'][number]): JSX.Element {
  const { trust } = words;
  const connect = useAct('trust.connect');
  const go = async (): Promise<void> => {
    const begun = await connect.run({ provider, next: `${base}trust` });
    if (begun) location.assign(begun.authorize_url);
  };
  return (
    <li>
      <Button busy={connect.busy} onClick={go}>
        {trust.prove(title)}
      </Button>{' '}
      <span class="quiet">{trust.worth(count(points))}</span>
      {connect.error && <Failure error={connect.error} />}
    </li>
  );
}

/** The acting agent's proofs, and forms for more. */
export function TrustScreen(): JSX.Element {
  const { trust } = words;
  const signals = useRead('trust.signals', {});
  const sites = useRead('trust.providers', {});
  return (
    <>
      <h1 tabIndex={-1}>{trust.title}</h1>
      <Loaded of={signals}>
        {(all) => (
          <>
            <Score {...all} />
            <Proofs credentials={all.credentials} />
          </>
        )}
      </Loaded>
      <Section title={trust.phone} aside={<span class="quiet">{trust.worth(count(CREDENTIAL_POINTS.phone))}</span>}>
        <PhoneProof />
      </Section>
      <Section title={trust.domain} aside={<span class="quiet">{trust.worth(count(CREDENTIAL_POINTS.domain))}</span>}>
        <DomainProof />
      </Section>
      <Loaded of={sites}>
        {({ providers }) =>
          providers.length > 0 && (
            <Section title={trust.elsewhere}>
              <p>{trust.elsewhereText}</p>
              <ul class="plain">
                {providers.map((site) => (
                  <Elsewhere key={site.provider} {...site} />
                ))}
              </ul>
            </Section>
          )
        }
      </Loaded>
    </>
  );
}
