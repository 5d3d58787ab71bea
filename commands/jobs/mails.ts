import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Account, liveIdOf } from '../../db/schema/account.ts';
import type { Job } from '../../db/schema/job.ts';
import { Member } from '../../db/schema/member.ts';
import { ReportSchedule } from '../../db/schema/reportSchedule.ts';
import { reportEmail } from '../../present/emails/teamMails.ts';
import { absolute } from '../../present/kernel/links.ts';
import { logAct } from '../kernel/auditLog.ts';
import { accountMoment, systemCallerOf } from '../kernel/caller.ts';
import { queueEmail } from '../mail/emails.ts';
import { reports } from '../reports/reports.ts';

/** Largest file that is attached. A larger one is linked: its reader signs in. */
const MOST_BYTES = 5 * 1024 * 1024;

/** Mails the report of a job that a schedule asked for to its member. The database refuses a second mail. An attached file is an export. */
export async function mailScheduled(em: EntityManager, job: Job, systemNow: Date): Promise<void> {
  const { accountId, id, scheduleId, memberId, fileName: name, fileType: type, fileSize: size, storeKey } = job;
  if (!scheduleId || !memberId || !name || !type || !size || !storeKey) return;
  const account = await em.findOneOrFail(Account, accountId);
  const schedule = await em.findOne(ReportSchedule, { accountId, id: scheduleId });
  const member = await em.findOne(Member, { accountId: liveIdOf(account), id: memberId });
  if (!schedule || !member) return;
  const isAttached = size <= MOST_BYTES;
  if (!('report' in job.input)) return;
  const { report, asked } = job.input;
  const rendered = reportEmail({
    seller: account,
    name: schedule.name,
    title: reports[report].title,
    days: [asked.firstDay, asked.lastDay],
    rows: job.done,
    href: isAttached ? null : absolute(`/downloads/jobs/${account.environment}/${liveIdOf(account)}/${id}`),
  });
  const context = { moment: accountMoment(systemCallerOf(account), systemNow), customer: null, clockId: null };
  queueEmail(em, context, {
    template: 'report_email',
    cause: `job:${id}`,
    to: { name: member.name ?? member.email, email: member.email },
    rendered,
    files: isAttached ? [{ name, type, size, storeKey }] : [],
  });
  if (!isAttached) return;
  const by = { actor: 'system', actorName: member.email, memberId } as const;
  logAct(em, { accountId, by, kind: 'export', operation: 'mailReport', object: { type: 'job', id } }, systemNow);
}

/** Notes in the last run of the schedule, once, that a member gets no report. */
export async function noteSkipped(em: EntityManager, job: Job, reason: string): Promise<void> {
  const { accountId, scheduleId, memberId: member, period } = job;
  if (!scheduleId || !member) return;
  const schedule = await lockRow(em, ReportSchedule, { accountId, id: scheduleId });
  const last = schedule?.lastRun;
  if (!schedule || !last || last.day !== period || last.skipped.some((one) => one.member === member)) return;
  schedule.lastRun = { ...last, skipped: [...last.skipped, { member, reason }] };
}
