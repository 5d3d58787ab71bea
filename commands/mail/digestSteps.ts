import type { DigestRun } from '../../billing/collection/digest.ts';
import { addDaysToDay, endOfDay, startOfDay } from '../../billing/time/calendar.ts';
import { failpoint } from '../../db/failpoint.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { readDigest } from '../../db/queries/accounts/digest.ts';
import { Digest } from '../../db/schema/digest.ts';
import { digestEmail } from '../../present/emails/teamMails.ts';
import { nextDigestOf, planDigest } from '../accounts/digestPlanning.ts';
import { accountMoment, type Moment, systemCaller } from '../kernel/caller.ts';
import { NOTHING, type ProcessKey, type StepOutcome } from '../kernel/stepOutcome.ts';
import { ifDue } from '../kernel/waking.ts';
import { queueTeamMail, workplaceOf } from './team.ts';

/** Mails the due digest of an account to its team, unless it would be empty. Plans the next one. */
export function advanceDigest(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'digest', systemNow }, () => tellDay(em, key, systemNow));
}

async function tellDay(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const digest = await lockRow(em, Digest, { accountId, id });
  if (!digest) return NOTHING;
  const moment = accountMoment(await systemCaller(em, accountId), systemNow);
  const { account } = moment.caller;
  const { due } = nextDigestOf(account, digest, systemNow);
  const did = due ? await mailDigest(em, moment, due) : 'no digest was due';
  if (due) Object.assign(digest, { lastDay: due.day, updatedAt: systemNow });
  await failpoint('digest.before_commit');
  const planned = await planDigest(em, moment, { account, digest, inside: true });
  return { ...planned, did, more: false, call: null };
}

/** Mails the digest of a day, unless nothing happened and nothing waits. Returns what it did, in words. */
async function mailDigest(em: EntityManager, moment: Moment, { day }: DigestRun): Promise<string> {
  const { account } = moment.caller;
  const { timeZone } = account;
  const [from, until] = [startOfDay(day, timeZone), endOfDay(day, timeZone)];
  const dueUntil = endOfDay(addDaysToDay(day, 1), timeZone);
  const facts = await readDigest(em, {
    accountId: account.id,
    from: new Date(from),
    until: new Date(until),
    dueUntil: new Date(dueUntil),
  });
  const { collected, failed, disputes, openDisputes, problems, tasks } = facts;
  const isEmpty = [collected, failed, disputes].every((sums) => sums.length === 0);
  if (isEmpty && openDisputes + problems + tasks === 0) return `nothing to tell of ${day}`;
  const rendered = digestEmail({ seller: account, day: new Date(from), facts, workplace: workplaceOf(account) });
  queueTeamMail(em, moment, { template: 'digest_email', cause: `digest:${day}`, rendered });
  return `mailed the digest of ${day}`;
}
