// Hostile strings for tests: the big list of naughty strings where it lies beside the checkout, and always some of our
// own. A checkout elsewhere lacks the list, and says so instead of passing in silence.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dir, '../../../shared/corpora/strings/blns.json');

const OWN = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\udfffb',
  '\u202e',
  '\ufeff',
  '__proto__',
  'constructor',
  'toString',
  '-1',
  'NaN',
];

/** Strings that break naive code; long ones too. */
export function naughtyStrings(): string[] {
  const long = ['a', '-', '.', '@', ',', ' or ', '1-2,', 'é'].map((piece) => piece.repeat(5_000));
  if (!existsSync(FILE)) {
    console.warn(`skipped: the naughty strings are not at ${FILE}`);
    return [...OWN, ...long];
  }
  const listed: unknown = JSON.parse(readFileSync(FILE, 'utf8'));
  const strings = Array.isArray(listed) ? listed.filter((item) => typeof item === 'string') : [];
  return [...OWN, ...long, ...strings];
}
