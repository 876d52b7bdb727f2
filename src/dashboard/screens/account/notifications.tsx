// Notification settings: letters about events of the person's agents, and devices with push.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MeshworkError } from '../../../client/error.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Check, Choice, Field, Form } from '../../parts/field.tsx';
import { Section, Time } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Input, Output } from '../../server.ts';
import { words } from '../../words/words.ts';

// Devices with push: this one and other subscribed ones.

type Device = Output<'browser.list'>[number];
type Problem = 'denied' | 'failed';

const canPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Subscribes the browser with the person's permission; or returns why not. */
async function subscribeHere(public_key: string): Promise<PushSubscription | Problem> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  const { pushManager } = await navigator.serviceWorker.ready;
  const asked = { userVisibleOnly: true, applicationServerKey: public_key };
  return pushManager.subscribe(asked).catch(() => 'failed' as const);
}

function Here({ public_key }: { public_key: string }): JSX.Element {
  const { devices } = words;
  const subscribe = useAct('browser.subscribe');
  const [problem, setProblem] = useState<Problem | null>(null);
  const press = async (): Promise<void> => {
    setProblem(null);
    const made = await subscribeHere(public_key);
    if (typeof made === 'string') return setProblem(made);
    // The Push API's JSON is the operation's input.
    const subscription = made.toJSON() as Input<'browser.subscribe'>['subscription'];
    await subscribe.run({ subscription, name: devices.thisDevice });
  };
  return (
    <>
      <div class="buttons">
        <Button main busy={subscribe.busy} onClick={press}>
          {devices.here}
        </Button>
      </div>
      {problem !== null && <p role="alert">{devices[problem]}</p>}
      {subscribe.error && <Failure error={subscribe.error} />}
    </>
  );
}

function Entry({ device: { id, name, created_at } }: { device: Device }): JSX.Element {
  const { devices } = words;
  const remove = useAct('browser.remove');
  return (
    <li>
      <p>
        <strong>{name}</strong>{' '}
        <span class="quiet">
          {devices.since} <Time at={created_at} />
        </span>
      </p>
      <div class="buttons">
        <ConfirmButton
          danger
          question={devices.removeAsk(name)}
          busy={remove.busy}
          onClick={(yes) => remove.run({ id }, yes)}
        >
          {devices.remove}
        </ConfirmButton>
      </div>
      {remove.error && <Failure error={remove.error} />}
    </li>
  );
}

/** The devices, and a button for this one. */
function Devices(): JSX.Element {
  const { devices } = words;
  const list = useRead('browser.list', {});
  const key = useRead('browser.key', canPush ? {} : null);
  return (
    <Section title={devices.title}>
      <Loaded of={list}>
        {(all) =>
          all.length === 0 ? (
            <Empty text={devices.none} />
          ) : (
            <ul class="news">
              {all.map((device) => (
                <Entry key={device.id} device={device} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {canPush ? (
        <Loaded of={key}>{({ public_key }) => <Here public_key={public_key} />}</Loaded>
      ) : (
        <p class="quiet">{devices.unable}</p>
      )}
    </Section>
  );
}

type Preferences = Output<'notification.preferences'>;

interface HoursProps {
  from: string;
  to: string;
  setFrom: (from: string) => void;
  setTo: (to: string) => void;
  error: MeshworkError | null;
}

function Hours({ from, to, setFrom, setTo, error }: HoursProps): JSX.Element {
  const { notifications } = words;
  return (
    <div class="buttons">
      <Field
        label={notifications.from}
        name="quiet_hours.from"
        value={from}
        onInput={setFrom}
        error={error}
        maxLength={5}
      />
      <Field label={notifications.to} name="quiet_hours.to" value={to} onInput={setTo} error={error} maxLength={5} />
    </div>
  );
}

function Settings({ now }: { now: Preferences }): JSX.Element {
  const { notifications, devices, common } = words;
  const prefer = useAct('notification.prefer');
  const [saved, setSaved] = useState(false);
  const [email, setEmail] = useState<Preferences['email']>(now.email);
  const [push, setPush] = useState<Preferences['push']>(now.push);
  const [daily, setDaily] = useState(now.digest === 'daily');
  const [quiet, setQuiet] = useState(now.quiet_hours !== null);
  const [from, setFrom] = useState(now.quiet_hours?.from ?? '22:00');
  const [to, setTo] = useState(now.quiet_hours?.to ?? '07:00');
  const tz = now.quiet_hours?.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const save = async (): Promise<void> => {
    setSaved(false);
    const quiet_hours = quiet ? { from, to, tz } : null;
    setSaved((await prefer.run({ email, push, digest: daily ? 'daily' : 'off', quiet_hours })) !== null);
  };
  return (
    <Form onSubmit={save}>
      <Choice
        label={notifications.email}
        value={email}
        options={[
          ['all', notifications.emailAll],
          ['important', notifications.emailImportant],
          ['none', notifications.emailNone],
        ]}
        onChange={setEmail}
      />
      <Choice
        label={devices.what}
        value={push}
        options={[
          ['all', devices.all],
          ['important', devices.important],
          ['none', devices.nothing],
        ]}
        onChange={setPush}
      />
      <p class="quiet">{devices.importantWhy}</p>
      <Check label={notifications.digest} checked={daily} onChange={setDaily} />
      <Check label={notifications.quiet(tz)} checked={quiet} onChange={setQuiet} />
      {quiet && <Hours from={from} to={to} setFrom={setFrom} setTo={setTo} error={prefer.error} />}
      <div class="buttons">
        <Button main submit busy={prefer.busy}>
          {common.save}
        </Button>
        {saved && <span role="status">{common.saved}</span>}
      </div>
      {prefer.error && <Failure error={prefer.error} />}
    </Form>
  );
}

/** Settings of letters and push devices. */
export function NotificationsScreen(): JSX.Element {
  const { notifications } = words;
  const preferences = useRead('notification.preferences', {});
  return (
    <>
      <h1 tabIndex={-1}>{notifications.title}</h1>
      <Section title={notifications.letters}>
        <Loaded of={preferences}>{(now) => <Settings now={now} />}</Loaded>
      </Section>
      <Devices />
    </>
  );
}
