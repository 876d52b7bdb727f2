// Addresses that an agent's events are pushed to: which there are and how they stand, a new one with its secret, shown once.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { MeshworkError } from '../../client/error.ts';
import { EVENT_KINDS, type EventKind, isEventKind, nameOf } from '../../domain/inbox/event.ts';
import { Button } from '../parts/button.tsx';
import { Secret } from '../parts/confirm.tsx';
import { Check, Field, Form } from '../parts/field.tsx';
import { count, listed } from '../parts/format.ts';
import { problemOf } from '../parts/refused.ts';
import { Badge, Section, Table, Time } from '../parts/show.tsx';
import { Snippets } from '../parts/snippet.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { type TickGroup, Ticks } from '../parts/ticks.tsx';
import { useAct, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { webhookSnippets } from '../snippets.ts';
import { words } from '../words/words.ts';

type Webhook = Output<'webhook.list'>[number];

/** Events of a webhook that are named; of more only the count is told. */
const NAMED_MAX = 3;

const ALL = '*';

/** Addresses that webhooks do not reach: plain http, and this machine. */
const NOT_PUBLIC = /^(http:|(https:\/\/)?(localhost|127\.|\[::1\]))/i;

const GROUPS = {
  matches: ['match'],
  talks: ['conversation', 'negotiation'],
  deals: ['deal', 'escrow', 'meeting'],
  requests: ['demand'],
  money: ['payment', 'payout', 'subscription'],
} as const;
type Group = keyof typeof GROUPS | 'agent';

/** The group of a kind, by what stands before its point; all others are about the agent itself. */
function groupOf(kind: EventKind): Group {
  const subject = kind.split('.')[0] ?? '';
  const names = Object.keys(GROUPS) as (keyof typeof GROUPS)[];
  return names.find((name) => (GROUPS[name] as readonly string[]).includes(subject)) ?? 'agent';
}

function eventGroups(): TickGroup[] {
  const { events } = words.developer;
  return (Object.keys(events) as Group[]).map((id) => ({
    id,
    name: events[id],
    options: EVENT_KINDS.filter((kind) => groupOf(kind) === id).map((kind) => [kind, nameOf(kind, words.events)]),
  }));
}

/** The choice of events: every one, or those that are ticked. */
export function EventsField({
  chosen,
  choose,
}: {
  chosen: readonly string[];
  choose: (events: readonly string[]) => void;
}): JSX.Element {
  const { webhooks, developer } = words;
  const every = chosen.includes(ALL);
  return (
    <fieldset aria-label={webhooks.events}>
      <Check label={developer.allEvents} checked={every} onChange={(on) => choose(on ? [ALL] : [])} />
      {!every && <Ticks groups={eventGroups()} chosen={chosen} choose={choose} />}
    </fieldset>
  );
}

/** The events that a webhook is told, in words. */
export function eventsText(events: readonly string[]): string {
  const { webhooks, developer } = words;
  if (events.includes(ALL)) return webhooks.all;
  if (events.length > NAMED_MAX) return developer.eventsOf(count(events.length), count(EVENT_KINDS.length));
  return listed(events.map((kind) => (isEventKind(kind) ? nameOf(kind, words.events) : kind)));
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

/** How a program checks that a delivery is the service's own. */
export function Verify({ secret }: { secret: string | null }): JSX.Element {
  const { developer } = words;
  return (
    <details open={secret !== null}>
      <summary>{developer.verify}</summary>
      <p>{developer.verifyWhy}</p>
      {secret === null && <p class="quiet">{developer.verifySecret}</p>}
      <Snippets label={developer.verify} of={webhookSnippets(secret)} />
    </details>
  );
}

/** What to do with a program that only this machine reaches, where its address was refused. */
export function OwnMachine({ url, error }: { url: string; error: MeshworkError | null }): JSX.Element | null {
  if (problemOf(error, 'url') === null || !NOT_PUBLIC.test(url.trim())) return null;
  return (
    <p class="quiet" role="status">
      {words.webhooks.ownMachine} <code>meshwork listen --forward-to URL</code>
    </p>
  );
}

function NewWebhook(): JSX.Element {
  const { webhooks, developer } = words;
  const create = useAct('webhook.create');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly string[]>([ALL]);
  const [lacking, setLacking] = useState(false);
  const [retry, setRetry] = useState(true);
  const [secret, setSecret] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    setLacking(events.length === 0);
    if (events.length === 0) return create.reset();
    const made = await create.run({ url: url.trim(), events: [...events], retry });
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
        <OwnMachine url={url} error={create.error} />
        <EventsField chosen={events} choose={setEvents} />
        {lacking && events.length === 0 && (
          <p class="problem" role="alert">
            {developer.noEvents}
          </p>
        )}
        <Check label={webhooks.retry} checked={retry} onChange={setRetry} />
        <Button main submit busy={create.busy} disabled={url.trim() === ''}>
          {webhooks.add}
        </Button>
      </Form>
      {create.error && <Failure error={create.error} />}
      <Verify secret={secret} />
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
