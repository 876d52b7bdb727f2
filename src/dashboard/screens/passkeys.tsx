// Passkeys: listing, adding one on this device, renaming and removing.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Field, Form } from '../parts/field.tsx';
import { Badge, Section, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded } from '../parts/states.tsx';
import { useAct, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Passkey = Output<'passkey.list'>[number];
type Made = Parameters<ReturnType<typeof useAct<'passkey.register'>>['run']>[0]['credential'];

const NAME_MAX = 100;

/** Creates a passkey on the device; null when the person declined or the device has one already. */
async function makeOn(options: Output<'passkey.options'>): Promise<Made | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await navigator.credentials.create({ publicKey }).catch(() => null);
  // The request was for a public-key credential, whose JSON WebAuthn defines.
  return made && ((made as PublicKeyCredential).toJSON() as Made);
}

function Add(): JSX.Element {
  const { passkeys } = words;
  const options = useAct('passkey.options', { quiet: true });
  const register = useAct('passkey.register');
  const [name, setName] = useState<string>(passkeys.thisDevice);
  const [stopped, setStopped] = useState(false);
  const error = options.error ?? register.error;
  const add = async (): Promise<void> => {
    setStopped(false);
    const given = await options.run({});
    if (!given) return;
    const credential = await makeOn(given);
    if (!credential) return setStopped(true);
    if (await register.run({ name: name.trim(), credential })) setName(passkeys.thisDevice);
    return undefined;
  };
  if (!globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON) {
    return <p class="notice">{passkeys.unable}</p>;
  }
  return (
    <Form onSubmit={add}>
      <Field
        label={passkeys.name}
        name="name"
        value={name}
        onInput={setName}
        hint={passkeys.nameWhy}
        error={register.error}
        maxLength={NAME_MAX}
        required
      />
      <div class="buttons">
        <Button main submit busy={options.busy || register.busy}>
          {passkeys.add}
        </Button>
      </div>
      {stopped && <p role="alert">{passkeys.stopped}</p>}
      {error && <Failure error={error} />}
    </Form>
  );
}

function Rename({ passkey, close }: { passkey: Passkey; close: () => void }): JSX.Element {
  const { passkeys, common } = words;
  const rename = useAct('passkey.rename');
  const [name, setName] = useState(passkey.name);
  const save = async (): Promise<void> => {
    if (await rename.run({ id: passkey.id, name: name.trim() })) close();
  };
  return (
    <Form onSubmit={save}>
      <Field
        label={passkeys.name}
        name="name"
        value={name}
        onInput={setName}
        error={rename.error}
        maxLength={NAME_MAX}
        required
      />
      <div class="buttons">
        <Button main submit busy={rename.busy}>
          {common.save}
        </Button>
        <Button onClick={close}>{common.cancel}</Button>
      </div>
      {rename.error && <Failure error={rename.error} />}
    </Form>
  );
}

function Entry({ passkey }: { passkey: Passkey }): JSX.Element {
  const { passkeys, common } = words;
  const remove = useAct('passkey.remove');
  const [renaming, setRenaming] = useState(false);
  const { id, name, backed_up, copied, created_at, last_used_at } = passkey;
  return (
    <li>
      <p>
        <strong>{name}</strong> {backed_up && <Badge>{passkeys.backedUp}</Badge>}
        {copied && <Badge tone="bad">{passkeys.copied}</Badge>}
      </p>
      <p class="quiet">
        {passkeys.added} <Time at={created_at} /> · {passkeys.used}{' '}
        {last_used_at === null ? common.never : <Time at={last_used_at} />}
      </p>
      {copied && <p>{passkeys.copiedWhy}</p>}
      {renaming ? (
        <Rename passkey={passkey} close={() => setRenaming(false)} />
      ) : (
        <div class="buttons">
          <Button onClick={() => setRenaming(true)}>{passkeys.rename}</Button>
          <ConfirmButton
            danger
            question={passkeys.removeAsk(name)}
            busy={remove.busy}
            onClick={(yes) => remove.run({ id }, yes)}
          >
            {passkeys.remove}
          </ConfirmButton>
        </div>
      )}
      {remove.error && <Failure error={remove.error} />}
    </li>
  );
}

/** The person's passkeys. */
export function PasskeysScreen(): JSX.Element {
  const { passkeys } = words;
  const list = useRead('passkey.list', {});
  return (
    <>
      <h1 tabIndex={-1}>{passkeys.title}</h1>
      <Section title={passkeys.own}>
        <p class="quiet">{passkeys.why}</p>
        <Loaded of={list}>
          {(all) =>
            all.length === 0 ? (
              <Empty text={passkeys.none} />
            ) : (
              <ul class="news">
                {all.map((passkey) => (
                  <Entry key={passkey.id} passkey={passkey} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      <Section title={passkeys.add}>
        <Add />
      </Section>
    </>
  );
}
