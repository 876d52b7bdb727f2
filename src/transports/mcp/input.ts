// What a handler may say in place of a result: that it needs something of the client first. It is called again with what the
// client gave and what it wanted to remember, and begins anew, as the revision without sessions has it (MCP 2026-07-28, multi
// round-trip requests). The older ones are asked on the stream of their call; the handler knows nothing of the difference.

import type { Json } from '../../domain/json.ts';

export interface ClientRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Json;
}

/** What a client is asked for before a call goes on. */
export interface InputNeeded {
  /** By names of the handler's own, under which the answers come back. */
  readonly needs: Readonly<Record<string, ClientRequest>>;
  /** What it wants to be told again; anybody may read it, and nobody can change it. */
  readonly state?: unknown;
}

/** What came of an earlier round of the same call. */
export interface Round {
  /** What the client gave, by the handler's names; one that it refused is left out. */
  readonly responses: Readonly<Record<string, Json>>;
  /** What was remembered; undefined in the first round. */
  readonly state: unknown;
}

/** Whether a handler asks before it answers. */
export function isInputNeeded(outcome: unknown): outcome is InputNeeded {
  return typeof outcome === 'object' && outcome !== null && 'needs' in outcome;
}

/** The capability by which a client says that it takes such a request. */
export function capabilityOf({ method }: ClientRequest): 'elicitation' | 'sampling' | 'roots' {
  switch (method) {
    case 'elicitation/create':
      return 'elicitation';
    case 'sampling/createMessage':
      return 'sampling';
    case 'roots/list':
      return 'roots';
  }
}
