// The purposes for which an agent may send its person to a page: finish the set-up, prove their identity, decide.

export const HANDOFF_PURPOSES = ['onboarding', 'verify', 'approve'] as const;

export type HandoffPurpose = (typeof HANDOFF_PURPOSES)[number];
