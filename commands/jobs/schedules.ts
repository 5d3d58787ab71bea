import { PermissionMissing, Refusal } from '../../billing/refusal.ts';
import type { ReportFormat, ReportName } from '../../billing/reports/report.ts';
import {
  lastSending,
  nextSending,
  type ReportTimes,
  type ScheduledParameters,
} from '../../billing/reports/schedule.ts';
import { lockCountOf, lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { ReportSchedule } from '../../db/schema/reportSchedule.ts';
import { accountMoment, type Caller, type Moment } from '../kernel/caller.ts';
import { Missing } from '../kernel/missing.ts';
import { type Planned, setWakeups, wakeupsOf } from '../kernel/waking.ts';
import { readerOf } from './readers.ts';

/** Schedules of an account. */
const MOST_SCHEDULES = 100;

export interface ScheduleFields extends ReportTimes {
  name: string;
  report: ReportName;
  format: ReportFormat;
  parameters: ScheduledParameters;
  recipients: number[];
}

interface ScheduleKey {
  caller: Caller;
  id: number;
}

/** Makes a schedule. Its first report is that of the next time. Refuses a recipient who may not read the report. */
export async function createSchedule(
  em: EntityManager,
  { caller, fields }: { caller: Caller; fields: ScheduleFields },
  systemNow: Date,
): Promise<ReportSchedule> {
  const accountId = caller.account.id;
  await checkFields(em, { caller, fields }, systemNow);
  await lockCountOf(em, 'report_schedule', accountId);
  if ((await em.count(ReportSchedule, { accountId })) >= MOST_SCHEDULES)
    throw new Refusal('limit_exceeded', `An account has at most ${MOST_SCHEDULES} report schedules: delete one first`);
  const times = { createdAt: systemNow, updatedAt: systemNow };
  const lastDay = lastSending(fields, systemNow.getTime());
  const memberId = caller.member?.id ?? null;
  const schedule = em.create(ReportSchedule, { accountId, ...fields, memberId, lastDay, lastRun: null, ...times });
  await em.write();
  await planSchedule(em, accountMoment(caller, systemNow), { schedule });
  return schedule;
}

/** Changes a schedule. Times that have passed are not made up for. Throws Missing. */
export async function updateSchedule(
  em: EntityManager,
  { caller, id, change }: ScheduleKey & { change(schedule: ReportSchedule): Promise<ScheduleFields> },
  systemNow: Date,
): Promise<ReportSchedule> {
  const schedule = await lockSchedule(em, { caller, id });
  const changed = await change(schedule);
  await checkFields(em, { caller, fields: changed }, systemNow);
  const passed = lastSending(changed, systemNow.getTime());
  em.assign(schedule, { ...changed, updatedAt: systemNow });
  if (passed > schedule.lastDay) schedule.lastDay = passed;
  await planSchedule(em, accountMoment(caller, systemNow), { schedule });
  return schedule;
}

/** Deletes a schedule. Jobs that it asked for go on. Throws Missing. */
export async function deleteSchedule(em: EntityManager, key: ScheduleKey, systemNow: Date): Promise<void> {
  const schedule = await lockSchedule(em, key);
  const moment = accountMoment(key.caller, systemNow);
  const existing = await wakeupsOf(em, { accountId: schedule.accountId, process: 'report_schedule', ids: [key.id] });
  await setWakeups(em, moment, { waiter: waiterOf(schedule), waits: [], existing });
  em.remove(schedule);
}

/** The schedule, for those who may change it: who made it, and who may change settings. */
async function lockSchedule(em: EntityManager, { caller, id }: ScheduleKey): Promise<ReportSchedule> {
  const schedule = await lockRow(em, ReportSchedule, { accountId: caller.account.id, id });
  if (!schedule) throw new Missing('Report schedule', id);
  const isOwn = caller.member !== null && caller.member.id === schedule.memberId;
  if (!isOwn && !caller.permissions.includes('settings.write'))
    throw new PermissionMissing(
      `Report schedule ${id} is changed by who made it, or with the permission settings.write`,
    );
  return schedule;
}

async function checkFields(
  em: EntityManager,
  { caller: { account }, fields }: { caller: Caller; fields: ScheduleFields },
  systemNow: Date,
): Promise<void> {
  const { every, day, recipients, report } = fields;
  const most = { day: 0, week: 7, month: 31 }[every];
  if (every === 'day' && day !== null)
    throw new Refusal('parameter_invalid', 'Day must be left out of a report of each day', 'day');
  if (every !== 'day' && (day === null || day > most))
    throw new Refusal('parameter_invalid', `Day must be 1 to ${most} for a report of each ${every}`, 'day');
  if (recipients.length === 0 || new Set(recipients).size < recipients.length)
    throw new Refusal('parameter_invalid', 'Recipients must name at least one member, and each once', 'recipients');
  for (const memberId of recipients) {
    const reader = await readerOf(em, account, { report, memberId, keyId: null }, systemNow);
    if ('reason' in reader)
      throw new Refusal(
        'parameter_invalid',
        `Member ${memberId} cannot get the report: ${reader.reason}`,
        'recipients',
      );
  }
}

const waiterOf = ({ id }: ReportSchedule) => ({ process: 'report_schedule' as const, subjectId: id, clockId: null });

/** The times of a schedule. */
export const timesOf = ({ every, day = null, hour, zone }: ReportSchedule): ReportTimes => ({ every, day, hour, zone });

/** Replaces the wake-up of a schedule. `inside`: its own process calls. */
export async function planSchedule(
  em: EntityManager,
  moment: Moment,
  { schedule, inside = false }: { schedule: ReportSchedule; inside?: boolean },
): Promise<Planned> {
  const { accountId, id, lastDay } = schedule;
  const existing = await wakeupsOf(em, { accountId, process: 'report_schedule', ids: [id] });
  const { waits } = nextSending(timesOf(schedule), lastDay, moment.now.getTime());
  return setWakeups(em, moment, { waiter: waiterOf(schedule), waits, existing, inside });
}
