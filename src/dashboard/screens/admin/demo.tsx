// The demo world: started and removed by one press each, with its progress. Shown only where it could be started, or is there.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { count, money } from '../../parts/format.ts';
import { Facts, Section } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type World = Output<'demo.status'>;

const RENEWED_MS = 2_000;

function Start(): JSX.Element {
  const { demo } = words;
  const start = useAct('demo.start');
  return (
    <>
      <p>{demo.why}</p>
      <div class="buttons">
        <ConfirmButton
          main
          busy={start.busy}
          question={demo.startAsk}
          told={demo.startAdds}
          onClick={() => start.run({})}
        >
          {demo.start}
        </ConfirmButton>
      </div>
      {start.error && <Failure error={start.error} />}
    </>
  );
}

function Remove(): JSX.Element {
  const { demo } = words;
  const remove = useAct('demo.remove');
  return (
    <>
      <ConfirmButton
        danger
        busy={remove.busy}
        question={demo.removeAsk}
        told={demo.removeEnds}
        onClick={(yes) => remove.run({}, yes)}
      >
        {demo.remove}
      </ConfirmButton>
      {remove.error && <Failure error={remove.error} />}
    </>
  );
}

function Running(world: World): JSX.Element {
  const { demo } = words;
  const { agents, agents_planned, matches, deals, completed, held_cents } = world;
  const figures: [string, string][] = [
    [demo.agents, count(agents)],
    [demo.matches, count(matches)],
    [demo.deals, demo.dealsOf(count(deals), count(completed))],
    [demo.held, money(held_cents)],
  ];
  return (
    <>
      <p role="status">{world.state === 'done' ? demo.done : agents < agents_planned ? demo.making : demo.trading}</p>
      {agents < agents_planned && <progress aria-label={demo.making} value={agents} max={agents_planned} />}
      <Facts of={figures} />
      <div class="buttons">
        <a class="button main" href="/demo">
          {demo.open}
        </a>
        <Remove />
      </div>
    </>
  );
}

function Removing({ agents_removed, agents_planned }: World): JSX.Element {
  const { demo } = words;
  return (
    <>
      <p role="status">{demo.removing}</p>
      <progress aria-label={demo.removing} value={agents_removed} max={agents_planned} />
    </>
  );
}

export function DemoPart(): JSX.Element | null {
  const status = useRead('demo.status', {});
  const { retry } = status;
  const world = status.state === 'ready' ? status.value : null;
  const moves = world?.state === 'trading' || world?.state === 'removing';
  useEffect(() => {
    if (!moves) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) retry();
    }, RENEWED_MS);
    return () => clearInterval(timer);
  }, [moves, retry]);
  if (!world || (world.state === 'none' && world.may_start !== 'yes')) return null;
  const { state } = world;
  return (
    <Section title={words.demo.title}>
      {state === 'none' ? <Start /> : state === 'removing' ? <Removing {...world} /> : <Running {...world} />}
    </Section>
  );
}
