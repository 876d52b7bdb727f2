// Receives a person's reply by mail and posts it into the conversation as their agent: found by the token in its address,
// accepted only from the account's own address (rules.md 7). Automatic mail is accepted and dropped, and no mail is ever
// answered by mail: the mail transport tells refusals.
import { type Static, Type } from 'typebox';
import { apply, count, type Effect, insert } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { inboundMailById, replyTokenById } from '../../../db/queries/mail.ts';
import { matchById } from '../../../db/queries/match.ts';
import { reminderById } from '../../../db/queries/reminder.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Outcome, Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts, LoadPorts } from '../../contract/ports.ts';
import { messageFault } from '../../domain/conversation/conversation.ts';
import { type Fault, fault, invalid, isFault, tooMany } from '../../domain/fault.ts';
import { automaticKind } from '../../domain/mail/automatic.ts';
import { MAIL_MAX_BYTES } from '../../domain/mail/mailbox.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { sha256Hex } from '../../outbound/hash.ts';
import { LOOP_HEADER } from '../../outbound/mailer/mark.ts';
import type { MailAuthentication, MailPath } from '../../outbound/reading/authentication.ts';
import type { ParsedMail } from '../../outbound/reading/mail.ts';
import type { Unread } from '../../outbound/reading/reading-thread.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, nullable } from '../../schemas/wire.ts';
import { letterId, readAsked, remindLetter } from '../../steps/mail/letter.ts';
import { tokenId } from '../../steps/mail/reply-address.ts';
import { mailboxAmong, mailTarget, type Target } from '../../steps/mail/target.ts';
import { readMatchToAnswer } from '../../steps/match/find.ts';
import { answerMatch } from '../../steps/match.ts';
import { answerEffects, type Posted, post } from '../../steps/message/post.ts';
import { readThreadAnswer, threadToPost } from '../../steps/message/thread.ts';

type WriteRefusal =
  | 'not_found'
  | 'invalid_request'
  | 'invalid_action'
  | 'blocked'
  | 'conversation_closed'
  | 'already_decided'
  | 'match_closed'
  | 'plan_limit';

/** Posts a mail: to its conversation, to the one that its match has, or to the one that it opens by approving the match. */
async function writeMail(
  read: Read,
  ctx: Ctx,
  ports: Pick<LoadPorts, 'answer'>,
  { conversation_id, match_id }: Target,
  { agent, account }: { readonly agent: Row<'agents'>; readonly account: Row<'accounts'> },
  text: string,
): Promise<Posted<WriteRefusal> | Fault<WriteRefusal>> {
  const match = match_id === null ? null : await read(matchById, { match_id });
  const there = conversation_id ?? match?.conversation_id ?? null;
  if (there !== null || match_id === null) {
    const thread = await threadToPost(read, there ?? '', agent.id);
    const answer = await readThreadAnswer(read, ctx, ports, agent, thread, text);
    const posted = post(ctx, agent, thread, text);
    if (isFault(posted)) return posted;
    return { ...posted, effects: [...posted.effects, ...answerEffects(ctx, agent, posted.row, answer)] };
  }
  const wrong = messageFault(text);
  if (wrong) return wrong;
  const as = { ...ctx, agent, account_id: account.id, principal: { ...ctx.principal, plan: account.plan } };
  const said = { match_id, action: 'interested', content: text };
  const answered = answerMatch(await readMatchToAnswer(read, said, as), said, as);
  if (isFault(answered)) return answered;
  const { message, effects } = answered;
  return message ? { row: message, effects } : fault('not_found');
}

/** More than people write to one thread, which stops loops of programs. */
const MAILS_PER_HOUR = 30;
/** A text usually holds one token at most. */
const ENDED_MAX = 8;
/** Covers the retries of senders, and inquiries about a mail. */
const KEPT_MS = 30 * DAY_MS;

