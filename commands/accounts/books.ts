import { Refusal } from '../../billing/refusal.ts';
import type { GlMapping, MappedAccount } from '../../billing/reports/glAccounts.ts';
import { addDaysToDay, endOfDay } from '../../billing/time/calendar.ts';
import { lockBooks } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import { logAct, partyOf } from '../kernel/auditLog.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';

/** Undefined: unchanged. */
export interface BooksChange {
  /** Codes of general ledger accounts by ledger account. Null removes one, or all. */
  glMapping?: { [Name in MappedAccount]?: string | null | undefined } | null | undefined;
  /** Last day of the closed months. Null: none is closed. */
  closedThrough?: string | null | undefined;
}

/**
 * Changes the mapping of the ledger accounts of a locked account, and closes or reopens months of its books. Reopening is an act of its own in
 * the audit log. Refuses a day that is not the last one of a month, or not over.
 */
export async function changeBooks(
  em: EntityManager,
  { account, caller, books }: { account: Account; caller: Caller; books: BooksChange },
  systemNow: Date,
): Promise<void> {
  const { glMapping, closedThrough: through } = books;
  if (glMapping !== undefined) mapAccounts(account, glMapping, systemNow);
  const before = account.booksClosedThrough ?? null;
  if (through === undefined || through === before) return;
  if (through !== null) checkMonthEnd(through, account.timeZone, systemNow);
  await lockBooks(em, account.id);
  const openFrom = through === null ? null : new Date(endOfDay(through, account.timeZone));
  Object.assign(account, { booksClosedThrough: through, booksOpenFrom: openFrom, updatedAt: systemNow });
  if (before !== null && (through === null || through < before))
    logReopening(em, { account, caller, before }, systemNow);
}

function mapAccounts(account: Account, changes: BooksChange['glMapping'], systemNow: Date): void {
  const before: GlMapping = account.glMapping ?? {};
  const all = changes === null ? {} : { ...before, ...changes };
  const codes = Object.fromEntries(Object.entries(all).filter(([, code]) => typeof code === 'string'));
  const glMapping = Object.keys(codes).length === 0 ? null : codes;
  if (assignChanges(account, { glMapping })) account.updatedAt = systemNow;
}

function checkMonthEnd(day: string, zone: string, systemNow: Date): void {
  const param = 'books_closed_through';
  if (!addDaysToDay(day, 1).endsWith('-01'))
    throw new Refusal('parameter_invalid', `Books are closed through the last day of a month, not ${day}`, param);
  if (endOfDay(day, zone) > systemNow.getTime())
    throw new Refusal('parameter_invalid', `Books are closed when the month is over: ${day} is not`, param);
}

function logReopening(
  em: EntityManager,
  { account, caller, before }: { account: Account; caller: Caller; before: string },
  systemNow: Date,
): void {
  const by = partyOf(caller.credential, caller.member?.id ?? null);
  const object = { type: 'account', id: account.id };
  const name = 'books_closed_through';
  const change = { before: { [name]: before }, after: { [name]: account.booksClosedThrough ?? null } };
  logAct(em, { accountId: account.id, by, kind: 'change', operation: 'reopenBooks', object, change }, systemNow);
}
