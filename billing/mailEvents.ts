/** The fates of a sent mail: refused for good, refused for now, or reported as spam by its recipient. */
export const mailEventKinds = ['hard_bounce', 'soft_bounce', 'complaint'] as const;
export type MailEventKind = (typeof mailEventKinds)[number];

/** Why nothing is sent to an address any more. */
export const suppressionReasons = ['hard_bounce', 'complaint', 'soft_bounces'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** Mails to an address that are refused for now within the period, after which nothing is sent to it any more. */
const MOST_SOFT_BOUNCES = 5;
export const SOFT_BOUNCE_MILLISECONDS = 30 * 86_400_000;

/** The reason to send nothing to an address any more. `softBounced`: its mails refused for now in the period. Null: it still gets mail. */
export function reasonToSuppress(kind: MailEventKind, softBounced: number): SuppressionReason | null {
  if (kind !== 'soft_bounce') return kind;
  return softBounced >= MOST_SOFT_BOUNCES ? 'soft_bounces' : null;
}

/** The kind of an enhanced status code (RFC 3463): 5.x.x is final, 4.x.x is not. Null: the mail was not refused. */
export function kindOfStatus(status: string): MailEventKind | null {
  if (/^5\.\d{1,3}\.\d{1,3}$/.test(status)) return 'hard_bounce';
  return /^4\.\d{1,3}\.\d{1,3}$/.test(status) ? 'soft_bounce' : null;
}

/** Status codes by which a server says for good that there is no such address, or that it takes no mail. */
const OF_ADDRESS = /^5\.(?:1\.(?:[1236]|10)|2\.1)$/;
/** Status codes about the sender, its reputation, the size of a mail, a policy, or a full mailbox. */
const OF_MAIL = /^[45]\.(?:7\.\d{1,3}|2\.[23]|3\.4|1\.8)$/;

/** Whether a status code says that mail to the address is refused for good. Others may be about the sender. */
export const refusesAddress = (status: string): boolean => OF_ADDRESS.test(status);

/**
 * Whether a fate of a mail counts against its address. Otherwise it only marks the mail. `status`: the status code that came with it; null:
 * none, and the word of the provider counts.
 */
export function countsAgainstAddress(kind: MailEventKind, status: string | null): boolean {
  if (kind === 'complaint' || status === null) return true;
  return kind === 'hard_bounce' ? refusesAddress(status) : !OF_MAIL.test(status);
}

/** The form of an address in which addresses are compared. */
export const addressKey = (address: string): string => address.trim().toLowerCase();
