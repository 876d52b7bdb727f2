// A secret that is shown once: its text, a way to take it along, and an end.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';

/** What somebody has to keep now; `text` says what it is and that it is not shown again. */
export function Secret({ text, secret, close }: { text: string; secret: string; close: () => void }): JSX.Element {
  const { common } = words;
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(secret).then(() => setCopied(true));
  };
  return (
    <div class="notice" role="status">
      <p>{text}</p>
      <p>
        <code>{secret}</code>
      </p>
      <div class="buttons">
        <Button main onClick={copy}>
          {copied ? common.copied : common.copy}
        </Button>
        <Button onClick={close}>{common.close}</Button>
      </div>
    </div>
  );
}
