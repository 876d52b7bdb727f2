// The form that creates an agent. Afterwards the screens act as the new agent.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAct } from '../resource.ts';
import { actAs } from '../session.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Field, Form, HandleField } from './field.tsx';
import { Failure } from './states.tsx';

/** The form; `onMade` receives the handle. */
export function NewAgent({ onMade }: { onMade?: (handle: string) => void }): JSX.Element {
  const { onboarding } = words;
  const create = useAct('agent.create');
  const [handle, setHandle] = useState('');
  const [name, setName] = useState('');
  const make = async (): Promise<void> => {
    const made = await create.run({ handle: handle.trim(), display_name: name.trim() });
    if (!made) return;
    actAs(made.handle);
    onMade?.(made.handle);
  };
  return (
    <Form onSubmit={make}>
      <HandleField value={handle} onInput={setHandle} error={create.error} hint={onboarding.handleHint} />
      <Field
        label={onboarding.name}
        name="display_name"
        value={name}
        onInput={setName}
        error={create.error}
        maxLength={80}
        required
      />
      <Button main submit busy={create.busy}>
        {onboarding.claim}
      </Button>
      {create.error && <Failure error={create.error} />}
    </Form>
  );
}
