// Findings from the checks of the database: its file, the ledger, the rows.
import type { FileChecked } from '../../../db/check-thread.ts';
import type { LedgerChecked } from '../../../db/ledger-check/problems.ts';
import type { RowProblem, RowsChecked } from '../../../db/row-check/check.ts';
import { type Finding, inconclusive, warning, well, wrong } from '../../domain/finding.ts';

/** The checks of a database, that of a running service or that of a folder. */
export interface DatabaseChecks {
  ledger(): Promise<LedgerChecked>;
  rows(): Promise<RowsChecked>;
  /** Null where the file is the database server's own matter. */
  readonly file: (() => Promise<FileChecked>) | null;
}

interface DatabaseFound {
  readonly findings: readonly Finding[];
  /** Null where the rows could not be read. */
  readonly rows: RowsChecked | null;
}

const RESTORE =
  'stop the service, keep a copy of DATA_DIR, and restore the newest backup that is right: meshwork backup verify latest, then meshwork backup restore latest';

/** The problems of a kind in one sentence: the first of them, and how many more there are. */
function firstOf(texts: readonly string[]): string {
  const [first = 'nothing is told', ...rest] = texts;
  return rest.length === 0 ? first : `${first}; and ${rest.length} more`;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no reason is known';
}

/** A check that did not finish has no result. */
async function finished<T>(check: string, ask: () => Promise<T>, judge: (checked: T) => Finding): Promise<Finding> {
  try {
    return judge(await ask());
  } catch (error) {
    const again = 'run meshwork doctor again; where the database file is damaged, mend that first';
    return inconclusive(check, textOf(error), again);
  }
}

function judgeFile({ ok, problems }: FileChecked): Finding {
  return ok
    ? well('database file', 'every page was read and holds')
    : wrong('database file', firstOf(problems), RESTORE);
}

function judgeLedger({ ok, accounts, transfers, problems }: LedgerChecked): Finding {
  if (ok) return well('ledger', `right: ${accounts} accounts, ${transfers} transfers, every sealed day as it was`);
  const mend =
    'run meshwork ledger check for the whole list; where a wrong clock sealed days, meshwork ledger reseal; else restore the newest backup that is right';
  return wrong('ledger', firstOf(problems.map(({ about, problem }) => `${about}: ${problem}`)), mend);
}

type Judge = (problems: readonly RowProblem[], text: string) => Finding;

/** Numbers below their head were there once; a head that lies below its last row goes up. */
const gaps =
  (check: string): Judge =>
  (_problems, text) =>
    wrong(check, text, `meshwork doctor --fix lifts a head that is too low; where rows are missing, ${RESTORE}`);

const SUBJECTS: Readonly<
  Record<RowProblem['subject'], { readonly check: string; readonly right: string; readonly judge: Judge }>
> = {
  inboxes: { check: 'inboxes', right: 'no seq is missing, and each head is right', judge: gaps('inboxes') },
  threads: { check: 'threads', right: 'no message is missing, and each head is right', judge: gaps('threads') },
  tasks: { check: 'tasks', right: 'no update is missing, and each state is its last', judge: gaps('tasks') },
  owners: {
    check: 'owners',
    right: 'each row has its owner',
    judge: (_problems, text) =>
      warning('owners', text, 'these rows have no owner; report them with the output of meshwork doctor --json'),
  },
  index: {
    check: 'vector index',
    right: 'it holds the vectors of all listings',
    judge: (_problems, text) => warning('vector index', text, 'meshwork doctor --fix makes it from the rows'),
  },
};

function judgeRows({ problems }: RowsChecked): Finding[] {
  return Object.entries(SUBJECTS).map(([subject, { check, right, judge }]) => {
    const own = problems.filter((each) => each.subject === subject);
    if (own.length === 0) return well(check, right);
    return judge(own, firstOf(own.map(({ about, problem }) => `${about}: ${problem}`)));
  });
}

/** Makes all checks of a database, one after the other: each reads much of it. */
export async function examineDatabase({ file, ledger, rows }: DatabaseChecks): Promise<DatabaseFound> {
  const findings: Finding[] = [];
  if (file) findings.push(await finished('database file', file, judgeFile));
  findings.push(await finished('ledger', ledger, judgeLedger));
  try {
    const checked = await rows();
    return { findings: [...findings, ...judgeRows(checked)], rows: checked };
  } catch (error) {
    const mend = 'run meshwork doctor again; where the database file is damaged, mend that first';
    return { findings: [...findings, inconclusive('rows', textOf(error), mend)], rows: null };
  }
}
