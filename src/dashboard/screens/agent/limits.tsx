// An agent's bounds, visibility and wake-up events.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { EVENT_KINDS, nameOf } from '../../../domain/inbox/event.ts';
import { Button } from '../../parts/button.tsx';
import { SaveForm } from '../../parts/confirm.tsx';
import { Check, Field } from '../../parts/field.tsx';
import { amountOf, dollarsOf, money } from '../../parts/format.ts';
import { Section } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import { words } from '../../words/words.ts';
import { BOUNDS_PLACE, type OwnAgent } from './own.ts';

type Visibility = OwnAgent['visibility'];

const VISIBILITIES: readonly Visibility[] = ['listed', 'stealth', 'hidden'];
const SCORE_MAX = 100;
/** The suggested daily bound, in maximum payments. */
const PROPOSED_A_DAY = 3;

export function VisibilityPart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const update = useAct('agent.update', { as: own.handle });
  const [visibility, setVisibility] = useState(own.visibility);
  return (
    <Section title={agents.visibility}>
      <SaveForm save={() => update.run({ visibility })} act={update}>
        <fieldset class="choices">
          <legend class="hidden">{agents.visibility}</legend>
          {VISIBILITIES.map((each) => (
            <label key={each} class="check">
              <input
                type="radio"
                name="visibility"
                value={each}
                checked={visibility === each}
                onChange={() => setVisibility(each)}
              />{' '}
              {agents.visibilities[each]}
            </label>
          ))}
        </fieldset>
      </SaveForm>
    </Section>
  );
}

/** Bounds set by a program and not confirmed by the person. */
export function ByKey({ own: { handle, bounds } }: { own: Pick<OwnAgent, 'handle' | 'bounds'> }): JSX.Element | null {
  const { agents } = words;
  const keep = useAct('agent.bounds', { as: handle });
  const { set_by } = bounds;
  const amounts = [
    ['auto_approve_below_cents', agents.keyApproves],
    ['max_pay_cents', agents.keyPays],
    ['max_pay_per_day_cents', agents.keyPaysDay],
    ['min_charge_cents', agents.keyCharges],
  ] as const;
  const by_key = amounts.filter(([name]) => set_by[name] === 'key' && bounds[name] !== null);
  if (by_key.length === 0) return null;
  const kept = Object.fromEntries(by_key.map(([name]) => [name, bounds[name]]));
  return (
    <div class="card">
      <p>{agents.byKey(`@${handle}`)}</p>
      <ul>
        {by_key.map(([name, say]) => (
          <li key={name}>{say(money(bounds[name] ?? 0))}</li>
        ))}
      </ul>
      <div class="buttons">
        <Button busy={keep.busy} onClick={() => keep.run(kept)}>
          {agents.byKeyKeep}
        </Button>
        <Link class="button" href={`/agents/${handle}#${BOUNDS_PLACE}`}>
          {agents.byKeyLower}
        </Link>
      </div>
      {keep.error && <Failure error={keep.error} />}
    </div>
  );
}

/** The amounts above which the person is asked. */
export function BoundsPart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const bounds = useAct('agent.bounds', { as: own.handle });
  const [pay, setPay] = useState(dollarsOf(own.bounds.max_pay_cents));
  const [day, setDay] = useState(dollarsOf(own.bounds.max_pay_per_day_cents));
  const [charge, setCharge] = useState(dollarsOf(own.bounds.min_charge_cents));
  const [approve, setApprove] = useState(dollarsOf(own.bounds.auto_approve_below_cents));
  const amounts = {
    max_pay_cents: amountOf(pay),
    max_pay_per_day_cents: amountOf(day),
    min_charge_cents: amountOf(charge),
    auto_approve_below_cents: amountOf(approve),
  };
  const wrong = Object.values(amounts).includes(undefined);
  // Without bounds, the first one comes with a suggested daily bound.
  const unset = own.bounds.max_pay_cents === null && own.bounds.max_pay_per_day_cents === null;
  const proposeDay = (text: string): void => {
    setPay(text);
    const each = amountOf(text);
    if (unset) setDay(typeof each === 'number' ? dollarsOf(each * PROPOSED_A_DAY) : '');
  };
  const field = (
    name: keyof typeof amounts,
    label: string,
    value: string,
    set: (text: string) => void,
  ): JSX.Element => (
    <Field
      label={label}
      name={name}
      value={value}
      onInput={set}
      error={bounds.error}
      mode="decimal"
      {...(amounts[name] === undefined && { hint: agents.amountWrong })}
    />
  );
  return (
    <Section title={agents.bounds}>
      <p class="quiet">{agents.boundsWhy}</p>
      <ByKey own={own} />
      <SaveForm save={() => bounds.run(amounts)} act={bounds} disabled={wrong}>
        <div class="columns">
          {field('max_pay_cents', agents.maxPay, pay, proposeDay)}
          {field('max_pay_per_day_cents', agents.maxPayDay, day, setDay)}
          {field('min_charge_cents', agents.minCharge, charge, setCharge)}
          {field('auto_approve_below_cents', agents.autoApprove, approve, setApprove)}
        </div>
      </SaveForm>
    </Section>
  );
}

/** Events pushed to the agent, and events kept in its inbox only. */
export function WakePart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const update = useAct('agent.update', { as: own.handle });
  const [score, setScore] = useState(String(own.wake.min_match_score ?? ''));
  const [budget, setBudget] = useState(dollarsOf(own.wake.min_demand_budget_cents));
  const [mute, setMute] = useState<readonly string[]>(own.wake.mute);
  const least = score.trim() === '' ? null : Number(score);
  const cents = amountOf(budget);
  const wrong = cents === undefined || (least !== null && !(least >= 0 && least <= SCORE_MAX));
  const save = (): Promise<unknown> =>
    update.run({
      wake: {
        mute: [...mute],
        ...(least !== null && { min_match_score: least }),
        ...(typeof cents === 'number' && { min_demand_budget_cents: cents }),
      },
    });
  return (
    <Section title={agents.wake}>
      <p class="quiet">{agents.wakeWhy}</p>
      <SaveForm save={save} act={update} disabled={wrong}>
        <div class="columns">
          <Field
            label={agents.minScore}
            name="wake.min_match_score"
            value={score}
            onInput={setScore}
            error={update.error}
            mode="numeric"
            maxLength={3}
          />
          <Field
            label={agents.minBudget}
            name="wake.min_demand_budget_cents"
            value={budget}
            onInput={setBudget}
            error={update.error}
            mode="decimal"
          />
        </div>
        <fieldset class="scopes">
          <legend>{agents.mute}</legend>
          {EVENT_KINDS.map((kind) => (
            <Check
              key={kind}
              label={nameOf(kind, words.events)}
              checked={mute.includes(kind)}
              onChange={(on) => setMute(on ? [...mute, kind] : mute.filter((each) => each !== kind))}
            />
          ))}
        </fieldset>
      </SaveForm>
    </Section>
  );
}
