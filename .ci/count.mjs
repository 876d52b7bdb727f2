// Prints the closing line, `N passed, N failed` (and `, N skipped`), from JUnit reports, and exits non-zero on any failure.
// Before it stands a line for each skipped test, since a gap that nobody sees is no skip but a hole, and one for each that failed:
// who reads the end of a long log alone learns why. Arguments: the exit status of the test run, how many further steps failed,
// and the reports.

import { readFileSync } from 'node:fs';

const [testsStatus, failedSteps, ...reports] = process.argv.slice(2);

/** Failures that are told, of each report. */
const TOLD_MAX = 60;

const attribute = (name, inside) => new RegExp(`\\b${name}="([^"]*)"`).exec(inside)?.[1] ?? '';

function tellFailures(report, text) {
  const found = [...text.matchAll(/<testcase\b([^>]*)>\s*<(?:failure|error)\b([^>]*)>/g)];
  for (const [, attributes, reason] of found.slice(0, TOLD_MAX)) {
    const why = attribute('message', reason).replaceAll('&#10;', ' ').replaceAll(/\s+/g, ' ').slice(0, 300);
    const said = [attribute('file', attributes), attribute('classname', attributes), attribute('name', attributes), why];
    console.log(`failed in ${report}: ${said.filter(Boolean).join(': ')}`);
  }
  if (found.length > TOLD_MAX) console.log(`and ${found.length - TOLD_MAX} more failed in ${report}`);
}

/** The totals stand on the outermost element; a missing or broken report counts as one failure. */
function totals(report) {
  try {
    const text = readFileSync(report, 'utf8');
    const [root] = /<testsuites\b[^>]*>/.exec(text);
    const count = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(root)?.[1] ?? 0);
    for (const [, attributes, reason] of text.matchAll(/<testcase\b([^>]*)>\s*<skipped\b([^>]*)>/g)) {
      const said = [attribute('file', attributes), attribute('name', attributes), attribute('message', reason)];
      console.log(`skipped in ${report}: ${said.filter(Boolean).join(': ')}`);
    }
    tellFailures(report, text);
    return { tests: count('tests'), failed: count('failures') + count('errors'), skipped: count('skipped') };
  } catch {
    console.error(`no readable report at ${report}`);
    return { tests: 0, failed: 1, skipped: 0 };
  }
}

let [passed, failed, skipped] = [0, 0, 0];
for (const report of reports) {
  const found = totals(report);
  passed += Math.max(found.tests - found.failed - found.skipped, 0);
  failed += found.failed;
  skipped += found.skipped;
}
// Types, lint or a crash make the run fail without a failed test in the report.
if (Number(testsStatus) !== 0 && failed === 0) failed += 1;
failed += Number(failedSteps);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
