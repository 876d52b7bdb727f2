// The next step, at the top of the page: party, deadline, and the controls to do it.
import type { JSX } from 'preact';
import { money } from '../../parts/format.ts';
import { Badge, Outside, Section, Time } from '../../parts/show.tsx';
import { Way } from '../../parts/states.tsx';
import { words } from '../../words/words.ts';
import { Decide } from '../approvals/answer.tsx';
import { Ends, ProposalCard } from '../approvals/card.tsx';
import { answeredId, Outcome, type Told } from '../approvals/outcome.tsx';
import { otherOf, type Proposal, previousOf, waitsForMe } from '../approvals/proposal.ts';
import { AddMoney } from '../funding.tsx';
import { Cancel, type Late, Pay, TooLate, WriteReview } from './deal.tsx';
import { DisputeActs } from './dispute.tsx';
import { Deliver, Release } from './escrow.tsx';
import { TookPlace } from './meetings.tsx';
import { type Dispute, type Kind, type Known, mayWrite, type Step, standingOf } from './next-step.ts';

const DISPUTED: ReadonlySet<Kind> = new Set(['answerDispute', 'awaitAnswer', 'acceptSplit', 'awaitSplit', 'settle']);

/** Whether a step belongs to a dispute; it then has all of this side's acts. */
export const isDisputed = (kind: Kind): boolean => DISPUTED.has(kind);

/** Steps about a proposal. */
export const PROPOSED: ReadonlySet<Kind> = new Set(['decide', 'letGo', 'awaitDecision']);

interface ProposalsProps {
  of: readonly Proposal[];
  tell: (told: Told) => void;
}

/** The pending proposal, with the two buttons when the reader decides. */
export function Proposals({ of, tell }: ProposalsProps): JSX.Element {
  const { approvals } = words;
  return (
    <div class="stack">
      {standingOf(of).map((each) => (
        <ProposalCard key={`${each.id} ${each.status}`} of={each} before={previousOf(of, each)}>
          {waitsForMe(each) ? (
            <Decide of={each} tell={tell} />
          ) : (
            <p class="quiet">{approvals.waits(`@${otherOf(each)}`)}</p>
          )}
        </ProposalCard>
      ))}
    </div>
  );
}

interface StepProps {
  id: string;
  known: Known;
  step: Step;
  /** The wallet was just funded for the deal. */
  asks: boolean;
  late: (told: Late) => void;
  tell: (told: Told) => void;
}

/** The reader's act on an unpaid deal. */
function Unpaid({ id, known: { deal }, step: { kind, amount_cents }, asks, late }: StepProps): JSX.Element | null {
  const { deals } = words;
  if (deal === null) return null;
  return (
    <>
      {kind === 'pay' && <p class="quiet">{deals.payWhy}</p>}
      <div class="buttons">
        {kind === 'pay' && <Pay of={deal} late={late} asks={asks} />}
        {kind === 'addMoney' && amount_cents !== null && (
          <AddMoney cents={amount_cents} back={`/conversations/${id}?deal=${deal.deal_id}&pay`} />
        )}
        <Cancel of={deal} late={late} />
      </div>
    </>
  );
}

/** Delivering a milestone, or reviewing a delivery and releasing its payment. */
function OfPart({ known: { escrow }, step: { kind, milestone } }: StepProps): JSX.Element | null {
  if (escrow === null || milestone === null) return null;
  const { milestone_index, deliverable } = milestone;
  if (kind === 'deliver') return <Deliver key={milestone_index} id={escrow.id} milestone={milestone} />;
  const url = deliverable?.url ?? deliverable?.page_url;
  return (
    <div class="buttons">
      {url && <Outside url={url} />}
      <Release escrow={escrow} milestone={milestone} />
    </div>
  );
}

/** The dispute's subject and this side's acts. */
function OfDispute({ of }: { of: Dispute }): JSX.Element {
  return (
    <>
      <p dir="auto">
        {words.disputes.reason}: {of.reason}
      </p>
      <DisputeActs dispute={of} />
    </>
  );
}

function Act(props: StepProps): JSX.Element | null {
  const { room, conversations } = words;
  const { known, step, tell } = props;
  const { deal, talk, meetings } = known;
  switch (step.kind) {
    case 'decide':
    case 'letGo':
    case 'awaitDecision':
      return <Proposals of={known.proposals} tell={tell} />;
    case 'pay':
    case 'addMoney':
    case 'awaitPayment':
      return <Unpaid {...props} />;
    case 'release':
    case 'deliver':
      return <OfPart {...props} />;
    case 'answerDispute':
    case 'awaitAnswer':
    case 'acceptSplit':
    case 'awaitSplit':
    case 'settle':
      return known.dispute && <OfDispute of={known.dispute} />;
    case 'review':
      return deal && <WriteReview deal_id={deal.deal_id} />;
    case 'meet':
    case 'confirmMeeting': {
      const meeting = meetings.find(({ meeting_id }) => meeting_id === step.meeting_id);
      if (!meeting) return null;
      if (step.kind === 'confirmMeeting') return <TookPlace of={meeting} />;
      return meeting.url === null ? null : <Outside url={meeting.url} name={room.join} />;
    }
    case 'finished':
      return mayWrite(talk, known.now_ms) ? null : (
        <p>
          <Way main href={`/people/${talk.counterparty_handle}`} text={conversations.anew} />
        </p>
      );
    case 'awaitDelivery':
    case 'awaitRelease':
    case 'reply':
    case 'write':
    case 'awaitReply':
      return null;
  }
}

function Turn({ whose, who }: { whose: Step['whose']; who: string }): JSX.Element {
  const { room } = words;
  if (whose === 'them') return <Badge>{room.theirTurn(who)}</Badge>;
  return <Badge tone={whose === 'you' ? 'wait' : whose === 'nobody' ? 'good' : 'plain'}>{room.turns[whose]}</Badge>;
}

interface NextProps extends Omit<StepProps, 'late'> {
  late: Late | null;
  tellLate: (told: Late) => void;
  told: Told | null;
}

/** The step, and the previous one's outcome. */
export function Next({ late, tellLate, told, ...props }: NextProps): JSX.Element {
  const { room } = words;
  const { known, step } = props;
  const who = `@${known.talk.counterparty_handle}`;
  const filled = { who, amount: money(step.amount_cents ?? 0), what: step.milestone?.title ?? '' };
  return (
    <div class="next-step">
      <Section title={room.steps[step.kind](filled)} aside={<Turn whose={step.whose} who={who} />}>
        {step.until !== null && !PROPOSED.has(step.kind) && !isDisputed(step.kind) && (
          <p class="quiet">
            {step.kind === 'meet' ? (
              <Time at={step.until} exact />
            ) : (
              <>
                {room.until} <Ends at={step.until} />
              </>
            )}
          </p>
        )}
        {late && <TooLate key={`${late.of.deal_id} ${late.deed}`} told={late} />}
        {told && (
          <Outcome
            key={`${told.of.id} ${told.kind}`}
            told={told}
            now={known.proposals.find(({ id }) => id === answeredId(told)) ?? null}
            here
          />
        )}
        <Act {...props} late={tellLate} />
      </Section>
    </div>
  );
}
