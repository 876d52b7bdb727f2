// Makes what was written or renamed in a folder outlive a loss of power.
import { open } from 'node:fs/promises';

/** What some file systems of networks and user space answer: they have no such call for a folder. */
const UNKNOWN_CALL: readonly string[] = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'];

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && UNKNOWN_CALL.includes(String(error.code)))) throw error;
  } finally {
    await handle.close();
  }
}
