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

/** The form of an address in which addresses are compared. */
export const addressKey = (address: string): string => address.trim().toLowerCase();
