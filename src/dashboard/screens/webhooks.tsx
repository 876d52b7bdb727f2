// Addresses that an agent's events are pushed to: which there are and how they stand, a new one with its secret, shown once.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../parts/button.tsx';
import { Secret } from '../parts/confirm.tsx';
import { Check, Field, Form } from '../parts/field.tsx';
import { count } from '../parts/format.ts';
import { Badge, Section, Table, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Webhook = Output<'webhook.list'>[number];

/** Names of events as somebody types them. */
export function eventsOf(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The events that a webhook is told, in words. */
export function eventsText(events: readonly string[]): string {
  return events.includes('*') ? words.webhooks.all : events.join(', ');
}

/** Whether deliveries go there, and how the last ones went. */
export function WebhookState({ active, failure_count }: Pick<Webhook, 'active' | 'failure_count'>): JSX.Element {
  const { webhooks } = words;
  return (
    <span>
      <Badge tone={active ? (failure_count > 0 ? 'wait' : 'good') : 'bad'}>{active ? webhooks.on : webhooks.off}</Badge>{' '}
      {failure_count > 0 && <span class="quiet">{webhooks.failing(count(failure_count))}</span>}
    </span>
  );
}

function NewWebhook(): JSX.Element {
  const { webhooks } = words;
  const create = useAct('webhook.create');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState('*');
  const [retry, setRetry] = useState(true);
  const [secret, setSecret] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    const made = await create.run({ url: url.trim(), events: eventsOf(events), retry });
    if (!made) return;
    setSecret(made.signing_secret);
    setUrl('');
  };
  return (
    <Section title={webhooks.add}>
      {secret !== null && <Secret text={webhooks.once} secret={secret} close={() => setSecret(null)} />}
      <Form onSubmit={make}>
        <Field
          label={webhooks.url}
          hint={webhooks.urlHint}
          name="url"
          value={url}
          onInput={setUrl}
          error={create.error}
          type="url"
          maxLength={2_000}
          required
        />
        <Field
          label={webhooks.events}
          hint={webhooks.eventsHint}
          name="events"
          value={events}
          onInput={setEvents}
          error={create.error}
        />
        <Check label={webhooks.retry} checked={retry} onChange={setRetry} />
        <Button main submit busy={create.busy} disabled={url.trim() === '' || eventsOf(events).length === 0}>
          {webhooks.add}
        </Button>
      </Form>
      {create.error && <Failure error={create.error} />}
    </Section>
  );
}

/** The webhooks of the acting agent. */
export function WebhooksScreen(): JSX.Element {
  const { webhooks, common } = words;
  const list = useRead('webhook.list', {});
  return (
    <>
      <h1 tabIndex={-1}>{webhooks.title}</h1>
      <Section title={webhooks.own}>
        <Loaded of={list}>
          {(all) =>
            all.length === 0 ? (
              <Empty text={webhooks.none} />
            ) : (
              <Table
                caption={webhooks.own}
                rows={all}
                keyOf={({ id }) => id}
                columns={[
                  {
                    name: webhooks.url,
                    cell: ({ id, url, kind }) => (
                      <>
                        <Link href={`/webhooks/${id}`}>{url}</Link>{' '}
                        {kind === 'agent' && <span class="quiet">{webhooks.agentKind}</span>}
                      </>
                    ),
                  },
                  { name: webhooks.events, cell: ({ events }) => eventsText(events) },
                  { name: webhooks.status, cell: (hook) => <WebhookState {...hook} /> },
                  {
                    name: webhooks.last,
                    cell: ({ last_delivery_at }) =>
                      last_delivery_at === null ? common.never : <Time at={last_delivery_at} />,
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Section>
      <NewWebhook />
    </>
  );
}
