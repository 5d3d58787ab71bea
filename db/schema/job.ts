import { defineEntity, p } from '@mikro-orm/core';
import { type JobStatus, type JobType, jobStatuses, type RefusedRow } from '../../billing/jobs/job.ts';
import type { ReportFormat, ReportName, StoredAsked } from '../../billing/reports/report.ts';
import { ownerPolicies } from '../tenant.ts';
import { longId, oneOf, tenantKey, timestamps } from './columns.ts';

/** What a job is asked for. A job of another type will have another input. */
export interface JobInput {
  report: ReportName;
  format: ReportFormat;
  asked: StoredAsked;
}

const JobSchema = defineEntity({
  name: 'Job',
  policies: ownerPolicies,
  comment: 'Work of an account that takes longer than a request, and the file that it wrote',
  properties: {
    ...tenantKey,
    type: p.string().length(16).$type<JobType>(),
    input: p.json().$type<JobInput>(),
    status: p.string().length(8).$type<JobStatus>(),
    /** Rows that are done, and all of them; null: not known yet. */
    done: p.integer().default(0),
    total: p.integer().nullable(),
    refused: p.json().$type<RefusedRow[]>(),
    /** Why it failed. */
    problem: p.text().nullable(),
    /** The member of the live account who asked; null: a key of the account. */
    memberId: p.integer().nullable(),
    /** The same member, if it sees only its own customers: it sees the job, and no other limited member does. */
    ownerId: p.integer().nullable(),
    /** The API key that asked. */
    keyId: p.integer().nullable(),
    /** The schedule that asked, and the local day of its run. */
    scheduleId: p.integer().nullable(),
    period: p.string().length(10).nullable(),
    /** How often its work began. Only the latest run may end it. */
    runs: p.integer().default(0),
    fileName: p.string().length(255).nullable(),
    fileType: p.string().length(255).nullable(),
    fileSize: longId().nullable(),
    storeKey: p.string().length(255).nullable(),
    finishedAt: p.datetime().nullable(),
    /** When the sweep deletes it with its file; null: it has not ended. */
    expiresAt: p.datetime().nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'job_of_schedule', properties: ['accountId', 'scheduleId', 'period', 'memberId'] }],
  indexes: [
    {
      name: 'job_running',
      expression: `create unique index "job_running" on "job" ("account_id") where status = 'running'`,
    },
    { name: 'job_by_status', properties: ['accountId', 'status', 'id'] },
    { name: 'job_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'job_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
    { name: 'job_expiry', properties: ['expiresAt'] },
  ],
  checks: [
    oneOf('job', 'status', jobStatuses),
    { name: 'job_file', expression: 'num_nulls(file_name, file_type, file_size, store_key) in (0, 4)' },
    { name: 'job_end', expression: "(status in ('queued', 'running')) = (expires_at is null)" },
  ],
});
export class Job extends JobSchema.class {}
JobSchema.setClass(Job);
