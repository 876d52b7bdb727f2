// Why a backup cannot be made, read or put in place, as one line for whoever asked.

export class BackupProblem extends Error {}

/** It cannot be opened with the passphrase that is set; nothing is known of what is in it. */
export class BackupLocked extends BackupProblem {}
