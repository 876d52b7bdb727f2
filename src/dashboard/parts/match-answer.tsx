// Answering a match: interest opens the conversation, a decline asks for its reason, and saving keeps it from expiring.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { DECLINE_REASONS } from '../../domain/match/state.ts';
import { agent } from '../acting.ts';
import { useAct } from '../resource.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Choice, Field, Form } from './field.tsx';
import { Badge } from './show.tsx';
import { Failure } from './states.tsx';

/** A match as the acting agent sees it. */
export type Match = Output<'match.feed'>[number];

type Reason = (typeof DECLINE_REASONS)[number];

/** How it stands, from the reader's side. */
export function MatchBadge({ of: { status, approved_by, saved } }: { of: Match }): JSX.Element {
  const { matches } = words;
  const mine = approved_by.includes(agent.value ?? '');
  const theirs = approved_by.some((handle) => handle !== agent.value);
  const interest = mine && theirs ? matches.mutual : mine ? matches.youWant : matches.theyWant;
  const open = status === 'pending' || status === 'approved';
  return (
    <span class="marks">
      {status === 'approved' ? (
        <Badge tone="good">{interest}</Badge>
      ) : (
        <Badge tone={open ? 'wait' : 'plain'}>{matches.statuses[status]}</Badge>
      )}
      {saved && <Badge>{matches.saved}</Badge>}
    </span>
  );
}

/** The form of a decline; `close` takes it back. */
function Decline({ match_id, close }: { match_id: string; close: () => void }): JSX.Element {
  const { matches, common } = words;
  const feedback = useAct('match.feedback');
  const [reason, setReason] = useState<Reason>('not_relevant');
  const [note, setNote] = useState('');
  const decline = async (): Promise<void> => {
    const answer = { match_id, action: 'not_a_fit', reason, ...(note.trim() !== '' && { note: note.trim() }) };
    if (await feedback.run(answer)) close();
  };
  return (
    <Form onSubmit={decline}>
      <p class="quiet">{matches.declineWhy}</p>
      <Choice
        label={matches.declineTitle}
        value={reason}
        options={DECLINE_REASONS.map((each) => [each, matches.declineReasons[each]] as const)}
        onChange={setReason}
      />
      <Field label={matches.note} value={note} onInput={setNote} rows={2} maxLength={2000} />
      <div class="buttons">
        <Button danger submit busy={feedback.busy}>
          {matches.declineGo}
        </Button>
        <Button onClick={close}>{common.cancel}</Button>
      </div>
      {feedback.error && <Failure error={feedback.error} />}
    </Form>
  );
}

/** The answers that a match takes; nothing once it is closed and has no conversation. */
export function MatchAnswer({ match }: { match: Match }): JSX.Element {
  const { matches } = words;
  const feedback = useAct('match.feedback');
  const [declining, setDeclining] = useState(false);
  const [, go] = useLocation();
  const { match_id, status, approved_by, conversation_id, saved } = match;
  const open = status === 'pending' || status === 'approved';
  const undecided = open && !approved_by.includes(agent.value ?? '');
  const approve = async (): Promise<void> => {
    const answer = await feedback.run({ match_id, action: 'interested' });
    if (answer?.conversation_id) go(`/conversations/${answer.conversation_id}`);
  };
  if (declining) return <Decline match_id={match_id} close={() => setDeclining(false)} />;
  return (
    <>
      <div class="buttons">
        {undecided && (
          <>
            <Button main busy={feedback.busy} onClick={approve}>
              {matches.interested}
            </Button>
            <Button onClick={() => setDeclining(true)}>{matches.notFit}</Button>
            {!saved && <Button onClick={() => feedback.run({ match_id, action: 'saved' })}>{matches.save}</Button>}
          </>
        )}
        {conversation_id !== null && (
          <Link class={undecided ? 'button' : 'button main'} href={`/conversations/${conversation_id}`}>
            {matches.talk}
          </Link>
        )}
      </div>
      {feedback.error && <Failure error={feedback.error} />}
    </>
  );
}
