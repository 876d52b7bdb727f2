// Why a backup cannot be made, read or restored, as one line for the caller.

export class BackupProblem extends Error {}

/** It cannot be decrypted with the configured passphrase. */
export class BackupLocked extends BackupProblem {}
