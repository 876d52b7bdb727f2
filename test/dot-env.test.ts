// Guards that a `$` in a `.env` file changes no setting without a word.
import { expect, test } from 'bun:test';
import { expandedNames } from '../src/config/dot-env.ts';

test('a setting whose value Bun changed is told by name', () => {
  const file =
    'LLM_MODEL=my$model\nSMTP_URL="smtp://a:p$w@mx.example"\nLOG_LEVEL=warn\nLLM_KEY=a\\$b\nOTHER=$x\nSMS_URL=p$\n';
  const env = { LLM_MODEL: 'my', SMTP_URL: 'smtp://a:p@mx.example', LOG_LEVEL: 'warn', LLM_KEY: 'a$b', SMS_URL: 'p$' };
  expect(expandedNames(file, env).sort()).toEqual(['LLM_MODEL', 'SMTP_URL']);
  expect(expandedNames('', env)).toEqual([]);
});
