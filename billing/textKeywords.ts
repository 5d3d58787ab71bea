/** A message that a person sent: it stops texts to its number, allows them again, or asks for help. Null: anything else. */
export type TextKeyword = 'stop' | 'start' | 'help';

/** The words that Twilio and the carriers know, too. */
const keywords: Readonly<Record<TextKeyword, readonly string[]>> = {
  stop: ['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout'],
  start: ['start', 'yes', 'unstop'],
  help: ['help', 'info'],
};

const kinds = ['stop', 'start', 'help'] as const;

/** The keyword of a received message that consists of one known word. `provider`: the keyword that the provider has found by its own list. */
export function keywordOf(received: string, provider: string | null): TextKeyword | null {
  const said = kinds.find((kind) => kind === provider?.toLowerCase());
  if (said) return said;
  const word = received
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return kinds.find((kind) => keywords[kind].includes(word)) ?? null;
}
