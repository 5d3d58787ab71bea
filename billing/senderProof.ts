import { problemBackoff } from './backoff.ts';
import { visibleLine } from './visibleText.ts';

/** `pending`: the DNS never had the key of the sender. `lost`: it had it once. Only mails of a `proved` sender come from its address. */
export const senderStates = ['pending', 'proved', 'lost'] as const;
export type SenderState = (typeof senderStates)[number];

/** The answer of DNS for TXT records of a name, each with its parts joined; or why there was no answer. */
export type TextAnswer = { texts: string[] } | { failure: string };

/** Result of a look at the DNS. `missing`: an answer without the key. `unknown`: no answer. `words`: for people. */
export interface Finding {
  kind: 'found' | 'missing' | 'unknown';
  words: string;
}

/** The key of a sender in the DNS. */
export interface PublishedKey {
  domain: string;
  selector: string;
  publicKey: string;
}

/** Name of the TXT record that publishes a key (RFC 6376). */
export const recordName = ({ domain, selector }: Omit<PublishedKey, 'publicKey'>): string =>
  `${selector}._domainkey.${domain}`;

/** Value of that record. */
export const recordValue = ({ publicKey }: Pick<PublishedKey, 'publicKey'>): string => `v=DKIM1; k=rsa; p=${publicKey}`;

const MOST_SHOWN = 80;

/** Whether the DNS has the key of a sender. A record may have further tags. */
export function findKey(key: PublishedKey, answer: TextAnswer): Finding {
  const name = recordName(key);
  if ('failure' in answer) return { kind: 'unknown', words: `No answer about ${name}: ${answer.failure}` };
  const { texts } = answer;
  if (texts.some((text) => publishes(text, key.publicKey)))
    return { kind: 'found', words: `The TXT record ${name} has the key` };
  const [first] = texts;
  if (first === undefined) return { kind: 'missing', words: `There is no TXT record ${name}` };
  const shown = visibleLine(first).slice(0, MOST_SHOWN);
  return { kind: 'missing', words: `The TXT record ${name} does not have the key of the sender. It has: ${shown}` };
}

function publishes(text: string, publicKey: string): boolean {
  const tags = new Map(
    text.split(';').map((tag) => {
      const [name = '', ...value] = tag.split('=');
      return [name.trim(), value.join('=').replace(/\s/g, '')] as const;
    }),
  );
  const { v = 'DKIM1', k = 'rsa', p } = Object.fromEntries(tags);
  return v === 'DKIM1' && k === 'rsa' && p === publicKey;
}

/** How far a sender is proved. */
export interface SenderProof {
  /** When the DNS last had the key; null: never. */
  foundAt?: Date | null | undefined;
  /** When the proof was lost; null: it was not. */
  lostAt?: Date | null | undefined;
  /** Looks since then that did not find the key. */
  misses: number;
}

export function stateOf({ foundAt, lostAt }: Pick<SenderProof, 'foundAt' | 'lostAt'>): SenderState {
  if (!foundAt) return 'pending';
  return lostAt ? 'lost' : 'proved';
}

const DAY = 86_400_000;
/** Time for which a proved sender stays proved when DNS does not answer. */
const PATIENCE = 3 * DAY;

/**
 * The proof after a look, and when to look next: a day after a look that found the key, otherwise sooner, with a back-off. An answer without
 * the key ends a proof at once.
 */
export function proofAfter(
  proof: SenderProof,
  { kind }: Pick<Finding, 'kind'>,
  now: Date,
): Required<SenderProof> & { nextLookAt: Date } {
  if (kind === 'found') return { foundAt: now, lostAt: null, misses: 0, nextLookAt: new Date(now.getTime() + DAY) };
  const { foundAt = null, lostAt = null } = proof;
  const misses = proof.misses + 1;
  const isTrusted = kind === 'unknown' && foundAt !== null && now.getTime() - foundAt.getTime() < PATIENCE;
  const isLost = stateOf(proof) === 'proved' && !isTrusted;
  const nextLookAt = new Date(now.getTime() + problemBackoff(misses));
  return { foundAt, lostAt: isLost ? now : lostAt, misses, nextLookAt };
}
