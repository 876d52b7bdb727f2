// One conversation: what was said, oldest first, growing as messages arrive; writing, or letting the agent write;
// what is proposed; its meetings; closing it for good.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { MeshworkError } from '../../client/error.ts';
import type { Yes } from '../final.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Choice, Field, Form, problemOf } from '../parts/field.tsx';
import { centsOf, clock, count, date, money } from '../parts/format.ts';
import { Agent, Badge, More, Outside, PlanFees, Section, Table, Time } from '../parts/show.tsx';
import { Empty, Failure, Loaded, useNoticed } from '../parts/states.tsx';
import { type Pages, useAct, usePages, useRead } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { Decide } from './approvals/answer.tsx';
import { ProposalCard } from './approvals/card.tsx';
import { answeredId, Outcome, type Told } from './approvals/outcome.tsx';
import { otherOf, type Proposal, previousOf, waitsForMe } from './approvals/proposal.ts';
import { DealStateOf } from './deals.tsx';
import { Advance, Why } from './thread/turn.tsx';

// The meetings of a conversation: what is to come, what took place, saying so, and setting another one.

type Meeting = Extract<Output<'meeting.list'>, readonly unknown[]>[number];

const MEETINGS_SHOWN = 10;
const USUAL_MINUTES = '30';
/** A timer takes no longer time. */
const WAIT_MAX_MS = 2_147_483_647;

/** Whether a time is past; the page changes when it comes. */
function usePast(iso: string): boolean {
  const left_ms = Date.parse(iso) - Date.now();
  const [, look] = useState(0);
  useEffect(() => {
    if (!(left_ms > 0 && left_ms < WAIT_MAX_MS)) return undefined;
    const timer = setTimeout(() => look((n) => n + 1), left_ms);
    return () => clearTimeout(timer);
  }, [iso]);
  return left_ms <= 0;
}

/** How a meeting stands. Of one that has begun either side says that it took place. */
function State({ of: { conversation_id, meeting_id, status, starts_at } }: { of: Meeting }): JSX.Element {
  const { meetings } = words;
  const complete = useAct('meeting.complete');
  const begun = usePast(starts_at);
  if (status === 'completed') return <Badge tone="good">{meetings.statuses.completed}</Badge>;
  if (!begun) return <Badge tone="wait">{meetings.statuses.scheduled}</Badge>;
  return (
    <>
      <Badge tone="wait">{meetings.begun}</Badge>{' '}
      <Button busy={complete.busy} onClick={() => complete.run({ conversation_id, meeting_id })}>
        {meetings.done}
      </Button>
      {complete.error && <Failure error={complete.error} />}
    </>
  );
}

function List({ of }: { of: Pages<Meeting> }): JSX.Element {
  const { meetings, common } = words;
  if (of.items.length === 0) return <Empty text={meetings.none} />;
  return (
    <>
      <Table
        caption={meetings.title}
        rows={of.items}
        keyOf={({ meeting_id }) => meeting_id}
        columns={[
          { name: meetings.when, cell: ({ starts_at }) => <Time at={starts_at} exact /> },
          { name: meetings.length, figure: true, cell: ({ duration_minutes }) => count(duration_minutes) },
          { name: meetings.where, cell: ({ url }) => (url === null ? common.none : <Outside url={url} />) },
          { name: meetings.state, cell: (meeting) => <State of={meeting} /> },
        ]}
      />
      <More of={of} />
    </>
  );
}

/** What a field of a day and time holds, as the wire writes it; null where it is none. */
function instantOf(local: string): string | null {
  const at_ms = new Date(local).getTime();
  return local === '' || Number.isNaN(at_ms) ? null : new Date(at_ms).toISOString();
}

