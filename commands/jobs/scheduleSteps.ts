import { counted } from '../../billing/counted.ts';
import { askedOn, nextSending, type Skipped } from '../../billing/reports/schedule.ts';
import { failpoint } from '../../db/failpoint.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { latestKnown } from '../../db/queries/clocks/clocks.ts';
import { ReportSchedule } from '../../db/schema/reportSchedule.ts';
import { accountMoment, type Moment, systemCaller } from '../kernel/caller.ts';
import { NOTHING, type ProcessKey, type StepOutcome } from '../kernel/stepOutcome.ts';
import { ifDue } from '../kernel/waking.ts';
import { queueJob } from './jobs.ts';
import { readerOf } from './readers.ts';
import { planSchedule, timesOf } from './schedules.ts';

/** Asks for the due report of a schedule, a job for each recipient who may read it. Plans the next one. */
export function advanceReportSchedule(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  return ifDue(em, { ...key, process: 'report_schedule', systemNow }, () => send(em, key, systemNow));
}

async function send(em: EntityManager, key: ProcessKey, systemNow: Date): Promise<StepOutcome> {
  const schedule = await lockRow(em, ReportSchedule, key);
  if (!schedule) return NOTHING;
  const moment = accountMoment(await systemCaller(em, key.accountId), systemNow);
  const { due } = nextSending(timesOf(schedule), schedule.lastDay, systemNow.getTime());
  const did = due === null ? 'no report was due' : await askFor(em, moment, { schedule, day: due });
  await failpoint('report_schedule.before_commit');
  const planned = await planSchedule(em, moment, { schedule, inside: true });
  return { ...planned, did, more: false, call: null };
}

/** Queues the jobs of a day. The database refuses a second one for the same day and member. */
async function askFor(
  em: EntityManager,
  moment: Moment,
  { schedule, day }: { schedule: ReportSchedule; day: string },
): Promise<string> {
  const { now, caller } = moment;
  const { id: scheduleId, accountId, report, format, recipients } = schedule;
  const knownAt = await latestKnown(em, caller.account, now);
  const asked = askedOn(day, schedule, { accountId, now, knownAt });
  const jobs: number[] = [];
  const skipped: Skipped[] = [];
  for (const memberId of recipients) {
    const reader = await readerOf(em, caller.account, { report, memberId, keyId: null }, now);
    if ('reason' in reader) {
      skipped.push({ member: memberId, reason: reader.reason });
      continue;
    }
    const by = { memberId, ownerId: reader.ownerId, keyId: null, scheduleId, period: day };
    const job = await queueJob(em, moment, { report, format, asked, ...by });
    jobs.push(job.id);
  }
  Object.assign(schedule, { lastDay: day, lastRun: { at: now.toISOString(), day, jobs, skipped }, updatedAt: now });
  return `asked for the report of ${day}: ${counted(jobs.length, 'job')}, ${skipped.length} skipped`;
}
