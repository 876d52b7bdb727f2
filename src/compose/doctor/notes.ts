// Findings from the service's own notes: the clock, its secrets, its backups, the programs that asked for access.
import type { ProgramStep, RowsChecked } from '../../../db/row-check/check.ts';
import { type Finding, inconclusive, warning, well, wrong } from '../../domain/finding.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { checkValues, loadedSecrets, SECRETS_NOTE, strangeAmong } from '../../outbound/secrets.ts';
import { BACKUP_NOTE, type BackupStanding } from '../../steps/backup/standing.ts';

type Notes = RowsChecked['notes'];

const BACK_MS = 60_000;

/** Compares the clock with the newest commit, for a folder without a running service. */
export function judgeClock(notes: Notes, now_ms: number): Finding {
  const newest_ms = Number(notes['clock']?.['newest_ms'] ?? 0);
  if (now_ms >= newest_ms - BACK_MS) return well('clock', 'it is not before the newest commit');
  const found = `it is ${Math.round((newest_ms - now_ms) / 1000)} s before the newest commit`;
  return warning('clock', found, 'set the clock; nothing is sealed or pruned until it has passed the newest commit');
}

/** Compares the files of DATA_DIR with the check values in the database. */
export async function judgeSecrets(data_dir: string, notes: Notes): Promise<Finding> {
  const check = 'secrets';
  const mend =
    'put the files back that were copied with this database, or give up what hangs on them: meshwork serve --new-secrets';
  try {
    const secrets = await loadedSecrets(data_dir);
    const values = checkValues(secrets);
    const known = notes[SECRETS_NOTE] ?? {};
    const strange = strangeAmong(known, values);
    const missing = secrets.made.filter((name) => name in values && known[name] !== undefined);
    const told = [
      ...missing.map((name) => `${name} is missing`),
      ...strange.filter((name) => !missing.includes(name)).map((name) => `${name} is another one`),
    ];
    return told.length > 0 ? wrong(check, told.join(', '), mend) : well(check, 'they are those of this database');
  } catch (error) {
    return wrong(check, error instanceof Error ? error.message : 'they cannot be read', mend);
  }
}

/** A program without a next step after this time is stuck. */
const STUCK_MS = HOUR_MS;
const NEXT: Readonly<Partial<Record<ProgramStep['step'], string>>> = {
  registered:
    'no person let it in: look at the address to which it sends them, and at the redirect_uri, which must be one that it registered',
  'let in':
    'it never traded its code: it must reach POST /oauth/token within the life of the code, with its code_verifier',
  'code traded':
    'it never called with its token: it must send it as Authorization: Bearer to the address that it asked for',
};

/** Programs that asked for access, and the last step of the newest. */
export function judgePrograms(programs: readonly ProgramStep[], now_ms: number): Finding[] {
  const check = 'programs';
  if (programs.length === 0) return [well(check, 'none asked for access lately')];
  const stuck = programs.filter(({ step, at_ms }) => step in NEXT && now_ms - at_ms > STUCK_MS);
  const going = well(
    check,
    `${programs.length} asked for access lately, ${programs.length - stuck.length} of them came through or are on their way`,
  );
  return [
    going,
    ...stuck.map(({ name, id, step, at_ms }) =>
      warning(
        check,
        `${name} (${id}) came to "${step}" on ${new Date(at_ms).toISOString()} and no further`,
        NEXT[step] ?? '',
      ),
    ),
  ];
}

/** An older backup is reported. */
const OLD_MS = 2 * DAY_MS;

/** The last backup and its verification, by the backups' note. */
export function judgeBackup(notes: Notes, now_ms: number): Finding {
  const check = 'backup';
  // As src/compose/backup/record.ts writes it.
  const { last, proof, failure } = (notes[BACKUP_NOTE] ?? {}) as Partial<BackupStanding>;
  const mend = 'meshwork backup create, and set BACKUP_SCHEDULE';
  if (failure) return wrong(check, `the last try made none: ${failure.reason}`, 'meshwork backup create says why, too');
  if (!last) return warning(check, 'none was made', mend);
  const made = `the last one was made on ${new Date(last.made_at).toISOString()}`;
  if (now_ms - last.made_at > OLD_MS) return warning(check, made, mend);
  const result = proof?.name === last.name ? proof.result : 'inconclusive';
  if (result === 'wrong')
    return wrong(check, `${made}, and does not hold`, 'meshwork backup create, then meshwork backup verify latest');
  if (result !== 'ok') return inconclusive(check, `${made}, and was not proved`, 'meshwork backup verify latest');
  return well(check, `${made} and was proved`);
}
