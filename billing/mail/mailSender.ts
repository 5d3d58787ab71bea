import { visibleLine } from '../look/visibleText.ts';
import { Refusal } from '../refusal.ts';
import { problemBackoff } from '../wait.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** The last label of a domain is no number, so that no IP address passes. */
const DOMAIN = new RegExp(`^(?=.{3,253}$)(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,57}[a-z0-9])$`);
const SELECTOR = new RegExp(`^(?=.{1,63}$)${LABEL}(?:\\.${LABEL})*$`);

/** The address that mails come from, and the name of the key that signs them. */
export interface MailSenderNames {
  address: string;
  /** In lower case. */
  domain: string;
  selector: string;
}

/**
 * Checks a sender's names, which are in lower case. The address must belong to the domain of the key, so that receivers trust the
 * signature.
 */
export function checkSender({ address, domain, selector }: MailSenderNames): void {
  if (!DOMAIN.test(domain))
    throw new Refusal('parameter_invalid', `Domain must be a name such as example.com: ${domain}`, 'domain');
  if (!SELECTOR.test(selector))
    throw new Refusal('parameter_invalid', `Selector must be a name such as mail2027: ${selector}`, 'selector');
  if (address.slice(address.lastIndexOf('@') + 1).toLowerCase() !== domain)
    throw new Refusal(
      'parameter_invalid',
      `Address must be of the domain of the key, ${domain}: ${address}`,
      'address',
    );
}

/** The form of an email address. */
export const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;

/** `pending`: the DNS never had the key of the sender. `lost`: it had it once. Only mails of a `proved` sender come from its address. */
export const senderStates = ['pending', 'proved', 'lost'] as const;
export type SenderState = (typeof senderStates)[number];

/** The answer of DNS for TXT records of a name, each with its parts joined; or why there was no answer. */
export type TextAnswer = { texts: string[] } | { failure: string };

/** Result of a DNS check. `missing`: an answer without the key, or with one that mail services do not accept. `unknown`: no answer. `words`: for people. */
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

/** Whether the DNS has the key of a sender, in a record that mail services accept for its mails. */
export function findKey(key: PublishedKey, answer: TextAnswer): Finding {
  const name = recordName(key);
  if ('failure' in answer) return { kind: 'unknown', words: `No answer about ${name}: ${answer.failure}` };
  const { texts } = answer;
  const has = texts.filter((text) => tagsOf(text).p === key.publicKey);
  if (has.some(isAccepted)) return { kind: 'found', words: `The TXT record ${name} has the key` };
  const [first] = has.length > 0 ? has : texts;
  if (first === undefined) return { kind: 'missing', words: `There is no TXT record ${name}` };
  const shown = visibleLine(first).slice(0, MOST_SHOWN);
  const wrong =
    has.length > 0
      ? 'has the key, but mail services do not accept its other tags'
      : 'does not have the key of the sender';
  return { kind: 'missing', words: `The TXT record ${name} ${wrong}. It has: ${shown}` };
}

type Tags = Readonly<Record<string, string>>;

const tagListOf = (text: string): [name: string, value: string][] =>
  text.split(';').map((tag) => {
    const [name = '', ...value] = tag.split('=');
    return [name.trim(), value.join('=').replace(/\s/g, '')];
  });

const tagsOf = (text: string): Tags => Object.fromEntries(tagListOf(text));

/** Whether a record is for RSA keys, for signatures by SHA-256 (`h`) and for email (`s`). Its version comes first, no tag twice (RFC 6376, 3.2 and 3.6.1). */
function isAccepted(text: string): boolean {
  const names = tagListOf(text).map(([name]) => name);
  const { v = 'DKIM1', k = 'rsa', h = 'sha256', s = '*' } = tagsOf(text);
  const services = listOf(s);
  return (
    v === 'DKIM1' &&
    names.indexOf('v') <= 0 &&
    new Set(names).size === names.length &&
    k === 'rsa' &&
    listOf(h).includes('sha256') &&
    (services.includes('*') || services.includes('email'))
  );
}

const listOf = (value: string): string[] => value.toLowerCase().split(':');

/** How far a sender is proved. */
export interface SenderProof {
  /** When the DNS last had the key; null: never. */
  foundAt?: Date | null | undefined;
  /** When the proof was lost; null: it was not. */
  lostAt?: Date | null | undefined;
  /** Checks since then that did not find the key. */
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
 * The proof after a check, and when to check next: a day after a check that found the key, otherwise sooner, with a back-off. An answer without
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
