// Code in several variants, one displayed, with a copy button.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Snippet } from '../snippets.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { Segments } from './show.tsx';

const COPIED_MS = 4_000;

export function Snippets({ label, of }: { label: string; of: readonly Snippet[] }): JSX.Element | null {
  const { common, developer } = words;
  const [name, setName] = useState(of[0]?.name ?? '');
  const [copied, setCopied] = useState(false);
  const shown = of.find((each) => each.name === name) ?? of[0];
  if (!shown) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(shown.text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div class="snippet">
      {of.length > 1 && (
        <Segments
          label={label}
          value={shown.name}
          options={of.map((each) => [each.name, each.name])}
          onChange={setName}
        />
      )}
      {shown.file !== undefined && (
        <p class="quiet">
          {developer.inFile} <code>{shown.file}</code>
        </p>
      )}
      <pre>{shown.text}</pre>
      <div class="buttons">
        <Button onClick={copy}>{copied ? common.copied : common.copy}</Button>
      </div>
    </div>
  );
}
