// Prints the closing line, `N passed, N failed` (and `, N skipped`), from a JUnit report, and exits non-zero on any
// failure. Arguments: the report, the exit status of the test run, and how many further steps failed.

import { readFileSync } from 'node:fs';

const [report, testsStatus, failedSteps] = process.argv.slice(2);

/** The totals stand on the outermost element; a missing or broken report counts as one failure. */
function totals() {
  try {
    const [root] = /<testsuites\b[^>]*>/.exec(readFileSync(report, 'utf8'));
    const count = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(root)?.[1] ?? 0);
    return { tests: count('tests'), failed: count('failures') + count('errors'), skipped: count('skipped') };
  } catch {
    console.error(`no readable report at ${report}`);
    return { tests: 0, failed: 0, skipped: 0 };
  }
}

const { tests, failed, skipped } = totals();
// Types, lint or a crash make the run fail without a failed test in the report.
const unreported = Number(testsStatus) !== 0 && failed === 0 ? 1 : 0;
const failures = failed + unreported + Number(failedSteps);
console.log(`${tests - failed - skipped} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failures > 0 || tests === 0 ? 1 : 0;
