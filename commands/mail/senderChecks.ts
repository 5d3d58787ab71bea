import { type Finding, findKey, proofAfter, recordName, stateOf } from '../../billing/mail/mailSender.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { MailSender } from '../../db/schema/mailSender.ts';
import { senderSubject } from '../accounts/mailSenders.ts';
import { Missing } from '../kernel/missing.ts';
import { closeProblemOf } from '../kernel/problems.ts';
import type { Nameservers } from '../ports/ports.ts';
import { reportOfAccount } from './problemMails.ts';

interface SenderKey {
  accountId: number;
  id: number;
}

/** Result of a DNS check of a sender, as it was when the check began. */
export interface SenderCheck {
  id: number;
  domain: string;
  selector: string;
  publicKey: string;
  startedAt: Date;
  finding: Finding;
  /** Whether somebody asked for it. Such a check without the key does not put off the next one. */
  isAsked: boolean;
}

/** Id of the sender of an account, and when its DNS is checked next. Null: the account has none. */
export async function nextCheck(em: EntityManager, accountId: number): Promise<{ id: number; at: Date } | null> {
  const sender = await em.fork().findOne(MailSender, { accountId, deletedAt: null });
  return sender && { id: sender.id, at: sender.nextLookAt };
}

/** Checks whether the DNS has the key of a sender. Never runs inside a transaction. Throws Missing. */
export async function checkSenderKey(
  { em, nameservers }: { em: EntityManager; nameservers: Nameservers },
  { accountId, id, isAsked }: SenderKey & { isAsked: boolean },
  systemNow: Date,
): Promise<SenderCheck> {
  const sender = await em.fork().findOne(MailSender, { accountId, id, deletedAt: null });
  if (!sender) throw new Missing('Mail sender', id);
  const { domain, selector, publicKey } = sender;
  const key = { domain, selector, publicKey };
  const finding = findKey(key, await nameservers.readTexts(recordName(key)));
  return { id, ...key, startedAt: systemNow, finding, isAsked };
}

/**
 * Records what a check found, and when to check again. A check that is older than the last one, or of another key than the sender has now,
 * changes nothing. A sender that loses its proof becomes a problem that its team is told. Throws Missing.
 */
export async function recordCheck(
  em: EntityManager,
  { accountId, check }: { accountId: number; check: SenderCheck },
  systemNow: Date,
): Promise<MailSender> {
  const { id, finding, startedAt } = check;
  const sender = await lockRow(em, MailSender, { accountId, id });
  if (!sender || sender.deletedAt) throw new Missing('Mail sender', id);
  const isOfKey = (['domain', 'selector', 'publicKey'] as const).every((name) => sender[name] === check[name]);
  if (!isOfKey || (sender.lookedAt && sender.lookedAt > startedAt)) return sender;
  const before = stateOf(sender);
  const proof = proofAfter(sender, finding, systemNow);
  if (check.isAsked && finding.kind !== 'found') {
    proof.misses = sender.misses;
    if (sender.nextLookAt < proof.nextLookAt) proof.nextLookAt = sender.nextLookAt;
  }
  em.assign(sender, { ...proof, lookedAt: startedAt, finding: finding.words, updatedAt: systemNow });
  const after = stateOf(sender);
  if (before === 'proved' && after === 'lost') await reportLostSender(em, sender, systemNow);
  if (after === 'proved') await closeProblemOf(em, senderSubject(sender), systemNow);
  return sender;
}

/** Records that a sender lost its proof, and tells the team. */
async function reportLostSender(em: EntityManager, sender: MailSender, systemNow: Date): Promise<void> {
  const message = `Mails do not come from ${sender.address} any more. ${sender.finding}`;
  await reportOfAccount(em, { ...senderSubject(sender), step: 'send from your own address', message }, systemNow);
}
