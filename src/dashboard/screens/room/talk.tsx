// A conversation's messages, oldest first, updated live; a form to write; closing it for good.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { noteText } from '../../../domain/conversation/note.ts';
import { useDraft } from '../../drafts.ts';
import type { Yes } from '../../final.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/field.tsx';
import { clock, date } from '../../parts/format.ts';
import { More } from '../../parts/show.tsx';
import { Empty, Failure } from '../../parts/states.tsx';
import { type Pages, useAct } from '../../resource.ts';
import type { Item } from '../../server.ts';
import { words } from '../../words/words.ts';
import { Why } from './turn.tsx';

type Message = Item<'message.list'>;

/** A reader scrolled up further than this is reading older messages, so new ones do not scroll. */
const NEAR_PX = 160;

function Said({ message, first }: { message: Message; first: boolean }): JSX.Element {
  const { conversations, common, turns } = words;
  const { conversation_id, message_id, role, sender, content, note, created_at, by_turn } = message;
  const who = role === 'self' ? common.you : role === 'platform' ? conversations.service : `@${sender}`;
  return (
    <>
      {first && <li class="day quiet">{date(created_at)}</li>}
      <li class={`said ${role}`}>
        <p class="said-by quiet">
          <span class={role === 'self' ? 'hidden' : undefined}>{conversations.by(who)}</span>{' '}
          {by_turn && `${turns.byAgent} · `}
          <time dateTime={created_at}>{clock(created_at)}</time>
        </p>
        <p class="said-text" dir="auto">
          {note ? noteText(sender, note, words.events, content) : content}
        </p>
        {by_turn && <Why id={conversation_id} message_id={message_id} created_at={created_at} />}
      </li>
    </>
  );
}

/** The messages. At the end, new ones scroll into view; a polite live region announces them. */
export function Messages({ of }: { of: Pages<Message> }): JSX.Element {
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

/** The message form. Enter sends with a keyboard; on phones it inserts a line break, as is usual there. */
export function Write({ id }: { id: string }): JSX.Element {
  const { conversations } = words;
  const send = useAct('message.send');
  const [text, setText] = useDraft(`${id} message`);
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

export function Close({ id }: { id: string }): JSX.Element {
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