const Received = namedObject('ReceivedMail', 'the result of an incoming mail', {
  outcome: Type.Enum(['posted', 'duplicate', 'dropped'], {
    description: '`dropped`: accepted and discarded without a reply',
  }),
  reason: nullable(Type.Enum(['bounce', 'auto_reply', 'bulk', 'loop']), 'why it was dropped'),
  conversation_id: nullable(Id),
  message_id: nullable(Id, 'the message created from it'),
  attachments: Type.Integer({ description: 'how many attachments were discarded; only text is used' }),
  authentication: Type.Record(Type.String(), Type.String(), {
    description: 'the results of `spf`, `dkim` and `dmarc`',
  }),
});

type Reply = Static<typeof Received>;
type Refusal = WriteRefusal | 'not_a_party' | 'rate_limited' | 'conflict';

interface Arrived {
  readonly mail: ParsedMail;
  readonly target: Target;
  /** The id under which a repeated mail is recognised. */
  readonly id: string;
  readonly authentication: MailAuthentication['results'];
}

const dropReply = (reason: Reply['reason'], mail: ParsedMail, conversation_id: string | null = null): Reply => ({
  outcome: 'dropped',
  reason,
  conversation_id,
  message_id: null,
  attachments: mail.attachments,
  authentication: {},
});

const strangerFault = (): Fault<'not_a_party'> =>
  fault('not_a_party', 'This mailbox accepts replies to its letters, from the address that they were sent to.');

const FLOOD = `A conversation accepts ${MAILS_PER_HOUR} replies by mail an hour; send this one again later.`;

const countPerHour = (ctx: FlowCtx, what: string): Effect<'rate_limited'> => {
  const hour = Math.floor(ctx.now_ms / HOUR_MS);
  const ends_at = (hour + 1) * HOUR_MS;
  const full = tooMany({ limit: MAILS_PER_HOUR, window_ms: HOUR_MS, wait_ms: ends_at - ctx.now_ms }, FLOOD);
  return count(`mail:${what}:${hour}`, MAILS_PER_HOUR, full, ends_at);
};

function mailRow(ctx: FlowCtx, arrived: Arrived, outcome: string, message_id: string | null, id = arrived.id) {
  const { agent, conversation_id } = arrived.target;
  return {
    id,
    agent_id: agent.id,
    conversation_id,
    message_id,
    outcome,
    authentication: arrived.authentication,
    created_at: ctx.now_ms,
    expires_at: ctx.now_ms + KEPT_MS,
  };
}

/** Records the outcome of an unposted mail, limited by the hour, so that a flood of mail makes no flood of rows. */
async function noteUnposted(ctx: FlowCtx, arrived: Arrived, outcome: string): Promise<void> {
  const row = mailRow(ctx, arrived, outcome, null, sha256Hex(`${arrived.id}:${outcome}`));
  const limit = countPerHour(ctx, `noted:${arrived.target.agent.id}`);
  await ctx.turn({ attempt: async () => ({ reply: null, effects: [limit, insert('inbound_mails', row, 'ignore')] }) });
}

/** A reply shows that the person is present: postponed letters are sent now, and the next event at once. */
function resumeLetters(ctx: FlowCtx, agent_id: string, waiting: Row<'reminders'> | null): Effect<never>[] {
  const ended = [
    insert('mail_marks', { id: agent_id, seen: 0, at: 0, version: 1 }, 'ignore'),
    apply('mail_marks', agent_id, () => ({ at: 0 })),
  ];
  return waiting ? [...ended, remindLetter(agent_id, readAsked(waiting), ctx.now_ms, ctx.now_ms)] : ended;
}

/** Ends reply addresses that stood in a person's text, since they are no longer secret. */
async function endTokens(read: Read, ctx: FlowCtx, tokens: readonly string[]): Promise<Effect<never>[]> {
  const ids = [...new Set(tokens.map(tokenId))].slice(0, ENDED_MAX);
  const rows = await Promise.all(ids.map((id) => read(replyTokenById, { id })));
  return rows.flatMap((row) => (row ? [apply('reply_tokens', row.id, () => ({ expires_at: ctx.now_ms }))] : []));
}

