import { customTemplateNamed } from '../../billing/mail/emailTemplates.ts';
import { addressKey, type SuppressionReason } from '../../billing/mail/mailEvents.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { readBeforeSending, type SenderRow, type WordingRow } from '../../db/queries/bounces/beforeSending.ts';
import { failSuppressedMail, type Suppressed, suppress } from '../../db/queries/bounces/bounces.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Email } from '../../db/schema/email.ts';
import { systemCaller } from '../kernel/caller.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { addressHashOf } from '../kernel/secrets.ts';
import { recordAttempt } from '../mail/mail.ts';
import { reportOfAccount } from '../mail/problemMails.ts';
import type { Cipher, DkimKey, MailResult } from '../ports/ports.ts';
import { askForAddress, lockOwnerOfMail, plainOf, SUPPRESSED_BECAUSE, suppressedIn } from './suppressions.ts';

/** The sender of a mail, with the key that signs it. */
export interface ProvedSender {
  address: string;
  dkim: DkimKey;
}

/** The settings of an account that apply to one mail. */
export interface BeforeSending {
  /** Recipients to which nothing is sent, by address. */
  suppressed: Map<string, Suppressed>;
  /** Null: the mail comes from the deployment's address. */
  sender: ProvedSender | null;
  /** The customized template of the mail; null: the account never changed it. */
  wording: WordingRow | null;
}

/** Reads the settings that apply to a queued mail. `addresses`: the recipients that wait for it. */
export async function beforeSending(
  { em, cipher }: { em: EntityManager; cipher: Cipher },
  { accountId, template, kind, view }: Plain<Email>,
  addresses: readonly string[],
): Promise<BeforeSending> {
  const addressHashes = addresses.map((address) => addressHashOf(accountId, address));
  const named = { template: kind ? template : customTemplateNamed(template), language: view?.language ?? null };
  const { suppressed, sender, wording } = await readBeforeSending(em, { accountId, addressHashes, ...named });
  return {
    suppressed: suppressedIn(suppressed, { accountId, addresses }),
    sender: sender && provedSender(cipher, sender),
    wording,
  };
}

function provedSender(cipher: Cipher, { address, domain, selector, sealedPrivateKey }: SenderRow): ProvedSender {
  return { address, dkim: { domain, selector, privateKey: cipher.decrypt(sealedPrivateKey) } };
}

/**
 * Records a problem if a suppressed address is one of the team, and mails it to the others of the team. It names no address, because the
 * problem stays when a customer with the same address is anonymized.
 */
async function tellOfTeamAddress(
  em: EntityManager,
  { accountId, id, address, reason }: { accountId: number; id: number; address: string; reason: SuppressionReason },
  systemNow: Date,
): Promise<void> {
  const { account } = await systemCaller(em, accountId);
  if (!setting(account, 'alert_recipients').map(addressKey).includes(addressKey(address))) return;
  const message = `An address of alert_recipients gets no mail any more: ${SUPPRESSED_BECAUSE[reason]}. Suppression ${id} shows it`;
  const problem = { accountId, subjectType: 'suppression', subjectId: id, step: 'mail to the team', message };
  await reportOfAccount(em, problem, systemNow);
}

/** A recipient that gets no mail any more. */
export interface DeadAddress {
  accountId: number;
  address: string;
  reason: SuppressionReason;
  /** Words of the mail server or the provider. */
  detail: string;
  occurredAt: Date;
  /** The customer of the mail; null: it has none. */
  locked: LockedCustomer | null;
}

/**
 * Stops mail to an address, unless it was allowed again after the event. Makes the task to correct the address of a customer, and makes an
 * address of the team known.
 */
export async function suppressAddress(em: EntityManager, dead: DeadAddress, systemNow: Date): Promise<void> {
  const { accountId, reason, detail, occurredAt, locked } = dead;
  const address = addressKey(dead.address);
  const addressHash = addressHashOf(accountId, address);
  const plain = plainOf(locked, { address, detail });
  const id = await suppress(em, { accountId, addressHash, reason, ...plain, occurredAt, now: systemNow });
  if (id === null) return;
  if (locked) await askForAddress(em, locked, { id, address, reason });
  await tellOfTeamAddress(em, { accountId, id, address, reason }, systemNow);
}

/** A mail that an attempt did not deliver to everybody. */
export interface RefusedMail {
  accountId: number;
  id: number;
  customerId: number | null;
  /** Number of the attempts before. */
  before: number;
  result: MailResult;
}

/**
 * Records what became of a mail, and which of its recipients the mail server does not know: nothing is sent to them any more, and a task asks
 * to correct them.
 */
export async function recordRefused(em: EntityManager, mail: RefusedMail, systemNow: Date): Promise<void> {
  const { accountId, id, customerId, before, result } = mail;
  const unknown = (result.refused ?? []).filter(({ isUnknown }) => isUnknown);
  const key = { accountId, id };
  const locked = customerId === null || unknown.length === 0 ? null : await lockOwnerOfMail(em, key, systemNow);
  await recordAttempt(em, { ...key, before, result }, systemNow);
  for (const { address, reason: detail } of unknown) {
    const dead = { accountId, address, reason: 'hard_bounce' as const, detail, occurredAt: systemNow, locked };
    await suppressAddress(em, dead, systemNow);
  }
}

/** A queued mail to a suppressed address. */
export interface SuppressedMail {
  accountId: number;
  id: number;
  toAddress: string;
  customerId: number | null;
  suppressed: Suppressed;
}

/** Fails a queued mail to a suppressed address, and makes the task to correct the address. Does nothing if the address is allowed again. */
export async function failSuppressed(em: EntityManager, mail: SuppressedMail, systemNow: Date): Promise<void> {
  const { accountId, id, toAddress, customerId, suppressed } = mail;
  const locked = customerId === null ? null : await lockOwnerOfMail(em, { accountId, id }, systemNow);
  const reason = `Nothing is sent to this address any more: ${SUPPRESSED_BECAUSE[suppressed.reason]}`;
  const failed = { accountId, id, suppressionId: suppressed.id, reason, now: systemNow };
  if (!(await failSuppressedMail(em, failed))) return;
  if (locked) await askForAddress(em, locked, { address: toAddress, ...suppressed });
  await tellOfTeamAddress(em, { accountId, ...suppressed, address: toAddress }, systemNow);
}
