// What an agent may send its person to a page for: to finish setting up, to prove who they are, to decide.

export const HANDOFF_PURPOSES = ['onboarding', 'verify', 'approve'] as const;

export type HandoffPurpose = (typeof HANDOFF_PURPOSES)[number];
