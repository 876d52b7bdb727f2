// One webhook: how it stands, its settings, trying it, and what was delivered to it, each of which can be sent again.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { Yes } from '../final.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton, SaveForm, Secret } from '../parts/confirm.tsx';
import { Field } from '../parts/field.tsx';
import { count } from '../parts/format.ts';
import { Badge, Facts, More, Section, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { EventsField, eventsText, OwnMachine, Verify, WebhookState } from './webhooks.tsx';

type Webhook = Output<'webhook.read'>;
type Log = Extract<Output<'webhook.logs'>, readonly unknown[]>[number];

/** A test has an id of its own, which no inbox knows, so there is nothing to send again. */
const TEST = 'test.ping';
/** An answer that means that the event was taken. */
const taken = (status: number): boolean => status >= 200 && status < 300;

function Settings({ id, kind, url: old, events: told }: Webhook): JSX.Element {
  const { webhooks } = words;
  const update = useAct('webhook.update');
  const [url, setUrl] = useState(old);
  const [events, setEvents] = useState<readonly string[]>(told);
  const own = kind === 'agent';
  return (
    <Section title={webhooks.edit}>
      <SaveForm
        act={update}
        save={() => update.run({ id, url: url.trim(), ...(!own && { events: [...events] }) })}
        disabled={url.trim() === '' || events.length === 0}
      >
        <Field
          label={webhooks.url}
          hint={webhooks.urlHint}
          name="url"
          value={url}
          onInput={setUrl}
          error={update.error}
          type="url"
          maxLength={2_000}
          required
        />
        <OwnMachine url={url} error={update.error} />
        {!own && <EventsField chosen={events} choose={setEvents} />}
      </SaveForm>
    </Section>
  );
}

/** What came of a test, in a sentence. */
function resultOf({ http_status, error }: Output<'webhook.test'>): string {
  const { webhooks } = words;
  return http_status === null ? webhooks.testLost(error ?? webhooks.noAnswer) : webhooks.tested(String(http_status));
}

function Deeds({ id, active }: Webhook): JSX.Element {
  const { webhooks } = words;
  const [, go] = useLocation();
  const [test, enable, update, rotate, remove] = [
    useAct('webhook.test'),
    useAct('webhook.enable'),
    useAct('webhook.update'),
    useAct('webhook.rotate'),
    useAct('webhook.delete'),
  ];
  const [result, setResult] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const tryIt = async (): Promise<void> => {
    const tested = await test.run({ id });
    setResult(tested && resultOf(tested));
  };
  const renew = async (yes: Yes): Promise<void> => setSecret((await rotate.run({ id }, yes))?.signing_secret ?? null);
  const end = async (yes: Yes): Promise<void> => {
    if (await remove.run({ id }, yes)) go('/webhooks');
  };
  const failed = [test, enable, update, rotate, remove].find(({ error }) => error !== null);
  return (
    <>
      <div class="buttons">
        <Button main busy={test.busy} onClick={tryIt}>
          {webhooks.test}
        </Button>
        {active ? (
          <Button busy={update.busy} onClick={() => update.run({ id, active: false })}>
            {webhooks.disable}
          </Button>
        ) : (
          <Button busy={enable.busy} onClick={() => enable.run({ id })}>
            {webhooks.enable}
          </Button>
        )}
        <ConfirmButton busy={rotate.busy} question={webhooks.rotateAsk} onClick={renew}>
          {webhooks.rotate}
        </ConfirmButton>
        <ConfirmButton danger busy={remove.busy} question={webhooks.removeAsk} onClick={end}>
          {webhooks.remove}
        </ConfirmButton>
      </div>
      <p role="status">{result}</p>
      {secret !== null && <Secret text={webhooks.once} secret={secret} close={() => setSecret(null)} />}
      {failed?.error && <Failure error={failed.error} />}
      <Verify secret={secret} />
    </>
  );
}

function Answered({ http_status }: Log): JSX.Element {
  const { webhooks } = words;
  return http_status === null ? (
    <Badge tone="bad">{webhooks.noAnswer}</Badge>
  ) : (
    <Badge tone={taken(http_status) ? 'good' : 'bad'}>{http_status}</Badge>
  );
}

function Again({ id, log: { event_id, event } }: { id: string; log: Log }): JSX.Element | null {
  const again = useAct('webhook.redeliver');
  if (event === TEST) return null;
  return (
    <>
      <Button busy={again.busy} onClick={() => again.run({ id, event_id })}>
        {words.webhooks.again}
      </Button>
      {again.error && <Failure error={again.error} />}
    </>
  );
}

/** One attempt: what came of it in a line, and behind it what was sent and what was answered. */
function Delivery({ id, log }: { id: string; log: Log }): JSX.Element {
  const { webhooks, developer, common } = words;
  const { event, event_id, payload, response_ms, response_body, error, timestamp } = log;
  const took = response_ms === null ? common.none : webhooks.ms(count(response_ms));
  return (
    <li>
      <details>
        <summary>
          <Answered {...log} /> <code>{event}</code>{' '}
          <span class="quiet">
            <Time at={timestamp} /> · {took}
          </span>
        </summary>
        <Facts
          of={[
            [webhooks.when, <Time key="when" at={timestamp} exact />],
            [webhooks.answer, log.http_status === null ? webhooks.noAnswer : String(log.http_status)],
            [webhooks.took, took],
            ...(error === null ? [] : [[developer.why, error] as const]),
            [developer.eventId, <code key="id">{event_id}</code>],
          ]}
        />
        <h3>{developer.payload}</h3>
        <pre>{JSON.stringify(payload, null, 2)}</pre>
        {response_body !== null && (
          <>
            <h3>{developer.answerBody}</h3>
            <pre dir="auto">{response_body}</pre>
          </>
        )}
        <Again id={id} log={log} />
      </details>
    </li>
  );
}

function Deliveries({ id }: { id: string }): JSX.Element {
  const { webhooks } = words;
  const logs = usePages('webhook.logs', { id }, (log) => log.id);
  return (
    <Section title={webhooks.deliveries}>
      <Loaded of={logs}>
        {(pages) =>
          pages.items.length === 0 ? (
            <Empty text={webhooks.deliveriesNone} />
          ) : (
            <>
              <ul class="log">
                {pages.items.map((log) => (
                  <Delivery key={log.id} id={id} log={log} />
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

export function WebhookScreen({ params }: { params: Readonly<Record<string, string | undefined>> }): JSX.Element {
  const { webhooks, common } = words;
  const { id = '' } = params;
  const hook = useRead('webhook.read', { id });
  return (
    <>
      <p>
        <Link href="/webhooks">{common.back}</Link>
      </p>
      <h1 tabIndex={-1}>{webhooks.title}</h1>
      <Loaded of={hook}>
        {(own) => (
          <>
            <Section title={own.url} aside={<WebhookState {...own} />}>
              <Facts
                of={[
                  [webhooks.events, eventsText(own.events)],
                  [
                    webhooks.last,
                    own.last_delivery_at === null ? common.never : <Time key="last" at={own.last_delivery_at} />,
                  ],
                ]}
              />
              <Deeds {...own} />
            </Section>
            <Settings key={own.url} {...own} />
            <Deliveries id={id} />
          </>
        )}
      </Loaded>
    </>
  );
}
