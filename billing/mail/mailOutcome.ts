import { addressKey } from './mailEvents.ts';

/** An answer of the mail server about one recipient. */
export interface RecipientAnswer {
  address: string;
  reason: string;
}

/** The answer of the mail server to one attempt. `deferred`: the recipients that it refused for now, while it took the mail for others. */
export interface MailAnswer {
  status: 'sent' | 'temporary' | 'permanent';
  /** The answer about the whole mail; null: it was accepted for at least one recipient. */
  reason: string | null;
  refused: readonly RecipientAnswer[];
  deferred: readonly RecipientAnswer[];
}

/** The progress of a mail whose recipients had different answers. */
export interface MailProgress {
  /** Recipients that the mail is still sent to. */
  waiting: string[];
  /** Why the recipient of the mail was refused for good; null: it was not. */
  refusal: string | null;
  /** Why a blind copy was refused for good; null: none was. */
  copyRefusal: string | null;
}

export type MailOutcome = ReturnType<typeof mailOutcome>;

const isSame = (one: string, other: string) => addressKey(one) === addressKey(other);

function find(answers: readonly RecipientAnswer[], address: string): RecipientAnswer | undefined {
  return answers.find((answer) => isSame(answer.address, address));
}

/**
 * The state of a mail after an attempt. It stays queued while a recipient waits and there is time. Then the fate of its own recipient decides:
 * refused for good (`bounced`), given up (`failed`), or reached (`sent`).
 */
export function mailOutcome(mail: { toAddress: string; before: MailProgress; isTooLate: boolean }, answer: MailAnswer) {
  const { toAddress, before, isTooLate } = mail;
  const refusals = before.waiting.map((address) => ({ address, reason: refusalOf(address, answer) }));
  const own = refusals.find(({ address }) => isSame(address, toAddress))?.reason;
  const copy = refusals.find(({ address, reason }) => reason !== null && !isSame(address, toAddress))?.reason;
  const progress = {
    waiting: before.waiting.filter((address) => isWaiting(address, answer)),
    refusal: before.refusal ?? own ?? null,
    copyRefusal: before.copyRefusal ?? copy ?? null,
  };
  return { ...stateOf({ toAddress, progress, isTooLate }, answer), progress };
}

function refusalOf(address: string, { status, reason, refused }: MailAnswer): string | null {
  return find(refused, address)?.reason ?? (status === 'permanent' ? reason : null);
}

function isWaiting(address: string, { status, refused, deferred }: MailAnswer): boolean {
  if (status === 'sent') return find(deferred, address) !== undefined;
  return status === 'temporary' && find(refused, address) === undefined;
}

function stateOf(
  mail: { toAddress: string; progress: MailProgress; isTooLate: boolean },
  { reason: ofAll, deferred }: MailAnswer,
) {
  const { waiting, refusal, copyRefusal } = mail.progress;
  const isOwnWaiting = waiting.some((address) => isSame(address, mail.toAddress));
  const [next] = isOwnWaiting ? [mail.toAddress] : waiting;
  const delay = next === undefined ? null : (find(deferred, next)?.reason ?? ofAll);
  if (next !== undefined && !mail.isTooLate)
    return { state: 'queued' as const, reason: refusal ?? (isOwnWaiting ? delay : ofCopy('waits', delay)) };
  if (refusal !== null) return { state: 'bounced' as const, reason: refusal };
  if (isOwnWaiting) return { state: 'failed' as const, reason: delay };
  return { state: 'sent' as const, reason: ofCopy('did not arrive', copyRefusal ?? delay) };
}

const ofCopy = (fate: string, reason: string | null) => (reason === null ? null : `A blind copy ${fate}: ${reason}`);
