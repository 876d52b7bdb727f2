// Recent answers to matches, at the bottom of the page: each can be undone until it is sent, and links to what follows.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { type Answer, answers, forget, opening, openNow, sendNow, takeBack } from '../answers.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Failure } from './states.tsx';

/** Sends an interest at once and opens its conversation; nothing where none is under way. */
export function OpenNow({ match_id, main }: { match_id: string; main?: boolean }): JSX.Element | null {
  const [here] = useLocation();
  const answer = opening(match_id);
  if (!answer) return null;
  const busy = answer.state === 'sending' && answer.leads_from === here;
  return (
    <Button main={main ?? false} busy={busy} shortcut="o" onClick={() => openNow(here, match_id)}>
      {words.matches.talk}
    </Button>
  );
}

function Told({ of: { key, said, headline, state, conversation_id, error } }: { of: Answer }): JSX.Element | null {
  const { answered, common } = words;
  const [here] = useLocation();
  const sent = state === 'sent';
  const opens = said.action === 'interested' && (state === 'waits' || state === 'sending');
  if (sent && (conversation_id === null || here === `/conversations/${conversation_id}`)) return null;
  return (
    <div class={state}>
      <p>{(sent ? answered.sent : answered.said)[said.action](headline)}</p>
      {state === 'waits' && (
        <Button onClick={() => takeBack(key)} shortcut="u">
          <Icon name="undo" />
          {answered.undo}
        </Button>
      )}
      {opens && <OpenNow match_id={said.match_id} />}
      {sent && conversation_id !== null && (
        <Link class="button" href={`/conversations/${conversation_id}`}>
          {words.matches.talk}
        </Link>
      )}
      {(sent || state === 'failed') && (
        <Button ghost label={common.close} onClick={() => forget(key)}>
          <Icon name="close" />
        </Button>
      )}
      {error && <Failure error={error} />}
    </div>
  );
}

/** Answers of the last seconds. Navigation sends pending ones. */
export function ToldAnswers(): JSX.Element {
  const [path, go] = useLocation();
  useEffect(() => () => void sendNow(), [path]);
  const led = answers.value.find(({ leads_from, conversation_id }) => leads_from === path && conversation_id !== null);
  useEffect(() => {
    if (!led) return;
    forget(led.key);
    go(`/conversations/${led.conversation_id}`);
  }, [led?.key]);
  return (
    <div class="told-answers" role="status" aria-label={words.answered.title}>
      {answers.value.map((each) => (
        <Told key={each.key} of={each} />
      ))}
    </div>
  );
}
