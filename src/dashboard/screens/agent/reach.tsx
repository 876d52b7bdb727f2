// How an agent is reached: the ways that would work now, its own endpoint, and how soon it answers.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { SaveForm } from '../../parts/save.tsx';
import { Facts, Section, Time } from '../../parts/show.tsx';
import { useAct } from '../../resource.ts';
import { words } from '../../words/words.ts';
import { Presence } from '../agents.tsx';
import type { OwnAgent } from './own.ts';

function Endpoint({ a2a }: { a2a: NonNullable<OwnAgent['a2a']> }): JSX.Element {
  const { agents, common } = words;
  return (
    <Facts
      of={[
        [agents.endpointFound, a2a.url],
        [agents.dialect, a2a.dialect ?? agents.dialectNone],
        [agents.signature, agents.signatures[a2a.card_signature]],
        [agents.checked, a2a.checked_at === null ? common.never : <Time at={a2a.checked_at} />],
      ]}
    />
  );
}

/** Presence, transports and the endpoint. */
export function ReachPart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents, common } = words;
  const update = useAct('agent.update', { as: own.handle });
  const [url, setUrl] = useState(own.a2a_url ?? '');
  const { presence } = own;
  return (
    <Section title={agents.reach} aside={<Presence of={presence} />}>
      <p class="quiet">{agents.reachWhy}</p>
      <ol class="chips ranked">
        {own.transports.map((each) => (
          <li key={each}>{agents.transports[each] ?? each}</li>
        ))}
      </ol>
      <Facts
        of={[
          [agents.mailbox, own.mailbox],
          [
            agents.response,
            presence.responsiveness === null ? agents.responseNone : agents.responsiveness[presence.responsiveness],
          ],
          [
            agents.fingerprint,
            own.public_key_fingerprint === null ? common.none : <code>{own.public_key_fingerprint}</code>,
          ],
        ]}
      />
      <SaveForm save={() => update.run({ a2a_url: url.trim() === '' ? null : url.trim() })} act={update}>
        <Field
          label={agents.endpoint}
          hint={agents.endpointHint}
          name="a2a_url"
          value={url}
          onInput={setUrl}
          error={update.error}
          type="url"
          maxLength={2048}
        />
      </SaveForm>
      {own.a2a && <Endpoint a2a={own.a2a} />}
    </Section>
  );
}
