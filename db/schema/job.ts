import { defineEntity, p } from '@mikro-orm/core';
import type { ErrorCode } from '../../billing/errorCodes.ts';
import type { BulkAction, BulkList, BulkParameters } from '../../billing/jobs/bulk.ts';
import { type JobStatus, type JobType, jobStatuses, type RefusedRow } from '../../billing/jobs/job.ts';
import type { Permission } from '../../billing/people/permissions.ts';
import type { ReportFormat, ReportName, StoredAsked } from '../../billing/reports/report.ts';
import { ownerPolicies, policiesThrough } from '../tenant.ts';
import { longId, longTenantKey, oneOf, tenantKey, timestamps } from './columns.ts';
import type { UsedCredential } from './event.ts';

/** What a job is asked for: a report, or an act on many objects. */
export type JobInput = ReportInput | BulkInput;

export interface ReportInput {
  report: ReportName;
  format: ReportFormat;
  asked: StoredAsked;
}

export interface BulkInput {
  action: BulkAction;
  list: BulkList;
  /** What the asker must hold when the work is done. */
  permission: Permission;
  parameters: BulkParameters;
  /** The credential that asked; null: none is known. */
  credential: UsedCredential | null;
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
    /** The first rows that it did not take, and the number of all such rows. */
    refused: p.json().$type<RefusedRow[]>(),
    refusedCount: p.integer().default(0),
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

export const rowOutcomes = ['done', 'refused'] as const;

const JobRowSchema = defineEntity({
  name: 'JobRow',
  policies: policiesThrough('job_row', 'job'),
  comment: 'An object that a job acts on, and what became of it; deleted when the job is done',
  properties: {
    ...longTenantKey,
    job: () => p.manyToOne(Job).joinColumns('account_id', 'job_id').deleteRule('cascade'),
    /** From 1, in the order in which the job acts. */
    position: p.integer(),
    objectId: p.integer(),
    /** Null: nothing was done yet. */
    outcome: p.string().length(8).$type<(typeof rowOutcomes)[number]>().nullable(),
    code: p.string().length(64).$type<ErrorCode>().nullable(),
    reason: p.text().nullable(),
  },
  uniques: [{ name: 'job_row_position', properties: ['accountId', 'job', 'position'] }],
  checks: [oneOf('job_row', 'outcome', rowOutcomes)],
});
export class JobRow extends JobRowSchema.class {}
JobRowSchema.setClass(JobRow);
