// What the agent's programs may do alone, of what and with whom: a row for each policy, saved as a whole.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  ASK_MINUTES_MAX,
  ON_TIMEOUT,
  POLICIES_MAX,
  POLICY_OPERATIONS,
  POLICY_OUTCOMES,
  type PolicyOperation,
} from '../../../domain/agent/policy.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { count } from '../../parts/format.ts';
import { SaveForm } from '../../parts/save.tsx';
import { Section } from '../../parts/show.tsx';
import { useAct } from '../../resource.ts';
import { words } from '../../words/words.ts';
import type { OwnAgent } from './own.ts';

type Policy = OwnAgent['bounds']['policies'][number];

/** A policy as it is being written: its minutes are text until they are saved. */
interface Written {
  readonly operation: PolicyOperation;
  readonly handle: string;
  readonly outcome: Policy['outcome'];
  readonly minutes: string;
  readonly on_timeout: NonNullable<Policy['on_timeout']>;
}

const FRESH: Written = { operation: 'wallet.send', handle: '', outcome: 'ask', minutes: '', on_timeout: 'refuse' };

const writtenOf = ({ operation, handle, outcome, ask_minutes, on_timeout }: Policy): Written => ({
  ...{ operation, outcome, handle: handle ?? '' },
  ...{ minutes: String(ask_minutes ?? ''), on_timeout: on_timeout ?? 'refuse' },
});

/** What asks for a time: a proposal waits three days by itself. */
const isTimed = ({ operation, outcome }: Written): boolean => outcome === 'ask' && operation !== 'proposal.approve';

/** The minutes as a number, null for none; undefined for what is no such number. */
function minutesOf({ minutes }: Written): number | null | undefined {
  const text = minutes.trim();
  if (text === '') return null;
  const given = Number(text);
  return Number.isInteger(given) && given >= 1 && given <= ASK_MINUTES_MAX ? given : undefined;
}

/** What is saved of it: who answers a routed call by then is another, so silence says nothing there. */
function policyOf(written: Written) {
  const { operation, handle, outcome, on_timeout } = written;
  const policy = { operation, outcome, handle: handle.trim() || null };
  if (!isTimed(written)) return policy;
  const waits = operation === 'router_call.make' ? ('refuse' as const) : on_timeout;
  return { ...policy, ask_minutes: minutesOf(written) ?? null, on_timeout: waits };
}

interface RowProps {
  of: Written;
  at: number;
  error: ReturnType<typeof useAct>['error'];
  set: (part: Partial<Written>) => void;
  remove: () => void;
}

function Row({ of, at, error, set, remove }: RowProps): JSX.Element {
  const { policies } = words;
  // A proposal waits for its person anyway, so there is nothing to refuse.
  const outcomes = POLICY_OUTCOMES.filter((each) => each !== 'refuse' || of.operation !== 'proposal.approve');
  return (
    <div class="row wide policy">
      <Choice
        label={policies.operation}
        value={of.operation}
        options={POLICY_OPERATIONS.map((each) => [each, policies.operations[each]] as const)}
        onChange={(operation) => {
          const refused = operation === 'proposal.approve' && of.outcome === 'refuse';
          set({ operation, ...(refused && { outcome: 'ask' }) });
        }}
      />
      <Field
        label={policies.handle}
        name={`policies.${at}`}
        value={of.handle}
        onInput={(handle) => set({ handle })}
        error={error}
        maxLength={64}
      />
      <Choice
        label={policies.outcome}
        value={of.outcome}
        options={outcomes.map((each) => [each, policies.outcomes[each]] as const)}
        onChange={(outcome) => set({ outcome })}
      />
      {isTimed(of) && (
        <Field
          label={policies.minutes}
          value={of.minutes}
          onInput={(minutes) => set({ minutes })}
          mode="numeric"
          {...(minutesOf(of) === undefined && { hint: policies.minutesWrong(count(ASK_MINUTES_MAX)) })}
          maxLength={4}
        />
      )}
      {isTimed(of) && of.operation !== 'router_call.make' && (
        <Choice
          label={policies.timeout}
          value={of.on_timeout}
          options={ON_TIMEOUT.map((each) => [each, policies.timeouts[each]] as const)}
          onChange={(on_timeout) => set({ on_timeout })}
        />
      )}
      <Button label={policies.remove(policies.operations[of.operation])} onClick={remove}>
        {policies.away}
      </Button>
    </div>
  );
}

export function PoliciesPart({ own }: { own: OwnAgent }): JSX.Element {
  const { policies } = words;
  const bounds = useAct('agent.bounds', { as: own.handle });
  const [rows, setRows] = useState<readonly Written[]>(own.bounds.policies.map(writtenOf));
  const set = (at: number, part: Partial<Written>): void =>
    setRows(rows.map((each, n) => (n === at ? { ...each, ...part } : each)));
  const wrong = rows.some((each) => isTimed(each) && minutesOf(each) === undefined);
  return (
    <Section title={policies.title}>
      <p class="quiet">{policies.why}</p>
      <SaveForm save={() => bounds.run({ policies: rows.map(policyOf) })} act={bounds} disabled={wrong}>
        {rows.length === 0 && <p class="quiet">{policies.none}</p>}
        {rows.map((each, at) => (
          <Row
            // Two may be alike until they are saved; their places tell them apart.
            key={at}
            of={each}
            at={at}
            error={bounds.error}
            set={(part) => set(at, part)}
            remove={() => setRows(rows.filter((_, n) => n !== at))}
          />
        ))}
        {rows.length < POLICIES_MAX && (
          <div class="buttons">
            <Button onClick={() => setRows([...rows, FRESH])}>{policies.add}</Button>
          </div>
        )}
      </SaveForm>
    </Section>
  );
}
