// The revisions of the Model Context Protocol that are spoken, and what tells them apart here.

/** How a revision begins: with a handshake, after which a header names it, or not at all: each request says everything. */
export type Era = 'handshake' | 'stateless';

export interface Revision {
  readonly version: string;
  readonly era: Era;
  /** Whether its tools have titles and output schemas, and their results structured content. */
  readonly structured: boolean;
}

/** What is spoken where nothing is said, as the transport of 2025-03-26 had no header for it. */
export const UNSAID_REVISION: Revision = { version: '2025-03-26', era: 'handshake', structured: false };

/** What a handshake comes to when it asks for one that nobody knows. */
export const NEWEST_HANDSHAKE: Revision = { version: '2025-11-25', era: 'handshake', structured: true };

/** All, newest first. */
const REVISIONS: readonly Revision[] = [
  { version: '2026-07-28', era: 'stateless', structured: true },
  NEWEST_HANDSHAKE,
  { version: '2025-06-18', era: 'handshake', structured: true },
  UNSAID_REVISION,
  { version: '2024-11-05', era: 'handshake', structured: false },
];

/** Their names, newest first. */
export const VERSIONS: readonly string[] = REVISIONS.map(({ version }) => version);

export function revisionOf(version: string, era: Era): Revision | undefined {
  return REVISIONS.find((each) => each.version === version && each.era === era);
}
