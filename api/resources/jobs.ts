import { jobStatuses, jobTypes } from '../../billing/jobs/job.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type ReportFormat, type ReportName, reportFormats, reportNames } from '../../billing/reports/report.ts';
import { bytesOf } from '../../commands/files/strayBytes.ts';
import { cancelJob, createJob } from '../../commands/jobs/jobs.ts';
import { checkAsked } from '../../commands/reports/reports.ts';
import type { EntityManager } from '../../db/orm.ts';
import { latestKnown } from '../../db/queries/clocks/clocks.ts';
import { Job } from '../../db/schema/job.ts';
import { presentJob } from '../../present/reports/job.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { found, pathId, type Reply, type Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { actionRoute, createRoute, type Given } from '../writing/writeRoutes.ts';
import { inParameters, parametersField, refuseUnknownParameters } from './reports/inBodies.ts';
import { readAsked, reportParameterNames } from './reports/parameters.ts';

const jobFile = shown.value('JobFile', 'File that a job wrote', {
  name: shown.text('Name of the file', 'aging_2027-03-31.csv'),
  size: shown.integer('Size in bytes', 48_213),
  type: shown.text('MIME type', 'text/csv'),
  href: shown.text('Path at which it is read', '/jobs/7/file'),
  expires_at: shown.timestamp('When it is deleted'),
});

const refusedRow = shown.value('RefusedRow', 'Row that a job did not take', {
  row: shown.integer('Number of the row, from 1', 12),
  reason: shown.text('Reason in words', 'Unknown currency'),
});

export const job = shown.shape('Job', 'Work that takes longer than a request, and the file that it wrote', {
  id: shown.id('Id of the job', 7),
  type: shown.oneOf('Type of the job; `report`: writes a report to a file', 'report', jobTypes),
  report: shown.oneOf('Name of the report', 'aging', reportNames),
  format: shown.oneOf('Form of its file', 'csv', reportFormats),
  parameters: shown.record('Parameters of the report with their defaults, fixed when it was asked for', {
    as_of: '2027-03-31',
    zone: 'America/Chicago',
  }),
  status: shown.oneOf(
    '`queued`: waits, because an account runs one job at a time; `failed`: `problem` says why',
    'done',
    jobStatuses,
  ),
  done: shown.integer('Rows that are done', 15_204),
  total: shown.nullable(shown.integer('Number of all rows; null: not known yet', 15_204)),
  refused: shown.listOf(refusedRow, 'Rows that it did not take; none of a report'),
  problem: shown.unset(
    shown.text('Reason of its failure; null: it did not fail', 'the member does not hold the permission'),
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
const parameters = fields.described(parametersField, 'Parameters of the report, as `GET /reports/<name>` takes them', {
  as_of: '2027-03-31',
});

const newJob = object(
  {
    type: fields.required(fields.choice(...jobTypes)),
    report: fields.required(fields.choice(...reportNames)),
    format,
    parameters,
  },
  { readOnly },
);

const newReport = object(
  {
    type: fields.required(fields.described(fields.choice(...reportNames), 'Name of the report', 'aging')),
    format,
    parameters,
  },
  { readOnly: readOnly.filter((name) => name !== 'type') },
);

export const jobs: Resource<Job, 'id'> = {
  name: 'Job',
  area: 'reports',
  shape: job,
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

const path = '/jobs';
const permission = 'reports.read';

interface Wanted {
  report: ReportName;
  format?: ReportFormat | null | undefined;
  parameters?: URLSearchParams | null | undefined;
}

/** The report that a body asks a job for. */
async function wantedIn(
  em: EntityManager,
  { report, format: form, parameters: sent }: Wanted,
  { caller, request }: Given<unknown>,
) {
  const query = sent ?? new URLSearchParams();
  const now = request.deps.systemNow();
  const latest = await latestKnown(em, caller.account, now);
  const asked = await inParameters(async () => {
    refuseUnknownParameters(query, { report, known: reportParameterNames(report) });
    const read = readAsked(report, { account: caller.account, now, latest, query });
    await checkAsked(em, report, read);
    return read;
  });
  return { caller, report, format: form ?? 'csv', asked } as const;
}

/** Responds with the file of a job. Refuses a job without one. */
async function readFile({ deps, em, caller, ...request }: ApiRequest): Promise<Reply> {
  const id = pathId({ deps, em, caller, ...request }, 'Job');
  const {
    fileName: name,
    fileType,
    fileSize,
    storeKey,
    status,
  } = found(await em.findOne(Job, { accountId: caller.account.id, id }), 'Job', id);
  if (!name) throw new Refusal('state_conflict', `Job ${id} has no file: it is ${status}`);
  const bytes = found(await bytesOf(deps.fileStore, { storeKey }), 'File of job', id);
  const about = { name, type: fileType ?? null, size: fileSize ?? null };
  return { statusCode: 200, json: null, file: { about, bytes } };
}

export const jobRoutes: Route[] = [
  createRoute({
    path,
    resource: jobs,
    permission,
    summary: 'Ask a job for a report; it may have any number of rows',
    body: newJob,
    example: { type: 'report', report: 'aging', format: 'csv', parameters: { as_of: '2027-03-31' } },
    command: async (em, given, now) => createJob(em, await wantedIn(em, given.body, given), now),
    present: presentJob,
  }),
  listRoute({ path, resource: jobs, summary: 'List jobs' }),
  readRoute({ path, resource: jobs, summary: 'Read a job' }),
  actionRoute({
    path: `${path}/:id/cancel`,
    operationId: 'cancelJob',
    permission,
    summary:
      'Cancel a job: who asked for it may, and who may change settings. It stops within seconds and leaves no file',
    resource: jobs,
    command: cancelJob,
    present: presentJob,
  }),
  {
    method: 'GET',
    path: `${path}/:id/file`,
    operationId: 'readJobFile',
    permission,
    summary: 'Read the file of a job',
    idColumn: 'id',
    answer: { statusCode: 200, kind: jobs },
    media: ['file'],
    hasNoJson: true,
    handle: readFile,
  },
  createRoute({
    path: '/reports',
    operationId: 'createReport',
    resource: jobs,
    permission,
    summary: 'Ask a job for a report, by its name as `type`',
    body: newReport,
    example: { type: 'aging', parameters: { as_of: '2027-03-31' } },
    command: async (em, given, now) =>
      createJob(em, await wantedIn(em, { ...given.body, report: given.body.type }, given), now),
    present: presentJob,
  }),
  {
    ...readRoute({ path: '/reports', resource: jobs, summary: 'Read the job of a report' }),
    operationId: 'readReport',
  },
];
