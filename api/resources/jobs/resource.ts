import { bulkActions, bulkActOf, bulkLists, MOST_REFUSED } from '../../../billing/jobs/bulk.ts';
import { jobStatuses, jobTypes } from '../../../billing/jobs/job.ts';
import type { Permission } from '../../../billing/people/permissions.ts';
import { reportFormats, reportNames } from '../../../billing/reports/report.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { condition, textArray } from '../../../db/queries/kernel/sql.ts';
import { Job } from '../../../db/schema/job.ts';
import { presentJob } from '../../../present/reports/job.ts';
import { schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';
import { parametersField } from '../reports/inBodies.ts';
import { bulkFields, listPermissions } from './bulk.ts';

const jobFile = shown.value('JobFile', 'File that a job wrote', {
  name: shown.text('Name of the file', 'aging_2027-03-31.csv'),
  size: shown.integer('Size in bytes', 48_213),
  type: shown.text('MIME type', 'text/csv'),
  href: shown.text('Path at which it is read', '/jobs/7/file'),
  expires_at: shown.timestamp('When it is deleted'),
});

const refusedRow = shown.value('RefusedRow', 'Row that a job did not take', {
  row: shown.integer('Number of the row, from 1', 12),
  id: shown.id('Id of its object', 41),
  reason: shown.text('Reason in words, in the language of `Accept-Language`', 'Customer 41 has no email address'),
  code: shown.text('Code of the reason, as in an error', 'state_conflict'),
});

export const job = shown.shape('Job', 'Work that takes longer than a request, and the file that it wrote', {
  id: shown.id('Id of the job', 7),
  type: shown.oneOf(
    'Type of the job; `report`: writes a report to a file; `bulk`: acts on many objects, or writes them to a file',
    'report',
    jobTypes,
  ),
  report: shown.nullable(shown.oneOf('Name of the report; null: it writes none', 'aging', reportNames)),
  format: shown.oneOf('Form of its file', 'csv', reportFormats),
  action: shown.unset(shown.oneOf('Action on each object; null: it writes a report', 'send', bulkActions)),
  list: shown.unset(shown.oneOf('List of the objects; null: it writes a report', 'invoices', bulkLists)),
  parameters: shown.record(
    'Parameters of the report with their defaults, fixed when it was asked for; or those of the action',
    { as_of: '2027-03-31', zone: 'America/Chicago' },
  ),
  status: shown.oneOf(
    '`queued`: waits, because an account runs one job at a time; `failed`: `problem` says why',
    'done',
    jobStatuses,
  ),
  done: shown.integer('Rows that are done, refused ones included', 15_204),
  total: shown.nullable(shown.integer('Number of all rows; null: not known yet', 15_204)),
  refused_count: shown.integer('Number of rows that it did not take; 0 of a report', 0),
  refused: shown.listOf(
    refusedRow,
    `The first ${MOST_REFUSED} rows that it did not take, at its end. The file of a job that acts has the outcome of each row`,
  ),
  problem: shown.unset(
    shown.text(
      'Reason of its failure, in the language of `Accept-Language`; null: it did not fail',
      'the member does not hold the permission',
    ),
  ),
  file: shown.nullable(shown.one(jobFile, 'File that it wrote; null: there is none')),
  member: shown.nullable(shown.id('Id of the member who asked, whose rights it has; null: a key of the account', 3)),
  schedule: shown.unset(shown.id('Id of the report schedule that asked; null: none', 2)),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  finished_at: shown.nullable(shown.timestamp('When it ended; null: it has not')),
  expires_at: shown.nullable(shown.timestamp('When it is deleted with its file, 30 days after its end; null: it runs')),
});

const readOnly = [
  'id',
  'object',
  'status',
  'done',
  'total',
  'refused_count',
  'refused',
  'problem',
  'file',
  'member',
  'schedule',
  'created_at',
  'updated_at',
  'finished_at',
  'expires_at',
];
const format = fields.described(fields.choice(...reportFormats), 'Form of its file; default: `csv`', 'csv');
const PARAMETERS = 'Parameters of the report, as `GET /reports/<name>` takes them';
const parameters = fields.described(parametersField, PARAMETERS, { as_of: '2027-03-31' });

/** Read as those of a report or of an action when the type is known. */
const anyParameters = fields.field((value): unknown => value, schemaOf(parametersField));
const OF_ACTIONS = [
  'of an action: `send` takes `template`, `subject` and `message`; `remind` takes `subject` and `message`; `assign` needs `owner`, null or the id of a member;',
  '`void` takes `rebill_usage`; `write_off` needs `reason`; `statement` takes what `POST /customers/:id/emails` takes but recipients;',
  '`csv` takes `columns`, `expand` and `include`, as the list does',
].join(' ');

export const newJob = object(
  {
    type: fields.required(fields.choice(...jobTypes)),
    report: fields.described(fields.choice(...reportNames), 'Name of the report; required for a report', 'aging'),
    format,
    parameters: fields.described(anyParameters, `${PARAMETERS}; ${OF_ACTIONS}`, { as_of: '2027-03-31' }),
    ...bulkFields,
  },
  { readOnly },
);

export const newReport = object(
  {
    type: fields.required(fields.described(fields.choice(...reportNames), 'Name of the report', 'aging')),
    format,
    parameters,
  },
  { readOnly: [...readOnly, 'action', 'list'] },
);

export const jobs: Resource<Job, 'id'> = {
  name: 'Job',
  area: 'reports',
  shape: job,
  said: ['problem', 'refused.reason'],
  row: Job,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    status: filtered('status', fields.choice(...jobStatuses)),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentJob),
};

/** All permissions that jobs need. Who holds them sees all jobs, without a condition that PostgreSQL cannot estimate. */
const neededByJobs: readonly Permission[] = [
  'reports.read',
  ...bulkActions.flatMap((action) => bulkActOf(action).permission ?? []),
  ...listPermissions,
];

/** The jobs that a caller sees: those that it asked for, and those whose result it may read. */
export function seenBy({ member, credential, permissions }: Caller): typeof jobs {
  if (neededByJobs.every((one) => permissions.includes(one))) return jobs;
  const keyId = credential?.kind === 'api_key' ? credential.id : null;
  const exists = condition(
    `(member_id = ? or key_id = ? or coalesce(input ->> 'permission', 'reports.read') = any(?::text[]))`,
    member?.id ?? null,
    keyId,
    textArray(permissions),
  );
  return { ...jobs, exists };
}
