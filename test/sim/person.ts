// What one simulated person knows: only what the service told it (keys, tokens, cookies, the names of its agents) or
// what reached its mailbox and its phone.

import type { Authenticator } from '../support/authenticator.ts';

/** What a program holds, on the machine of the person who let it in. */
interface HeldProgram {
  readonly client_id: string;
  readonly grant: Readonly<Record<string, string>>;
}

export interface KnownKey {
  readonly text: string;
  /** Null for a key whose id was never told, as those from signup. */
  readonly id: string | null;
  readonly expires_at: number;
}

export interface KnownSession {
  token: string;
  /** The refresh cookie as the browser sends it. */
  cookie: string;
}

export interface KnownAgent {
  readonly id: string;
  handle: string;
}

export class Person {
  readonly name: string;
  email: string;
  /** The address that it means to move to. */
  moves_to: string | null = null;
  readonly phone: string;
  readonly ip: string;
  readonly domain: string;
  readonly keys: KnownKey[] = [];
  readonly sessions: KnownSession[] = [];
  readonly agents: KnownAgent[] = [];
  /** What was redeemed of a mailed link and not yet made a session. */
  token_hash: string | null = null;
  challenge: string | null = null;
  /** The token of the link that makes the first administrator. */
  set_up: string | null = null;
  /** The key of an agent that it was given without being asked who it is. */
  provisional: string | null = null;
  /** The token of a link that one of its agents made for it. */
  handoff: string | null = null;
  /** Of a program of its own that waits for it. */
  device: { readonly device_code: string; readonly user_code: string } | null = null;
  /** What it means to bring back from another site, and the session that began it. */
  asked: { readonly provider: string; readonly state: string; readonly token: string } | null = null;
  /** The state with which it was sent to the identity provider. */
  departed: string | null = null;
  /** The device that keeps its passkey, made when it first needs one. */
  authenticator: Authenticator | null = null;
  /** What a browser was told to make a passkey of, and the session that asked; and what to sign in with. */
  making: { readonly options: Parameters<Authenticator['make']>[0]; readonly token: string } | null = null;
  showing: Parameters<Authenticator['show']>[0] | null = null;
  /** Programs that it let in, each with what it may trade next; old ones stay. */
  readonly programs: HeldProgram[] = [];
  /** Operations that it means to call next, since the last one led to them. */
  readonly intends: string[] = [];

  constructor(at: number) {
    this.name = `person${at}`;
    this.email = `${this.name}@example.org`;
    this.phone = `+1555000${String(1000 + at)}`;
    this.domain = `${this.name}.example`;
    this.ip = `198.51.100.${at + 1}`;
  }
}
