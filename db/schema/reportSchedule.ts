import { defineEntity, p } from '@mikro-orm/core';
import type { ReportFormat, ReportName } from '../../billing/reports/report.ts';
import { type Every, everies, type ScheduledParameters, type ScheduleRun } from '../../billing/reports/schedule.ts';
import { closedPolicies } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';

const ReportScheduleSchema = defineEntity({
  name: 'ReportSchedule',
  policies: closedPolicies,
  comment: 'A report that is mailed to members each day, week or month; belongs to the account',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    report: p.string().length(64).$type<ReportName>(),
    format: p.string().length(4).$type<ReportFormat>(),
    parameters: p.json().$type<ScheduledParameters>(),
    every: p.string().length(5).$type<Every>(),
    /** 1 (Monday) to 7, each week; 1 to 31, each month; null: each day. */
    day: p.integer().nullable(),
    hour: p.integer(),
    zone: p.string().length(64),
    /** Ids of members of the live account. */
    recipients: p.array((id) => Number(id)).columnType('int[]'),
    /** The member who made it; null: a key of the account. */
    memberId: p.integer().nullable(),
    /** The local day of its last run, or the last one that passed before it was made. */
    lastDay: p.date(),
    lastRun: p.json().$type<ScheduleRun>().nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'report_schedule_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'report_schedule_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [
    oneOf('report_schedule', 'every', everies),
    { name: 'report_schedule_hour', expression: 'hour >= 0 and hour <= 23' },
    { name: 'report_schedule_day', expression: "(every = 'day') = (day is null)" },
  ],
});
export class ReportSchedule extends ReportScheduleSchema.class {}
ReportScheduleSchema.setClass(ReportSchedule);
