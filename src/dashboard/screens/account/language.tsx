// The account's language, for the app and the pages.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { LANGUAGES } from '../../../domain/language.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Form } from '../../parts/field.tsx';
import { Section } from '../../parts/show.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { keepLanguage, words } from '../../words/words.ts';

type Own = Output<'account.set_language'>['language'];

function Choosing({ now }: { now: Own }): JSX.Element {
  const { accounts, common } = words;
  const set = useAct('account.set_language');
  const [language, setLanguage] = useState<NonNullable<Own> | 'browser'>(now ?? 'browser');
  const [saved, setSaved] = useState(false);
  const save = async (): Promise<void> => {
    setSaved(false);
    const own = language === 'browser' ? null : language;
    if (!(await set.run({ language: own }))) return;
    if (keepLanguage(own)) location.reload();
    else setSaved(true);
  };
  return (
    <Form onSubmit={save}>
      <Choice
        label={accounts.language}
        value={language}
        options={[
          ['browser', accounts.languages.browser],
          ...LANGUAGES.map((each) => [each, accounts.languages[each]] as const),
        ]}
        onChange={setLanguage}
      />
      <p class="quiet">{accounts.languageWhy}</p>
      <div class="buttons">
        <Button submit busy={set.busy}>
          {common.save}
        </Button>
        {saved && <span role="status">{common.saved}</span>}
      </div>
      {set.error && <Failure error={set.error} />}
    </Form>
  );
}

/** A section of the account's screen. */
export function AccountLanguage(): JSX.Element {
  const own = useRead('account.read', {});
  return (
    <Section title={words.accounts.language}>
      <Loaded of={own}>{({ language }) => <Choosing now={language} />}</Loaded>
    </Section>
  );
}