/** One attempt to post; account and thread are read again, since DNS queries came in between. */
async function attemptPost(
  read: Read,
  ctx: FlowCtx,
  ports: FlowPorts,
  arrived: Arrived,
  text: string,
): Promise<Decision<Reply, Refusal>> {
  const { mail, target, id, authentication } = arrived;
  const known = await read(inboundMailById, { id });
  const common = { conversation_id: target.conversation_id, attachments: mail.attachments, authentication };
  if (known) {
    return { reply: { outcome: 'duplicate', reason: null, message_id: known.message_id, ...common } };
  }
  const agent = await read(agentById, { id: target.agent.id });
  const account = agent && (await read(accountById, { id: agent.account_id }));
  if (!agent || agent.deactivated_at !== null || !account || account.email !== mail.from) return strangerFault();
  const postMail = await writeMail(read, ctx, ports, target, { agent, account }, text);
  if (isFault(postMail)) return postMail;
  const { conversation_id } = postMail.row;
  const waiting = await read(reminderById, { id: letterId(agent.id, null) });
  const ended = await endTokens(read, ctx, mail.tokens);
  return {
    reply: { outcome: 'posted', reason: null, message_id: postMail.row.id, ...common, conversation_id },
    effects: [
      insert(
        'inbound_mails',
        { ...mailRow(ctx, arrived, 'posted', postMail.row.id), conversation_id },
        fault('conflict'),
      ),
      countPerHour(ctx, `posted:${agent.id}:${conversation_id}`),
      ...postMail.effects,
      ...ended,
      ...resumeLetters(ctx, agent.id, waiting),
    ],
  };
}

async function postArrived(ctx: FlowCtx, ports: FlowPorts, arrived: Arrived): Promise<Outcome<Reply>> {
  const { target } = arrived;
  const { text } = arrived.mail;
  if (text === '') {
    return invalid({ path: 'raw', message: 'The mail contains no new text, only quotations or attachments.' });
  }
  const step = {
    attempt: (read: Read) => attemptPost(read, ctx, ports, arrived, text),
    agent_id: target.agent.id,
    final: true,
  };
  const outcome = await ctx.turn(step);
  // The same mail arrived twice at once: the other copy is posted.
  return isFault(outcome) && outcome.fault === 'conflict' ? ctx.turn(step) : outcome;
}

/** The id of a mail: sender, Message-ID (a hash of its bytes where it has none), agent and thread. */
function mailId(mail: ParsedMail, target: Target): string {
  const name = mail.message_id ?? mail.sha256;
  return sha256Hex(`${mail.from}\n${name}\n${target.agent.id}\n${target.conversation_id}`);
}

/** A mail that took too long is refused for good, since a retry would take as long. So is one that crashed the parser
 * twice. */
function unreadFault({ unread: why }: Unread): Fault<'overloaded' | 'invalid_request'> {
  if (why === 'busy') return fault('overloaded');
  const what = why === 'late' ? 'takes too long' : 'fails';
  return invalid({ path: 'raw', message: `Reading this mail ${what}; send it as plain text.` });
}