function Schedule({ id }: { id: string }): JSX.Element {
  const { meetings } = words;
  const { run, busy, error } = useAct('meeting.schedule');
  const [when, setWhen] = useState('');
  const [minutes, setMinutes] = useState(USUAL_MINUTES);
  const [url, setUrl] = useState('');
  const starts_at = instantOf(when);
  const duration_minutes = Number(minutes.trim() || Number.NaN);
  const whole = starts_at !== null && Number.isInteger(duration_minutes);
  const go = async (): Promise<void> => {
    if (!whole) return;
    const where = url.trim() === '' ? {} : { url: url.trim() };
    if (!(await run({ conversation_id: id, starts_at, duration_minutes, ...where }))) return;
    setWhen('');
    setUrl('');
  };
  return (
    <details>
      <summary>{meetings.set}</summary>
      <Form onSubmit={go}>
        <p class="quiet">{meetings.setWhy}</p>
        <Field
          label={meetings.when}
          name="starts_at"
          value={when}
          onInput={setWhen}
          type="datetime-local"
          error={error}
          required
        />
        <Field
          label={meetings.length}
          name="duration_minutes"
          value={minutes}
          onInput={setMinutes}
          mode="numeric"
          error={error}
          required
        />
        <Field
          label={meetings.url}
          name="url"
          value={url}
          onInput={setUrl}
          mode="url"
          error={error}
          maxLength={2_000}
        />
        <Button main submit busy={busy} disabled={!whole}>
          {meetings.setGo}
        </Button>
        {error && <Failure error={error} />}
      </Form>
    </details>
  );
}

/** The meetings of a conversation; while it takes messages, another one can be set. */
function Meetings({ id, takes }: { id: string; takes: boolean }): JSX.Element {
  const pages = usePages(
    'meeting.list',
    { conversation_id: id, limit: MEETINGS_SHOWN },
    ({ meeting_id }) => meeting_id,
  );
  return (
    <Section title={words.meetings.title}>
      <Loaded of={pages}>{(of) => <List of={of} />}</Loaded>
      {takes && <Schedule id={id} />}
    </Section>
  );
}

// Proposals within their conversation: the one that stands, what the agent's own person has yet to let go, and putting another one.

const LOOKED_AT = 100;
const TERMS_MAX = 2_000;

/** What stands in the conversation, to be decided on here as well as among the approvals. */
function Standing({ id, stands }: { id: string; stands: Proposal | null }): JSX.Element | null {
  const { approvals } = words;
  const list = useRead('proposal.list', { limit: LOOKED_AT });
  const [told, setTold] = useState<Told | null>(null);
  const known = list.state === 'ready' ? list.value : [];
  const withheld = known.filter(({ conversation_id, status }) => conversation_id === id && status === 'withheld');
  const open = stands?.status === 'open' ? [stands] : [];
  const shown = [...withheld, ...open];
  if (shown.length === 0 && told === null) return null;
  return (
    <Section title={approvals.standing}>
      {told && (
        <Outcome
          key={`${told.of.id} ${told.kind}`}
          told={told}
          now={known.find(({ id }) => id === answeredId(told)) ?? null}
        />
      )}
      <div class="stack">
        {shown.map((each) => (
          <ProposalCard key={`${each.id} ${each.status}`} of={each} before={previousOf(known, each)}>
            {waitsForMe(each) ? (
              <Decide of={each} tell={setTold} />
            ) : (
              <p class="quiet">{approvals.waits(`@${otherOf(each)}`)}</p>
            )}
          </ProposalCard>
        ))}
      </div>
    </Section>
  );
}

/** Whether all that is wrong is that nobody knows who pays: that is asked, and no failure. */
function asksSide(error: MeshworkError | null): boolean {
  return error?.fields.length === 1 && problemOf(error, 'side') !== null;
}

type Side = 'buyer' | 'seller' | '';

/** Who pays, asked once nothing else says it. */
function SideChoice({ side, choose }: { side: Side; choose: (side: Side) => void }): JSX.Element {
  const { approvals } = words;
  return (
    <div role="status">
      <p class="notice">{approvals.sideWhy}</p>
      <Choice
        label={approvals.side}
        value={side}
        options={[
          ['', approvals.sideNone],
          ['buyer', approvals.sides.buyer],
          ['seller', approvals.sides.seller],
        ]}
        onChange={choose}
      />
    </div>
  );
}

