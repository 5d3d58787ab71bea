import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { checkSender } from '../../billing/mail/mailSender.ts';
import { Refusal } from '../../billing/refusal.ts';
import { brokenUnique } from '../../db/failure.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { ProblemSubject } from '../../db/queries/processes/problems.ts';
import { MailSender } from '../../db/schema/mailSender.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { Missing } from '../kernel/missing.ts';
import { closeProblemOf } from '../kernel/problems.ts';
import { wakeMailPump } from '../kernel/waking.ts';
import type { Cipher } from '../ports/ports.ts';

interface SenderFields {
  address: string;
  domain: string;
  selector: string;
  privateKey: string;
}

export interface NewMailSender extends SenderFields {
  caller: Caller;
  cipher: Cipher;
}

/**
 * Adds the address from which an account sends mail. The mail pump checks the DNS for its key at once. Refuses a second sender, a key that
 * cannot sign, and an address of another domain.
 */
export async function createMailSender(em: EntityManager, input: NewMailSender, systemNow: Date): Promise<MailSender> {
  const { caller, cipher, address, selector: named, privateKey } = input;
  const [domain, selector] = [input.domain.toLowerCase(), named.toLowerCase()];
  checkSender({ address, domain, selector });
  const key = readKey(privateKey);
  const { mail_sender: id } = await reserveIds(em, 'mail_sender');
  wakeMailPump(em, caller.account.id, systemNow);
  const created = em.create(MailSender, {
    accountId: caller.account.id,
    id,
    address,
    domain,
    selector,
    sealedPrivateKey: cipher.encrypt(key.privateKey),
    publicKey: key.publicKey,
    nextLookAt: systemNow,
    createdAt: systemNow,
    updatedAt: systemNow,
  });
  try {
    await em.write();
  } catch (error) {
    if (brokenUnique(error) !== 'mail_sender_once') throw error;
    throw new Refusal('already_taken', 'Account has a mail sender already: change it, or delete it first');
  }
  return created;
}

export interface MailSenderKey {
  caller: Caller;
  id: number;
}

export type MailSenderChange = MailSenderKey & { cipher: Cipher } & {
  [Name in keyof SenderFields]: SenderFields[Name] | undefined;
};

/**
 * Changes the sender, or replaces its key. Another key, domain or selector has to be found in the DNS before mails come from the address again.
 * Refuses what `createMailSender` refuses. Throws Missing.
 */
export async function updateMailSender(
  em: EntityManager,
  change: MailSenderChange,
  systemNow: Date,
): Promise<MailSender> {
  const { cipher, address, privateKey } = change;
  const sender = await lockMailSender(em, change);
  const [domain, selector] = [change.domain?.toLowerCase(), change.selector?.toLowerCase()];
  checkSender({
    address: address ?? sender.address,
    domain: domain ?? sender.domain,
    selector: selector ?? sender.selector,
  });
  const key = privateKey === undefined ? null : readKey(privateKey);
  if (key) Object.assign(sender, { sealedPrivateKey: cipher.encrypt(key.privateKey), publicKey: key.publicKey });
  const isOtherKey = assignChanges(sender, { domain, selector }) || key !== null;
  if (!assignChanges(sender, { address }) && !isOtherKey) return sender;
  sender.updatedAt = systemNow;
  if (isOtherKey) await startProof(em, sender, systemNow);
  return sender;
}

/** A changed key is not proved: the DNS is checked at once. */
async function startProof(em: EntityManager, sender: MailSender, systemNow: Date): Promise<void> {
  const unproved = { foundAt: null, lostAt: null, misses: 0, lookedAt: null, finding: null };
  em.assign(sender, { ...unproved, nextLookAt: systemNow });
  await closeProblemOf(em, senderSubject(sender), systemNow);
  wakeMailPump(em, sender.accountId, systemNow);
}

/** The sender as the subject of a problem. */
export function senderSubject({ accountId, id }: MailSender): ProblemSubject {
  return { accountId, subjectType: 'mail_sender', subjectId: id };
}

/** Deletes a sender and its key. Mails come from the deployment's address again. Throws Missing. */
export async function deleteMailSender(em: EntityManager, key: MailSenderKey, systemNow: Date): Promise<MailSender> {
  const sender = await lockMailSender(em, key);
  await closeProblemOf(em, senderSubject(sender), systemNow);
  return Object.assign(sender, { sealedPrivateKey: null, deletedAt: systemNow, updatedAt: systemNow });
}

/** A sender of an account. Throws Missing. */
export async function findMailSender(em: EntityManager, { caller, id }: MailSenderKey): Promise<MailSender> {
  const sender = await em.findOne(MailSender, { accountId: caller.account.id, id, deletedAt: null });
  if (!sender) throw new Missing('Mail sender', id);
  return sender;
}

async function lockMailSender(em: EntityManager, { caller, id }: MailSenderKey): Promise<MailSender> {
  const sender = await lockRow(em, MailSender, { accountId: caller.account.id, id });
  if (!sender || sender.deletedAt) throw new Missing('Mail sender', id);
  return sender;
}

const LEAST_BITS = 2048;
const MOST_BITS = 4096;

/** The private key as PKCS#8, and the public one as base64. Refuses any other key than RSA of 2,048 to 4,096 bits. */
function readKey(text: string): { privateKey: string; publicKey: string } {
  const key = parsed(text);
  const bits = key.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
  if (bits < LEAST_BITS || bits > MOST_BITS)
    throw new Refusal(
      'parameter_invalid',
      `Private key must be an RSA key of ${LEAST_BITS} to ${MOST_BITS} bits`,
      'private_key',
    );
  return {
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

function parsed(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw new Refusal('parameter_invalid', 'Private key must be PEM, without a password', 'private_key');
  }
}
