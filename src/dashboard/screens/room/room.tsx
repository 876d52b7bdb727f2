// One conversation and all that hangs on it: the next step on top, the talk, and beside it who the other side is, the match, the
// proposals, the meetings, the deal with its escrow and dispute, and a timeline of all of it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { isUnderWay } from '../../../domain/conversation/conversation.ts';
import { Badge, Section, Timeline } from '../../parts/show.tsx';
import { Failure, Loaded, Skeleton, useNoticed } from '../../parts/states.tsx';
import { type Pages, type Resource, usePages, useRead } from '../../resource.ts';
import type { Item, Output } from '../../server.ts';
import { agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import type { Told } from '../approvals/outcome.tsx';
import type { Proposal } from '../approvals/proposal.ts';
import { EscrowState } from '../escrows.tsx';
import { Compared } from './compared.tsx';
import { DealState, type Late } from './deal.tsx';
import { DisputePart, DisputeState } from './dispute.tsx';
import { ESCROW_PLACE, EscrowParts, useDispute } from './escrow.tsx';
import { Meetings, usePast } from './meetings.tsx';
import { type Known, type Meeting, mayWrite, nextStep, type Step, standingOf } from './next-step.ts';
import { Propose } from './propose.tsx';
import { DealPart, Fold, Matched, Them } from './side.tsx';
import { isDisputed, Next, PROPOSED, Proposals } from './step.tsx';
import { Close, Messages, Write } from './talk.tsx';
import { momentsOf } from './timeline.ts';
import { Advance } from './turn.tsx';

type Conversation = Output<'conversation.read'>;

const MESSAGES_SHOWN = 50;
const MEETINGS_SHOWN = 10;
const PROPOSALS_LOOKED_AT = 100;

/** What was read; null while it is not there, or where there is none. */
function read<T>(of: Resource<T>): T | null {
  return of.state === 'ready' ? of.value : null;
}

interface Found {
  readonly talk: Conversation;
  readonly known: Known;
  readonly meetings: Pages<Meeting>;
  readonly match: Output<'match.summary'> | null;
  /** All that the next step depends on is there. */
  readonly settled: boolean;
}

/** When the next meeting begins; empty where none is to come. */
function soonestOf(meetings: readonly Meeting[]): string {
  const open = meetings.filter(({ status, starts_at }) => status !== 'completed' && Date.parse(starts_at) > Date.now());
  return open.map(({ starts_at }) => starts_at).toSorted()[0] ?? '';
}

/** Reads what hangs on a conversation, at once as far as its parts do not depend on one another. */
function useFound(talk: Conversation): Found {
  const { conversation_id } = talk;
  const [asked] = useSearchParams();
  const deal_id = asked.get('deal') ?? talk.deal_id;
  const proposals = useRead('proposal.list', { limit: PROPOSALS_LOOKED_AT });
  const meetings = usePages('meeting.list', { conversation_id, limit: MEETINGS_SHOWN }, ({ meeting_id }) => meeting_id);
  const match = useRead('match.summary', talk.match_id === null ? null : { match_id: talk.match_id });
  const deal = useRead('deal.read', deal_id === null ? null : { deal_id });
  const wallet = useRead('wallet.read', {});
  const escrow_id = read(deal)?.escrow_id ?? null;
  const escrow = useRead('escrow.read', escrow_id === null ? null : { escrow_id });
  const dispute = useDispute(read(escrow));
  const own = (read(proposals) ?? []).filter((each: Proposal) => each.conversation_id === conversation_id);
  const listed = read(meetings) ?? { items: [], more: null };
  usePast(soonestOf(listed.items));
  const waits =
    [proposals, meetings, wallet].some(({ state }) => state === 'loading') ||
    (deal_id !== null && deal.state === 'loading') ||
    (escrow_id !== null && escrow.state === 'loading');
  return {
    talk,
    known: {
      me: agent.value ?? '',
      talk,
      proposals: own,
      deal: read(deal),
      escrow: read(escrow),
      dispute,
      meetings: listed.items,
      balance_cents: read(wallet)?.balance_cents ?? null,
      now_ms: Date.now(),
    },
    meetings: listed,
    match: read(match),
    settled: !waits,
  };
}

function Head({ of }: { of: Conversation }): JSX.Element {
  const { conversations } = words;
  const { subject, status } = of;
  return (
    <p class="marks">
      <Badge tone={status === 'open' ? 'good' : status === 'escalated' ? 'wait' : 'plain'}>
        {conversations.statuses[status]}
      </Badge>
      <span dir="auto">{subject}</span>
    </p>
  );
}

interface SideProps {
  found: Found;
  step: Step;
  late: (told: Late) => void;
}

/** The deal, its escrow and its dispute, as far as there are any. */
function Money({ found: { known }, step, late }: SideProps): JSX.Element {
  const { room, escrows, disputes } = words;
  const { deal, escrow, dispute } = known;
  const dealAbove = ['pay', 'addMoney', 'awaitPayment', 'review'].includes(step.kind);
  const above = step.kind === 'release' || step.kind === 'deliver' ? (step.milestone?.milestone_index ?? null) : null;
  return (
    <>
      {deal && (
        <Fold id="deal" title={room.deal} aside={<DealState of={deal} />}>
          <DealPart of={deal} late={late} above={dealAbove} />
        </Fold>
      )}
      {dispute && (
        <Fold id="dispute" title={disputes.title} aside={<DisputeState of={dispute} />} open>
          <DisputePart dispute={dispute} above={isDisputed(step.kind)} />
        </Fold>
      )}
      {escrow && (
        <Fold id={ESCROW_PLACE} title={escrows.one} aside={<EscrowState {...escrow} />} open>
          <EscrowParts escrow={escrow} above={above} />
        </Fold>
      )}
    </>
  );
}

/** What stands beside the talk. */
function Side(props: SideProps): JSX.Element {
  const { room, meetings } = words;
  const { talk, known, match } = props.found;
  const { conversation_id: id, counterparty_handle } = talk;
  const comparedHere = known.proposals.find(({ status, decides_at }) => status === 'open' && decides_at !== null);
  return (
    <aside class="room-side" aria-label={room.beside}>
      <Money {...props} />
      {comparedHere && <Compared of={comparedHere} listing_id={match?.match.my_listing?.id ?? null} />}
      <Fold id="person" title={room.person}>
        <Them handle={counterparty_handle} />
      </Fold>
      {match && (
        <Fold id="match" title={room.match}>
          <Matched of={match} />
        </Fold>
      )}
      <Fold id="meetings" title={meetings.title}>
        <Meetings id={id} of={props.found.meetings} takes={isUnderWay(talk.status)} above={props.step.meeting_id} />
      </Fold>
      <Fold id="timeline" title={room.timeline}>
        <Timeline of={momentsOf({ ...known, talk, match: match?.match ?? null })} />
      </Fold>
    </aside>
  );
}

/** Which side one has here; null where nothing says it. */
function sideIn({ known: { deal, proposals }, match }: Found): 'buyer' | 'seller' | null {
  const matched = match && (match.match.my_side === 'offer' ? 'seller' : 'buyer');
  return proposals[0]?.your_side ?? deal?.your_side ?? matched;
}

interface TalkProps {
  found: Found;
  messages: Resource<Pages<Item<'message.list'>>>;
}

function Talk({ found, messages }: TalkProps): JSX.Element {
  const { conversations } = words;
  const { conversation_id: id } = found.talk;
  const last = found.known.proposals[0] ?? null;
  const listing_id = found.match?.match.my_listing.id ?? null;
  const takes = isUnderWay(found.talk.status);
  return (
    <>
      <Section title={conversations.messages}>
        <Loaded of={messages}>{(of) => <Messages of={of} />}</Loaded>
        {mayWrite(found.talk, found.known.now_ms) ? <Write id={id} /> : <p class="quiet">{conversations.over}</p>}
      </Section>
      {takes && <Propose id={id} known={{ side: sideIn(found), last, listing_id }} />}
      {takes && <Advance id={id} />}
      {takes && <Close id={id} />}
    </>
  );
}

function Whole({ of, messages }: { of: Conversation; messages: TalkProps['messages'] }): JSX.Element {
  const { approvals } = words;
  const [asked] = useSearchParams();
  const found = useFound(of);
  const { known, settled } = found;
  const step = nextStep(known);
  const [late, setLate] = useState<Late | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const elsewhere = !PROPOSED.has(step.kind) && isUnderWay(of.status) && standingOf(known.proposals).length > 0;
  return (
    <>
      <Head of={of} />
      {settled ? (
        <Next
          id={of.conversation_id}
          known={known}
          step={step}
          asks={asked.has('pay')}
          late={late}
          tellLate={setLate}
          told={told}
          tell={setTold}
        />
      ) : (
        <Skeleton />
      )}
      <div class="room">
        <div class="room-talk">
          {settled && elsewhere && (
            <Section title={approvals.standing}>
              <Proposals of={known.proposals} tell={setTold} />
            </Section>
          )}
          <Talk found={found} messages={messages} />
        </div>
        {settled && <Side found={found} step={step} late={setLate} />}
      </div>
    </>
  );
}

function Room({ id }: { id: string }): JSX.Element {
  const { conversations } = words;
  const talk = useRead('conversation.read', { conversation_id: id });
  const messages = usePages(
    'message.list',
    { conversation_id: id, limit: MESSAGES_SHOWN },
    ({ message_id }) => message_id,
  );
  useNoticed(`/conversations/${id}`);
  return (
    <>
      <p>
        <Link href="/conversations">{conversations.all}</Link>
      </p>
      <h1 tabIndex={-1}>{talk.state === 'ready' ? `@${talk.value.counterparty_handle}` : conversations.title}</h1>
      {talk.state === 'failed' ? (
        <Failure error={talk.error} retry={talk.retry} />
      ) : talk.state === 'ready' ? (
        <Whole of={talk.value} messages={messages} />
      ) : (
        <Skeleton />
      )}
    </>
  );
}

/** The conversation that the address names, as the acting agent sees it. */
export function RoomScreen({ params: { id = '' } }: { params: { id?: string | undefined } }): JSX.Element {
  return <Room key={`${agent.value} ${id}`} id={id} />;
}
