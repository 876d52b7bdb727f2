// Capabilities: the agent's calls and their costs, callable capabilities, and those that the agent provides.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Secret } from '../parts/confirm.tsx';
import { Field, Form } from '../parts/field.tsx';
import { count, money, readAmount } from '../parts/format.ts';
import { Agent, Badge, Money, Section, sumColumns, Table, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { ServedByWeek } from './calls/served.tsx';

type Receipt = Output<'router_call.list'>['calls'][number];
type Capability = Output<'capability.list'>['capabilities'][number];
type Provider = Output<'provider.list'>['providers'][number];

/** Number of displayed calls, newest first. */
const CALLS_SHOWN = 20;

const took = (ms: number | null): string => (ms === null ? words.common.none : words.calls.ms(count(ms)));
const TONES = { charged: 'good', not_charged: 'plain', unknown: 'bad', open: 'wait' } as const;

function Made(): JSX.Element {
  const { calls } = words;
  const made = useRead('router_call.list', { limit: CALLS_SHOWN });
  return (
    <Section title={calls.made}>
      <Loaded of={made}>
        {({ calls: rows, month_to_date: { charged_calls, spent_cents } }) =>
          rows.length === 0 ? (
            <Empty text={calls.madeNone} />
          ) : (
            <>
              <p class="quiet">{calls.month(count(charged_calls), money(spent_cents))}</p>
              <Table<Receipt>
                caption={calls.made}
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { name: calls.what, cell: ({ capability }) => <code>{capability}</code> },
                  { name: calls.by, cell: ({ provider_handle }) => <Agent handle={provider_handle} /> },
                  ...sumColumns<Receipt>(
                    ({ price_cents, ...sums }) => ({ ...sums, amount_cents: price_cents }),
                    'buyer',
                  ),
                  {
                    name: calls.state,
                    cell: ({ status }) => <Badge tone={TONES[status]}>{calls.states[status]}</Badge>,
                  },
                  { name: calls.took, figure: true, cell: ({ latency_ms }) => took(latency_ms) },
                  { name: calls.at, cell: ({ created_at }) => <Time at={created_at} /> },
                ]}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function Offered(): JSX.Element {
  const { calls, common } = words;
  const list = useRead('capability.list', {});
  const percent = (share: number | null): string => (share === null ? common.none : calls.percent(count(share)));
  return (
    <Section title={calls.offered}>
      <Loaded of={list}>
        {({ capabilities }) => {
          const rows = capabilities.filter(({ providers }) => providers > 0);
          if (rows.length === 0) return <Empty text={calls.offeredNone} />;
          return (
            <Table<Capability>
              caption={calls.offered}
              rows={rows}
              keyOf={({ capability }) => capability}
              columns={[
                { name: calls.what, cell: ({ capability }) => <code>{capability}</code> },
                { name: calls.providers, figure: true, cell: ({ providers }) => count(providers) },
                {
                  name: calls.from,
                  figure: true,
                  cell: ({ from_price_cents }) =>
                    from_price_cents === null ? common.none : <Money cents={from_price_cents} />,
                },
                { name: calls.rate, figure: true, cell: ({ success_rate }) => percent(success_rate) },
                { name: calls.typical, figure: true, cell: ({ typical_latency_ms }) => took(typical_latency_ms) },
              ]}
            />
          );
        }}
      </Loaded>
    </Section>
  );
}

function State({ offer: { active, in_rotation, last_error } }: { offer: Provider }): JSX.Element {
  const { calls } = words;
  if (in_rotation) return <Badge tone="good">{calls.inRotation}</Badge>;
  if (!active) return <Badge>{calls.off}</Badge>;
  return (
    <>
      <Badge tone="bad">{calls.out}</Badge>
      {last_error !== null && (
        <p class="quiet" dir="auto">
          {calls.lastError(last_error)}
        </p>
      )}
      <p class="quiet">{calls.outWhy}</p>
    </>
  );
}

function Trial({ id }: { id: string }): JSX.Element {
  const { calls } = words;
  const { run, busy, error } = useAct('provider.test');
  const [told, setTold] = useState<Output<'provider.test'> | null>(null);
  const go = async (): Promise<void> => setTold(await run({ id }));
  return (
    <>
      <Button busy={busy} onClick={go}>
        {calls.test}
      </Button>
      {told && <p role="status">{told.ok ? calls.works(count(told.latency_ms ?? 0)) : told.verdict}</p>}
      {error && <Failure error={error} />}
    </>
  );
}

function Own(): JSX.Element {
  const { calls } = words;
  const list = useRead('provider.list', {});
  return (
    <Section title={calls.own}>
      <Loaded of={list}>
        {({ providers }) =>
          providers.length === 0 ? (
            <Empty text={calls.ownNone} />
          ) : (
            <Table<Provider>
              caption={calls.own}
              rows={providers}
              keyOf={({ id }) => id}
              columns={[
                { name: calls.what, cell: ({ capability }) => <code>{capability}</code> },
                { name: calls.price, figure: true, cell: ({ price_cents }) => <Money cents={price_cents} /> },
                { name: calls.state, cell: (offer) => <State offer={offer} /> },
                {
                  name: calls.served,
                  figure: true,
                  cell: ({ total_calls, total_failures }) =>
                    calls.servedOf(count(total_calls - total_failures), count(total_calls)),
                },
                { name: calls.took, figure: true, cell: ({ avg_latency_ms }) => took(avg_latency_ms) },
                { name: calls.test, cell: ({ id }) => <Trial id={id} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

function Offer(): JSX.Element {
  const { calls } = words;
  const { run, busy, error } = useAct('provider.register');
  const [draft, setDraft] = useState({ capability: '', endpoint_url: '', price: '' });
  const [made, setMade] = useState<Output<'provider.register'> | null>(null);
  const typed = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change });
  const price_cents = readAmount(draft.price);
  const go = async (): Promise<void> => {
    if (price_cents === null) return;
    const { capability, endpoint_url } = draft;
    setMade(await run({ capability, endpoint_url, price_cents }));
  };
  return (
    <Section title={calls.offer}>
      {made && <Secret text={calls.once} secret={made.signing_secret} close={() => setMade(null)} />}
      {made && !made.endpoint_check.ok && <p role="status">{made.endpoint_check.verdict}</p>}
      <p class="quiet">{calls.offerWhy}</p>
      <Form onSubmit={go}>
        <Field
          label={calls.capability}
          hint={calls.capabilityHint}
          name="capability"
          value={draft.capability}
          onInput={(capability) => typed({ capability })}
          error={error}
          maxLength={64}
          required
        />
        <Field
          label={calls.endpoint}
          hint={calls.endpointHint}
          name="endpoint_url"
          value={draft.endpoint_url}
          onInput={(endpoint_url) => typed({ endpoint_url })}
          error={error}
          maxLength={2_000}
          required
        />
        <Field
          label={calls.cents}
          name="price_cents"
          value={draft.price}
          onInput={(price) => typed({ price })}
          mode="decimal"
          error={error}
          required
        />
        <Button main submit busy={busy} disabled={price_cents === null || draft.capability === ''}>
          {calls.go}
        </Button>
      </Form>
      {error && <Failure error={error} />}
    </Section>
  );
}

/** The router, for callers and providers. */
export function CallsScreen(): JSX.Element {
  return (
    <>
      <h1 tabIndex={-1}>{words.calls.title}</h1>
      <Made />
      <Offered />
      <Own />
      <ServedByWeek />
      <Offer />
    </>
  );
}
