import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useWords } from '../words.ts';

const TOLD_MILLISECONDS = 2000;

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label, className }: { text: string; label: string; className: string }) {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), TOLD_MILLISECONDS);
  };
  return (
    <Button className={className} onPress={copy}>
      <span aria-live="polite">{isCopied ? words.copied : label}</span>
    </Button>
  );
}

/** Lets the browser save a file. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
