// The handle of an agent, taking the agent out, and taking it back.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { actAs, agent } from '../../acting.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Form } from '../../parts/field.tsx';
import { HandleField } from '../../parts/handle-field.tsx';
import { Section, Time } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import { words } from '../../words/words.ts';
import type { OwnAgent } from './own.ts';

/** Another handle for the same agent. */
export function RenamePart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const rename = useAct('agent.rename', { as: own.handle });
  const [handle, setHandle] = useState('');
  const [, go] = useLocation();
  const change = async (): Promise<void> => {
    const renamed = await rename.run({ handle: handle.trim() });
    if (!renamed) return;
    if (agent.value === own.handle) actAs(renamed.handle);
    go(`/agents/${renamed.handle}`, { replace: true });
  };
  return (
    <Section title={agents.rename}>
      <Form onSubmit={change}>
        <HandleField value={handle} onInput={setHandle} error={rename.error} hint={agents.renameHint} />
        <Button submit busy={rename.busy} disabled={handle.trim() === ''}>
          {agents.rename}
        </Button>
        {rename.error && <Failure error={rename.error} />}
      </Form>
    </Section>
  );
}

/** Takes the agent out, after a second question. */
export function DeactivatePart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const deactivate = useAct('agent.deactivate', { as: own.handle });
  return (
    <Section title={agents.deactivateTitle}>
      <p class="quiet">{agents.deactivateWhy}</p>
      <ConfirmButton
        danger
        busy={deactivate.busy}
        question={agents.deactivateAsk(own.handle)}
        onClick={(yes) => deactivate.run({}, yes)}
      >
        {agents.deactivate}
      </ConfirmButton>
      {deactivate.error && <Failure error={deactivate.error} />}
    </Section>
  );
}

/** What is left of a deactivated agent: the way back. */
export function RestorePart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const restore = useAct('agent.restore');
  const back = async (): Promise<void> => {
    const restored = await restore.run({ handle: own.handle });
    if (restored && agent.value === undefined) actAs(restored.handle);
  };
  return (
    <Section title={agents.deactivated}>
      <p>
        {own.deactivated_at !== null && <Time at={own.deactivated_at} />} {agents.deactivateWhy}
      </p>
      <p class="quiet">{agents.restoreWhy}</p>
      <Button main busy={restore.busy} onClick={back}>
        {agents.restore}
      </Button>
      {restore.error && <Failure error={restore.error} />}
    </Section>
  );
}