async function receiveMail(
  raw: string,
  to: string | null,
  path: MailPath,
  ctx: FlowCtx,
  ports: FlowPorts,
): Promise<Outcome<Reply>> {
  const { settings, now_ms } = ctx;
  const { mails } = ports;
  const mail = await mails.read(raw);
  if (mail === null) return invalid({ path: 'raw', message: 'This is not a valid mail (RFC 5322).' });
  if ('unread' in mail) return unreadFault(mail);
  const { mail_domain } = settings;
  const mailbox = mailboxAmong(to === null ? mail.recipients : [to], mail_domain);
  const nowhere = mailbox === null && to !== null;
  const target = nowhere ? null : await mailTarget(ctx.read, mailbox, mail.answers, now_ms);
  const kind = automaticKind(mail.headers, path.envelope_from, mail.from ?? '', {
    loop_header: LOOP_HEADER,
    mail_domain,
  });
  const arrived = target && { mail, target, id: mailId(mail, target), authentication: {} };
  if (kind) {
    if (arrived) await noteUnposted(ctx, arrived, `dropped:${kind}`);
    return { reply: dropReply(kind, mail, target?.conversation_id) };
  }
  if (!arrived) return fault('not_found', 'There is no such mailbox, or its reply address has expired.');
  const account = await ctx.read(accountById, { id: arrived.target.agent.account_id });
  const { conversation_id, match_id } = arrived.target;
  if ((conversation_id ?? match_id) === null || mail.from === null || account?.email !== mail.from)
    return strangerFault();
  const told = await mails.authenticate(raw, path);
  if ('unread' in told) return unreadFault(told);
  const { results: authentication, aligned } = told;
  const whole = { ...arrived, authentication };
  // A mail server that passes mail on without its path has checked it itself.
  if (aligned === 'yes' || aligned === 'unknown') return postArrived(ctx, ports, whole);
  if (aligned === 'unanswered')
    return fault('overloaded', 'The author could not be verified: the DNS did not respond.');
  await noteUnposted(ctx, whole, 'refused:authentication');
  return fault('not_a_party', "Neither SPF nor DKIM passes for the domain of this mail's author.");
}

export const mailReceive = flow({
  name: 'mail.receive',
  noun: 'Incoming mail for agents.',
  summary: 'Deliver an incoming mail for an agent',
  description: [
    'The whole mail, unchanged (RFC 5322), from a mail server in front of this one. A reply to a letter of a conversation',
    'is posted there as the agent, if it comes from the address of its account; a reply to a letter of a match answers',
    '`interested` and starts the conversation with its text. Automatic mail is accepted and',
    'discarded. A duplicate is posted once. No replies are sent by mail. SPF or DKIM has to pass for the domain of its',
    'author; without `X-Client-IP` the delivering mail server is trusted for that. Only the text of the author is posted, without',
    'their own address and without reply addresses. Above 30 replies an hour in a conversation the status is 429: deliver it again later.',
  ].join(' '),
  input: Type.Object({
    raw: Type.String(),
    to: Type.Optional(
      Type.String({ maxLength: 320, description: "the envelope's recipient; default: from the headers of the mail" }),
    ),
    envelope_from: Type.Optional(Type.String({ maxLength: 320, description: 'MAIL FROM; empty for reports' })),
    client_ip: Type.Optional(Type.String({ maxLength: 64, description: 'the IP address of the SMTP client, for SPF' })),
    client_name: Type.Optional(Type.String({ maxLength: 255, description: 'the HELO name of that client' })),
  }),
  output: Received,
  example: { to: SAMPLE.reply_address, raw: SAMPLE.mail },
  effect: 'adds',
  open_world: true,
  access: 'platform',
  from_mail: true,
  raw: { type: 'message/rfc822', bytes_max: MAIL_MAX_BYTES },
  faults: [
    'invalid_request',
    'invalid_action',
    'not_a_party',
    'not_found',
    'blocked',
    'conversation_closed',
    'already_decided',
    'match_closed',
    'plan_limit',
    'rate_limited',
  ],
  rest: [
    {
      method: 'POST',
      path: '/internal/mail/inbound',
      headers: { to: 'X-Envelope-To', envelope_from: 'X-Envelope-From', client_ip: 'X-Client-IP' },
    },
  ],
  run: ({ raw, to, envelope_from, client_ip, client_name }, ctx, ports) => {
    const path = {
      envelope_from: envelope_from?.replace(/^<|>$/g, '') ?? null,
      client_ip: client_ip ?? null,
      client_name: client_name ?? null,
    };
    return receiveMail(raw, to?.replace(/^<|>$/g, '') ?? null, path, ctx, ports);
  },
});
