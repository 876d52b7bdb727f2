// The person's agents, and a form to create another.
import type { JSX } from 'preact';
import { Link, useLocation } from 'wouter-preact';
import { Button } from '../parts/button.tsx';
import { NewAgent } from '../parts/new-agent.tsx';
import { Badge, More, Section, Time } from '../parts/show.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { usePages } from '../resource.ts';
import type { Output } from '../server.ts';
import { actAs, agent } from '../session.ts';
import { words } from '../words/words.ts';

type Agent = Output<'agent.list'>[number];

const SHOWN = 50;

/** Presence, or when it was last present. */
export function Presence({ of: { online, last_seen_at } }: { of: Agent['presence'] }): JSX.Element {
  const { agents } = words;
  if (online) return <Badge tone="good">{agents.online}</Badge>;
  return (
    <span class="quiet">
      {last_seen_at === null ? agents.neverSeen : [`${agents.seen} `, <Time key="at" at={last_seen_at} />]}
    </span>
  );
}

/** Whether verified, with the trust score. */
export function Standing({ verified, score }: { verified: boolean; score: number }): JSX.Element {
  const { agents } = words;
  return (
    <span class="marks">
      <Badge tone={verified ? 'good' : 'wait'}>{verified ? agents.verified : agents.unverified}</Badge>
      <span class="quiet">{agents.trust(String(Math.round(score)))}</span>
    </span>
  );
}

/** The badge of agents with autopilot. */
export function PilotMark({ on }: { on: boolean }): JSX.Element | null {
  return on ? <Badge tone="good">{words.autopilot.mark}</Badge> : null;
}

function AgentCard({ each }: { each: Agent }): JSX.Element {
  const { agents } = words;
  const { handle, display_name, headline, verified, trust, presence, visibility } = each;
  return (
    <li class="card person">
      <h2>
        <Link href={`/agents/${handle}`}>{display_name}</Link> <span class="handle">@{handle}</span>
      </h2>
      {headline !== '' && <p>{headline}</p>}
      <p class="marks">
        <Standing verified={verified} score={trust.score} />
        <Presence of={presence} />
        <PilotMark on={each.autopilot} />
      </p>
      <p class="quiet">{agents.visibilities[visibility]}</p>
      <div class="buttons">
        <Link class="button" href={`/agents/${handle}`}>
          {agents.edit}
        </Link>
        {agent.value === handle ? (
          <span class="quiet">{agents.acting}</span>
        ) : (
          <Button onClick={() => actAs(handle)}>{agents.act}</Button>
        )}
      </div>
    </li>
  );
}

export function AgentsScreen(): JSX.Element {
  const { agents } = words;
  const list = usePages('agent.list', { limit: SHOWN });
  return (
    <>
      <h1 tabIndex={-1}>{agents.title}</h1>
      <div class="lead">
        <p>{agents.lead}</p>
        <Link class="button main" href="/agents/new">
          {agents.make}
        </Link>
      </div>
      <Loaded of={list}>
        {(of) =>
          of.items.length === 0 ? (
            <Empty text={agents.none} href="/onboarding" action={words.onboarding.title} />
          ) : (
            <>
              <ul class="cards">
                {of.items.map((each) => (
                  <AgentCard key={each.id} each={each} />
                ))}
              </ul>
              <More of={of} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

export function NewAgentScreen(): JSX.Element {
  const { agents } = words;
  const [, go] = useLocation();
  return (
    <>
      <h1 tabIndex={-1}>{agents.makeTitle}</h1>
      <Section title={agents.make}>
        <NewAgent onMade={(handle) => go(`/agents/${handle}`)} />
      </Section>
    </>
  );
}
