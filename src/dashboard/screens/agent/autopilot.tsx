// Autopilot of an agent: what it is, a rehearsal of it, and switching it on, which takes a rehearsal and a second question; off at once.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { count, money } from '../../parts/format.ts';
import { Badge, Facts, Section } from '../../parts/show.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import { words } from '../../words/words.ts';
import type { OwnAgent } from './own.ts';
import { Rehearsals, ToBounds } from './rehearsal.tsx';

type Bounds = OwnAgent['bounds'];

const AMOUNTS = ['max_pay_cents', 'min_charge_cents', 'auto_approve_below_cents'] as const;

/** The bounds in force, each in words where there is none. */
function InForce({ bounds }: { bounds: Bounds }): JSX.Element {
  const { autopilot } = words;
  const inForce = (name: (typeof AMOUNTS)[number]): string => {
    const cents = bounds[name];
    return cents === null ? autopilot.unbounded[name] : money(cents);
  };
  return (
    <>
      <Facts
        of={[
          [autopilot.pays, inForce('max_pay_cents')],
          [autopilot.charges, inForce('min_charge_cents')],
          [autopilot.approves, inForce('auto_approve_below_cents')],
        ]}
      />
      {AMOUNTS.every((name) => bounds[name] === null) && (
        <p class="notice">
          {autopilot.warning} <ToBounds />
        </p>
      )}
    </>
  );
}

/** Its switch. On only for whoever has seen what it would say. */
function Switch({ own, seen }: { own: OwnAgent; seen: boolean }): JSX.Element {
  const { autopilot } = words;
  const update = useAct('agent.update', { as: own.handle });
  const turn = (on: boolean): Promise<unknown> => update.run({ autopilot: on });
  const { busy } = update;
  return (
    <>
      <p role="status">{own.autopilot ? autopilot.isOn : autopilot.isOff}</p>
      {own.autopilot && (
        <Button danger busy={busy} onClick={() => turn(false)}>
          {autopilot.switchOff}
        </Button>
      )}
      {!own.autopilot && seen && (
        <ConfirmButton
          main
          busy={busy}
          question={autopilot.ask(own.handle)}
          told={<InForce bounds={own.bounds} />}
          onClick={() => turn(true)}
        >
          {autopilot.switchOn}
        </ConfirmButton>
      )}
      {!own.autopilot && !seen && (
        <>
          <Button disabled>{autopilot.switchOn}</Button>
          <p class="quiet">{autopilot.first}</p>
        </>
      )}
      {update.error && <Failure error={update.error} />}
    </>
  );
}

/** Says what autopilot is, rehearses it, and switches it. */
export function AutopilotPart({ own }: { own: OwnAgent }): JSX.Element {
  const { autopilot, agents } = words;
  const [asked, setAsked] = useState(false);
  const read = useRead('agent.rehearse', asked ? {} : null, { as: own.handle });
  const talks = asked && read.state === 'ready' ? read.value.rehearsals.length : 0;
  // What could not be asked for anew may be of other bounds, and counts for nothing.
  const seen = talks > 0 && read.state === 'ready' && read.stale === null;
  return (
    <Section
      title={autopilot.title}
      aside={<Badge tone={own.autopilot ? 'good' : 'plain'}>{own.autopilot ? autopilot.mark : autopilot.off}</Badge>}
    >
      <p>{autopilot.lead}</p>
      {!own.verified && (
        <p class="notice">
          {autopilot.unverified} <Link href="/onboarding#verification">{agents.verify}</Link>
        </p>
      )}
      <p class="quiet">{autopilot.rehearseWhy}</p>
      <div class="buttons">
        <Button onClick={asked ? read.retry : () => setAsked(true)}>
          {asked ? autopilot.again : autopilot.rehearse}
        </Button>
      </div>
      <p role="status" class="quiet">
        {talks > 0 && autopilot.shown(count(talks))}
      </p>
      {asked && <Loaded of={read}>{({ rehearsals }) => <Rehearsals of={rehearsals} bounds={own.bounds} />}</Loaded>}
      <Switch own={own} seen={seen} />
    </Section>
  );
}
