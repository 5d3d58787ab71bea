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
const OF_MAIL = /^[45]\.(?:7\.\d{1,3}|2\.[23]|3\.4|1\.[78])$/;

/** Whether the words of a final answer of a mail server say that there is no such address. Without a status code nobody knows. */
export const areOfAddress = (diagnostic: string): boolean => OF_ADDRESS.test(statusIn(diagnostic) ?? '');

/**
 * Whether a fate of a mail counts against its address. Otherwise it only marks the mail. `status`: the status code that came with it; null:
 * none, and the word of the provider counts.
 */
export function countsAgainstAddress(kind: MailEventKind, status: string | null): boolean {
  if (kind === 'complaint' || status === null) return true;
  return kind === 'hard_bounce' ? OF_ADDRESS.test(status) : !OF_MAIL.test(status);
}

/**
 * Whether an address stays suppressed for a reason by the status code in its stored words. Without a code there, and after a complaint, it
 * does.
 */
export function staysSuppressed(reason: SuppressionReason, diagnostic: string): boolean {
  if (reason === 'complaint') return true;
  return countsAgainstAddress(reason === 'hard_bounce' ? 'hard_bounce' : 'soft_bounce', statusIn(diagnostic));
}

/** Most characters of the words of a server in which a status code is looked for. */
const MOST_READ = 4000;
/** What stands before a status code: a reply code, a sign, or a word that announces it. The names of programs stand before their versions. */
const BEFORE = String.raw`^ {0,3}|\b[45]\d\d[ -] {0,3}|[#;(<[=] {0,3}|(?<!version): {0,3}|\b(?:status|code|error|dsn) {1,3}`;
const STATUS = new RegExp(String.raw`(?<=${BEFORE}|\b[45]\d\d[ -]#)[45]\.[0-7]\.\d{1,3}(?![\d.]*\d)`, 'gi');

/**
 * The status code (RFC 3463) of a refusal in the words of a server: the first one, or a later one that says more exactly what the first says
 * in general (5.0.0, then 5.1.1). Null: there is none.
 */
export function statusIn(diagnostic: string): string | null {
  const [first = null, ...later] = diagnostic.slice(0, MOST_READ).match(STATUS) ?? [];
  return later.reduce((best, status) => (best !== null && isMoreExact(status, best) ? status : best), first);
}

/** Whether a status code is one of those that a general one (x.0.0 or x.y.0) stands for. */
function isMoreExact(status: string, general: string): boolean {
  const [kind, subject, detail] = general.split('.');
  const [itsKind, itsSubject, itsDetail] = status.split('.');
  if (detail !== '0' || itsKind !== kind) return false;
  return subject === '0' ? itsSubject !== '0' : itsSubject === subject && itsDetail !== '0';
}

/** The form of an address in which addresses are compared. */
export const addressKey = (address: string): string => address.trim().toLowerCase();
