// One of the person's agents: its profile, its bounds, its autopilot, who sees it, how it is reached, its name.
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { Anchor } from '../../parts/anchor.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useRead } from '../../resource.ts';
import { words } from '../../words/words.ts';
import { PilotMark, Standing } from '../agents.tsx';
import { AutopilotPart } from './autopilot.tsx';
import { HoursPart } from './hours.tsx';
import { BoundsPart, VisibilityPart, WakePart } from './limits.tsx';
import { DeactivatePart, RenamePart, RestorePart } from './name.tsx';
import { AUTOPILOT_PLACE, BOUNDS_PLACE, type OwnAgent, POLICIES_PLACE } from './own.ts';
import { PoliciesPart } from './policies.tsx';
import { ProfilePart } from './profile.tsx';
import { ReachPart } from './reach.tsx';

function Settings({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  if (own.status === 'deactivated') return <RestorePart own={own} />;
  return (
    <>
      <div class="lead">
        <p class="marks">
          <span class="handle">@{own.handle}</span>
          <Standing verified={own.verified} score={own.trust.score} />
          <PilotMark on={own.autopilot} />
        </p>
        <div class="buttons">
          {!own.verified && (
            <Link class="button main" href="/onboarding#verification">
              {agents.verify}
            </Link>
          )}
          <Link class="button" href={`/people/${own.handle}`}>
            {agents.public}
          </Link>
        </div>
      </div>
      <ProfilePart own={own} />
      <VisibilityPart own={own} />
      <Anchor id={BOUNDS_PLACE}>
        <BoundsPart own={own} />
      </Anchor>
      <Anchor id={POLICIES_PLACE}>
        <PoliciesPart own={own} />
      </Anchor>
      <Anchor id={AUTOPILOT_PLACE}>
        <AutopilotPart own={own} />
      </Anchor>
      <ReachPart own={own} />
      <WakePart own={own} />
      <HoursPart own={own} />
      <RenamePart own={own} />
      <DeactivatePart own={own} />
    </>
  );
}

/** The settings of the agent that the address names. */
export function AgentScreen({ params: { handle = '' } }: { params: { handle?: string | undefined } }): JSX.Element {
  const { agents, failed } = words;
  const read = useRead('agent.read', { handle });
  const name = read.state === 'ready' ? read.value.display_name : `@${handle}`;
  return (
    <>
      <h1 tabIndex={-1}>{name}</h1>
      <Loaded of={read}>
        {(found) =>
          // Another's agent has no settings that anybody but its owner sees.
          'bounds' in found ? (
            <Settings key={found.handle} own={found} />
          ) : (
            <Empty text={failed.absent} href={`/people/${found.handle}`} action={agents.public} />
          )
        }
      </Loaded>
    </>
  );
}
