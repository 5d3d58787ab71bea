import type { BulkParameters } from '../../billing/jobs/bulk.ts';
import { daysAsked } from '../../billing/reports/report.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Job, ReportInput } from '../../db/schema/job.ts';
import type { ReportSchedule } from '../../db/schema/reportSchedule.ts';
import { orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';
import { presentLimits } from './report.ts';

export function presentJob(job: Plain<Job>): Presented {
  const wanted = 'report' in job.input ? job.input : null;
  const bulk = 'action' in job.input ? job.input : null;
  return {
    id: job.id,
    object: 'job',
    type: job.type,
    report: wanted?.report ?? null,
    format: wanted?.format ?? 'csv',
    action: bulk?.action ?? null,
    list: bulk?.list ?? null,
    parameters: wanted ? presentAsked(wanted) : definedIn(bulk?.parameters ?? {}),
    status: job.status,
    done: job.done,
    total: orNull(job.total),
    refused_count: job.refusedCount,
    refused: job.refused.map((one) => ({ ...one })),
    problem: orNull(job.problem),
    file: presentJobFile(job),
    member: orNull(job.memberId),
    schedule: orNull(job.scheduleId),
    created_at: unix(job.createdAt),
    updated_at: unix(job.updatedAt),
    finished_at: unixOrNull(job.finishedAt),
    expires_at: unixOrNull(job.expiresAt),
  };
}

function definedIn(parameters: BulkParameters): Presented {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}

function presentAsked({ report, asked }: ReportInput): Presented {
  const { zone, knownAt } = asked;
  return { ...daysAsked(report, asked), zone, known_at: unix(new Date(knownAt)), ...presentLimits(asked) };
}

function presentJobFile({ id, fileName: name, fileSize, fileType, expiresAt }: Plain<Job>): Presented | null {
  if (!name) return null;
  const about = { name, size: orNull(fileSize), type: orNull(fileType) };
  return { ...about, href: `/jobs/${id}/file`, expires_at: unixOrNull(expiresAt) };
}

export function presentReportSchedule(schedule: Plain<ReportSchedule>): Presented {
  const { every, parameters, lastRun } = schedule;
  const day = orNull(schedule.day);
  return {
    id: schedule.id,
    object: 'report_schedule',
    name: schedule.name,
    report: schedule.report,
    format: schedule.format,
    parameters: { range: parameters.range, ...presentLimits(parameters) },
    every,
    weekday: every === 'week' ? day : null,
    day: every === 'month' ? day : null,
    hour: schedule.hour,
    zone: schedule.zone,
    recipients: [...schedule.recipients],
    last_run: lastRun
      ? {
          at: unix(new Date(lastRun.at)),
          day: lastRun.day,
          jobs: [...lastRun.jobs],
          skipped: lastRun.skipped.map((one) => ({ ...one })),
        }
      : null,
    member: orNull(schedule.memberId),
    created_at: unix(schedule.createdAt),
    updated_at: unix(schedule.updatedAt),
  };
}