/** An amount, put to the other side. */
function Propose({ id }: { id: string }): JSX.Element {
  const { approvals } = words;
  const { run, busy, error } = useAct('proposal.propose', { onRefused: (why) => asksSide(why) && setAsked(true) });
  const [amount, setAmount] = useState('');
  const [terms, setTerms] = useState('');
  const [side, setSide] = useState<Side>('');
  const [asked, setAsked] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const amount_cents = centsOf(amount);
  const go = async (): Promise<void> => {
    setSent(null);
    if (amount_cents === null) return;
    const put = await run({
      conversation_id: id,
      amount_cents,
      ...(terms.trim() !== '' && { terms: terms.trim() }),
      ...(side !== '' && { side }),
    });
    if (!put) return;
    setSent(put.amount_cents);
    setAmount('');
    setTerms('');
  };
  return (
    <details class="card">
      <summary>{approvals.propose}</summary>
      <Form onSubmit={go}>
        <p class="quiet">{approvals.proposeWhy}</p>
        <PlanFees />
        <Field
          label={approvals.dollars}
          name="amount_cents"
          value={amount}
          onInput={setAmount}
          mode="decimal"
          error={error}
          required
        />
        <Field
          label={approvals.for}
          name="terms"
          value={terms}
          onInput={setTerms}
          rows={3}
          maxLength={TERMS_MAX}
          error={error}
        />
        {asked && <SideChoice side={side} choose={setSide} />}
        <Button main submit busy={busy} disabled={amount_cents === null || (asked && side === '')}>
          {approvals.proposeGo}
        </Button>
        <span role="status">{sent !== null && approvals.proposed(money(sent))}</span>
        {error && !asksSide(error) && <Failure error={error} />}
      </Form>
    </details>
  );
}

type Conversation = Output<'conversation.read'>;
type Message = Conversation['messages'][number];

const SHOWN = 50;
/** Who has scrolled up further than this reads what is older, and is left there. */
const NEAR_PX = 160;

function Said({ message, first }: { message: Message; first: boolean }): JSX.Element {
  const { conversations, common } = words;
  const { conversation_id, message_id, role, sender, content, created_at } = message;
  const who = role === 'self' ? common.you : role === 'platform' ? conversations.service : `@${sender}`;
  return (
    <>
      {first && <li class="day quiet">{date(created_at)}</li>}
      <li class={`said ${role}`}>
        <p class="said-by quiet">
          <span class={role === 'self' ? 'hidden' : undefined}>{conversations.by(who)}</span>{' '}
          <time dateTime={created_at}>{clock(created_at)}</time>
        </p>
        <p class="said-text" dir="auto">
          {content}
        </p>
        {role === 'self' && <Why id={conversation_id} message_id={message_id} created_at={created_at} />}
      </li>
    </>
  );
}

/** The messages. Who is at their end sees what comes; it is said politely to those who hear the page. */
function Messages({ of }: { of: Pages<Message> }): JSX.Element {
  const { conversations } = words;
  const place = useRef<HTMLElement>(null);
  const near = useRef(true);
  const messages = of.items.toReversed();
  const newest = messages.at(-1)?.message_id;
  useEffect(() => {
    const box = place.current;
    if (box && near.current) box.scrollTop = box.scrollHeight;
  }, [newest]);
  const dayOf = (message: Message | undefined): string | null => (message ? date(message.created_at) : null);
  return (
    <section
      class="said-box"
      ref={place}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard.
      tabIndex={0}
      aria-label={conversations.messages}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        near.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      <More of={of} label={conversations.earlier} />
      {messages.length === 0 && <Empty text={conversations.messagesNone} />}
      <div role="log" aria-live="polite" aria-label={conversations.messages}>
        <ol class="talk-log">
          {messages.map((message, at) => (
            <Said key={message.message_id} message={message} first={dayOf(message) !== dayOf(messages[at - 1])} />
          ))}
        </ol>
      </div>
    </section>
  );
}

