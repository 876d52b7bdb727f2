// What the whole job takes a person in the web app: forms, fields and presses, and how long the machine keeps them waiting.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { type Counts, firstSteps, otherSide, twoWindows, wholeDeal } from '../support/counted.ts';
import { buildBinary, startBinary } from './binary.ts';
import type { Bench, Job, Row } from './job.ts';
import { median } from './statistics.ts';

const FORMS_MAX = 4;
const FIELDS_MAX = 14;
const WAIT_MAX_MS = 10_000;
const PAID_MAX = 8;
const RELEASED_MAX = 3;
const TARGET = `≤ ${FORMS_MAX} forms, ≤ ${FIELDS_MAX} fields, ≤ ${WAIT_MAX_MS / 1_000} s`;
const FIRST_MATCH = 'code entered to first match';

const said = ({ forms, fields, presses }: Counts, waited_ms: number): string =>
  `${forms} forms, ${fields} fields, ${presses} presses, ${(waited_ms / 1_000).toFixed(1)} s`;

type Walk = Awaited<ReturnType<typeof firstSteps>> & Awaited<ReturnType<typeof wholeDeal>>;

/** The job once, on a server that nobody has used. */
async function walk(bench: Bench, round: number): Promise<Walk> {
  const data_dir = join(bench.folder, `steps-${round}`);
  mkdirSync(data_dir);
  const { port } = await startBinary(bench, data_dir);
  const server = { url: `http://127.0.0.1:${port}`, data_dir };
  const browser = await openBrowser();
  try {
    const [ann, bob] = await twoWindows(browser);
    await otherSide(server, bob, '+14155550162');
    return { ...(await firstSteps(server, ann)), ...(await wholeDeal(server, { ann, bob })) };
  } finally {
    await browser.close();
  }
}

export const stepsJob: Job = {
  name: 'steps',
  about: 'what the whole job takes a person in the web app: forms, fields, presses, and waiting for the machine',
  run: async (bench) => {
    if (!hasBrowser) return [{ job: FIRST_MATCH, ours: 'no browser', target: TARGET, met: null }];
    bench.progress(0, 'building the binary');
    await buildBinary();
    const walks: Walk[] = [];
    for (let round = 0; round < bench.effort.rounds; round++) {
      bench.progress(round / bench.effort.rounds, 'walking through the job');
      walks.push(await walk(bench, round));
    }
    const [first] = walks;
    if (!first) return [];
    const waited = (part: keyof Walk): number => median(walks.map((each) => each[part].waited_ms));
    const { forms, fields } = first.first_match;
    const pressed = (job: string, part: 'paid' | 'released', most: number): Row => ({
      job,
      ours: said(first[part], waited(part)),
      target: `≤ ${most} presses`,
      met: first[part].presses <= most,
    });
    return [
      {
        job: FIRST_MATCH,
        ours: said(first.first_match, waited('first_match')),
        target: TARGET,
        met: forms <= FORMS_MAX && fields <= FIELDS_MAX && waited('first_match') <= WAIT_MAX_MS,
      },
      { job: 'code entered to active agent', ours: said(first.active, waited('active')), target: '', met: null },
      pressed('match to paid escrow, both sides', 'paid', PAID_MAX),
      pressed('delivered to released', 'released', RELEASED_MAX),
    ];
  },
};
