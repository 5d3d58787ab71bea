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
