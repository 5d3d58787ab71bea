import type { Presented } from '../kernel/values.ts';
import { type EventWords, say, type Telling, text } from './eventFacts.ts';

/** A mail in words: "reminder mailed to ann@example.com". An erased address is left out. */
export function mailInWords({ template, cause, to, state, reason }: Presented, telling: Telling): EventWords {
  const { mail: words, by } = telling.words;
  const names: Readonly<Record<string, string>> = words.names;
  const causes: Readonly<Record<string, string>> = words.causes;
  const mail = names[text(template)] ?? words.mail;
  const why = causes[text(cause)] ?? by.itself;
  const address = text(to);
  const addressed = address ? say(telling, words.addressed, { mail, address }) : mail;
  if (state === 'queued') return { what: say(telling, words.queued, { mail: addressed }), why: text(reason) || why };
  if (reason === null)
    return {
      what: address ? say(telling, words.mailedTo, { mail, address }) : say(telling, words.mailed, { mail }),
      why,
    };
  const outcome = { bounced: words.bounced, failed: words.failed }[text(state)] ?? words.sentBut;
  return { what: say(telling, outcome, { mail: addressed, reason: text(reason) }), why: words.told };
}
