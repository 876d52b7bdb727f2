// Lets everything else that waits for the event loop go first: between the parts of what would hold it long in one piece.

export const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
