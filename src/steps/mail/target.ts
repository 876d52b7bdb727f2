// Where an incoming mail belongs: the token in its address names an agent and a conversation, else the letter that it answers.
// Unknown addresses and tokens get one answer, so that it does not reveal which exist. And the facts that a letter needs.
import { agentById } from '../../../db/queries/agent.ts';
import { lettersOfAgent, replyTokenById } from '../../../db/queries/mail.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { parseReadMarks } from '../../domain/inbox/inbox.ts';
import { DEFAULT_SETTINGS, type NotificationSettings } from '../../domain/inbox/notification-settings.ts';
import { languageFor } from '../../domain/language.ts';
import { type Mailbox, parseMailbox } from '../../domain/mail/mailbox.ts';
import { agentByHandle, isSeen } from '../agent/find.ts';
import { type AskedLetter, type LetterFacts, letterId, readAsked } from './letter.ts';
import { messageIdRow, tokenId } from './reply-address.ts';

/** Both are null for a mail to an agent's mailbox that answers none of its letters. */
export interface Target {
  readonly agent: Row<'agents'>;
  readonly conversation_id: string | null;
  /** The match that the letter was about, unanswered at that time. */
  readonly match_id: string | null;
}

async function livingAgent(read: Read, id: string): Promise<Row<'agents'> | null> {
  const agent = await read(agentById, { id });
  return agent && agent.deactivated_at === null ? agent : null;
}

function targetOf(agent: Row<'agents'>, { conversation_id, match_id }: Row<'reply_tokens'>): Target {
  return { agent, conversation_id: match_id === null ? conversation_id : null, match_id };
}

/** The subject of the nearest answered letter of the agent (of any agent when none is named). */
async function answeredTarget(
  read: Read,
  answers: readonly string[],
  agent: Row<'agents'> | null,
  now_ms: number,
): Promise<Target | null> {
  for (const message_id of answers) {
    const row = await read(replyTokenById, { id: messageIdRow(message_id) });
    if (!row || row.expires_at <= now_ms || (agent && row.agent_id !== agent.id)) continue;
    const owner = agent ?? (await livingAgent(read, row.agent_id));
    if (owner) return targetOf(owner, row);
  }
  return null;
}

/** Where a mail to `mailbox` leads; null when there is no such mailbox or token. */
export async function mailTarget(
  read: Read,
  mailbox: Mailbox | null,
  answers: readonly string[],
  now_ms: number,
): Promise<Target | null> {
  if (!mailbox) return answeredTarget(read, answers, null, now_ms);
  // After a rename the old handle still leads to its agent, for as long as it redirects (Q25).
  const agent = await agentByHandle(read, mailbox.handle, now_ms);
  // The platform's agent reads no mail.
  if (!agent || agent.deactivated_at !== null || agent.kind === 'platform') return null;
  if (mailbox.token === null) {
    return (await answeredTarget(read, answers, agent, now_ms)) ?? { agent, conversation_id: null, match_id: null };
  }
  const row = await read(replyTokenById, { id: tokenId(mailbox.token) });
  if (!row || row.expires_at <= now_ms || row.agent_id !== agent.id) return null;
  return targetOf(agent, row);
}

/** Whether mail to an address is accepted, asked before its text is sent. A mailbox without a token exists only while its
 * agent's profile is visible. */
export async function takesMail(read: Read, address: string, mail_domain: string, now_ms: number): Promise<boolean> {
  const mailbox = parseMailbox(address, mail_domain);
  if (!mailbox) return false;
  const target = await mailTarget(read, mailbox, [], now_ms);
  return target !== null && (mailbox.token !== null || isSeen(target.agent, 'profile'));
}

/** The mailbox among a mail's addresses; one with a token before one without. */
export function mailboxAmong(addresses: readonly string[], mail_domain: string): Mailbox | null {
  const own = addresses.map((address) => parseMailbox(address, mail_domain)).filter((mailbox) => mailbox !== null);
  return own.find(({ token }) => token !== null) ?? own[0] ?? null;
}

type FactRow = ReturnType<typeof lettersOfAgent.shape>[number];

function settingsOfFacts({ email, digest, push, quiet_hours, mute }: FactRow): NotificationSettings {
  if (email === null || digest === null || push === null || mute === null) return DEFAULT_SETTINGS;
  return { email, digest, push, quiet_hours, mute };
}

function markOf({ agent_id: id, mark_version: version, seen, told_at: at }: FactRow): LetterFacts['mark'] {
  return version === null || seen === null || at === null ? null : { id, version, seen, at };
}

function presenceOf({ last_seen_at, samples, streams }: FactRow) {
  return last_seen_at === null || samples === null ? null : { last_seen_at, samples, streams };
}

function askedLettersOf({ reminder_id: id, reminder_version: version, input }: FactRow): AskedLetter[] {
  return id === null || version === null || input === null ? [] : [{ id, version, ...readAsked({ input }) }];
}

/** The facts for letters about an agent; null when there is no such agent. The caller checks the mark's version at commit. */
export async function letterFacts(
  read: Pick<Read, 'peek'>,
  { presenceWith }: Pick<LoadPorts, 'presenceWith'>,
  agent_id: string,
): Promise<LetterFacts | null> {
  const ids = { first: letterId(agent_id, null), end: afterLetters(agent_id) };
  const rows = await read.peek(lettersOfAgent, { id: agent_id, ...ids });
  const [row] = rows;
  if (!row) return null;
  const { account_id, handle, display_name, wake, deactivated_at, to, ranges, noticed } = row;
  return {
    agent: { id: agent_id, account_id, handle, display_name, wake, deactivated_at },
    to,
    language: languageFor(row),
    settings: settingsOfFacts(row),
    mark: markOf(row),
    hasRead: { agent: parseReadMarks(ranges ?? ''), person: parseReadMarks(noticed ?? '') },
    streaming: presenceWith(agent_id, presenceOf(row)).streaming,
    asked: rows.flatMap(askedLettersOf),
  };
}

/** Sorts after all of an agent's letters. */
const afterLetters = (agent_id: string): string => `${letterId(agent_id, null)};`;
