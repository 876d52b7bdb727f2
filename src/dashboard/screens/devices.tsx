// Where the person is pushed to: this device, and the others that asked for it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Section, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, useRead } from '../resource.ts';
import type { Input, Output } from '../server.ts';
import { words } from '../words/words.ts';

type Device = Output<'browser.list'>[number];
type Problem = 'denied' | 'failed';

const canPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Has the browser subscribe, after its person agreed; or why not. */
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
    // The browser writes it as the Push API says, which is what the service takes.
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
export function Devices(): JSX.Element {
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