/** Writing. Enter sends where there is a keyboard; on a phone it begins a new line, as people expect there. */
function Write({ id }: { id: string }): JSX.Element {
  const { conversations } = words;
  const send = useAct('message.send');
  const [text, setText] = useState('');
  const blank = text.trim() === '';
  const go = async (): Promise<void> => {
    if (blank) return;
    const sent = await send.run({ conversation_id: id, content: text });
    if (sent) setText('');
  };
  const typed = matchMedia('(pointer: fine)').matches;
  return (
    <Form onSubmit={go}>
      <div class="write">
        <Field
          label={conversations.write}
          name="content"
          value={text}
          onInput={setText}
          error={send.error}
          rows={3}
          {...(typed && { hint: conversations.writeHint, onEnter: go })}
        />
        <Button main submit busy={send.busy} disabled={blank}>
          {conversations.send}
        </Button>
      </div>
      {send.error && <Failure error={send.error} />}
    </Form>
  );
}

function Close({ id }: { id: string }): JSX.Element {
  const { conversations } = words;
  const close = useAct('conversation.close');
  const [reason, setReason] = useState('');
  const run = (yes: Yes): Promise<unknown> =>
    close.run({ conversation_id: id, ...(reason.trim() !== '' && { reason: reason.trim() }) }, yes);
  return (
    <details class="card">
      <summary>{conversations.close}</summary>
      <p class="quiet">{conversations.closeWhy}</p>
      <Field label={conversations.closeReason} value={reason} onInput={setReason} maxLength={500} />
      <ConfirmButton danger busy={close.busy} question={conversations.closeAsk} onClick={run}>
        {conversations.close}
      </ConfirmButton>
      {close.error && <Failure error={close.error} />}
    </details>
  );
}

function Head({ of }: { of: Conversation }): JSX.Element {
  const { conversations, approvals } = words;
  const { counterparty_handle, subject, status, match_id, deal_id } = of;
  return (
    <p class="marks">
      <Badge tone={status === 'open' ? 'good' : status === 'escalated' ? 'wait' : 'plain'}>
        {conversations.statuses[status]}
      </Badge>
      <Agent handle={counterparty_handle} />
      <span dir="auto">{subject}</span>
      {match_id !== null && <Link href={`/matches/${match_id}`}>{conversations.match}</Link>}
      {deal_id !== null && (
        <>
          <Link href="/deals">{approvals.toDeals}</Link>
          <DealStateOf deal_id={deal_id} />
        </>
      )}
    </p>
  );
}

/** The conversation as the acting agent sees it. */
export function Thread({ id }: { id: string }): JSX.Element {
  const { conversations } = words;
  const read = useRead('conversation.read', { conversation_id: id });
  const pages = usePages('message.list', { conversation_id: id, limit: SHOWN }, ({ message_id }) => message_id);
  useNoticed(`/conversations/${id}`);
  const known = read.state === 'ready' ? read.value : null;
  const takes = known?.status === 'open' || known?.status === 'escalated';
  return (
    <div class="pane">
      <h1 tabIndex={-1}>{known ? `@${known.counterparty_handle}` : conversations.title}</h1>
      {known && <Head of={known} />}
      {known && takes && <Standing id={id} stands={known.proposal} />}
      <Section title={conversations.messages}>
        <Loaded of={pages}>{(of) => <Messages of={of} />}</Loaded>
        {takes && <Write id={id} />}
        {known && !takes && (
          <p>
            <span class="quiet">{conversations.over}</span>{' '}
            <Link class="button" href={`/people/${known.counterparty_handle}`}>
              {conversations.anew}
            </Link>
          </p>
        )}
      </Section>
      {takes && <Advance id={id} />}
      {takes && <Propose id={id} />}
      <Meetings id={id} takes={takes} />
      {takes && <Close id={id} />}
      <p>
        <Link href="/conversations">{conversations.all}</Link>
      </p>
    </div>
  );
}
