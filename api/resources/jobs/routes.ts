import type { z } from 'zod';
import { Refusal } from '../../../billing/refusal.ts';
import type { ReportFormat, ReportName } from '../../../billing/reports/report.ts';
import { bytesOf } from '../../../commands/files/strayBytes.ts';
import { createBulkJob } from '../../../commands/jobs/bulkJobs.ts';
import { cancelJob, createJob } from '../../../commands/jobs/jobs.ts';
import { requirePermission } from '../../../commands/kernel/caller.ts';
import { checkAsked } from '../../../commands/reports/reports.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { latestKnown } from '../../../db/queries/clocks/clocks.ts';
import { Job } from '../../../db/schema/job.ts';
import { presentJob } from '../../../present/reports/job.ts';
import { object, parse } from '../../body/request.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { found, pathId, type Reply, type Route, withBody } from '../../framework/route.ts';
import { list } from '../../reading/list.ts';
import { read } from '../../reading/read.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { write } from '../../writing/write.ts';
import { actionRoute, createRoute, type Given } from '../../writing/writeRoutes.ts';
import { inParameters, parametersField, refuseUnknownParameters } from '../reports/inBodies.ts';
import { readAsked, reportParameterNames } from '../reports/parameters.ts';
import { bulkIn, listCsv } from './bulk.ts';
import { jobs, newJob, newReport, seenBy } from './resource.ts';

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

type SentJob = z.infer<typeof newJob>;

/** The report that a body of a job asks for. Refuses the fields of acts. */
function reportIn({ report, format: form, parameters: sent, action, list, ids, query }: SentJob): Wanted {
  const [foreign] = Object.entries({ action, list, ids, query }).find(([, value]) => value != null) ?? [];
  if (foreign !== undefined) throw new Refusal('parameter_invalid', `A report takes no ${foreign}`, foreign);
  if (!report) throw new Refusal('parameter_missing', 'Report missing', 'report');
  return { report, format: form, parameters: parse(withParameters, { parameters: sent }).parameters };
}

const withParameters = object({ parameters: parametersField });

/** Asks a job for what a body says. */
async function create(request: ApiRequest, body: SentJob): Promise<Reply> {
  const isBulk = body.type === 'bulk';
  if (isBulk && body.report) throw new Refusal('parameter_invalid', 'A bulk job takes no report', 'report');
  if (isBulk && (body.format ?? 'csv') !== 'csv')
    throw new Refusal('parameter_invalid', 'The file of a bulk job is CSV', 'format');
  const bulk = isBulk ? await bulkIn(request, body) : null;
  return write(request, {
    statusCode: 201,
    command: async (em, caller, now) =>
      bulk
        ? createBulkJob(em, bulk, now)
        : createJob(em, await wantedIn(em, reportIn(body), { caller, body, request }), now),
    present: presentJob,
  });
}

/** Responds with the file of a job. Refuses a job without one, and who may not read what it has. */
async function readFile({ deps, em, caller, ...request }: ApiRequest): Promise<Reply> {
  const id = pathId({ deps, em, caller, ...request }, 'Job');
  const job = found(await em.findOne(Job, { accountId: caller.account.id, id }), 'Job', id);
  const { fileName: name, fileType, fileSize, storeKey, status, input } = job;
  requirePermission(caller, 'permission' in input ? input.permission : permission, `file of job ${id}`);
  if ('action' in input && input.action === 'csv')
    await listCsv(em, { ...input, caller, ids: null, systemNow: deps.systemNow }); // refuses who may not read a column
  if (!name) throw new Refusal('state_conflict', `Job ${id} has no file: it is ${status}`);
  const bytes = found(await bytesOf(deps.fileStore, { storeKey }), 'File of job', id);
  const about = { name, type: fileType ?? null, size: fileSize ?? null };
  return { statusCode: 200, json: null, file: { about, bytes } };
}

export const jobRoutes: Route[] = [
  withBody({
    method: 'POST',
    path,
    operationId: 'createJob',
    permission: null,
    summary: 'Ask a job for a report with any number of rows, or for an act on many objects',
    body: newJob,
    example: { type: 'report', report: 'aging', format: 'csv', parameters: { as_of: '2027-03-31' } },
    answer: { statusCode: 201, kind: jobs },
    handle: create,
  }),
  {
    ...listRoute({
      path,
      resource: jobs,
      summary: 'List jobs: your own, and those whose result you may read',
      handle: (request) => list(request, seenBy(request.caller)),
    }),
    permission: null,
  },
  {
    ...readRoute({
      path,
      resource: jobs,
      summary: 'Read a job',
      handle: (request) => read(request, seenBy(request.caller)),
    }),
    permission: null,
  },
  {
    ...actionRoute({
      path: `${path}/:id/cancel`,
      operationId: 'cancelJob',
      summary:
        'Cancel a job: who asked for it may, and who may change settings. It stops within seconds and leaves no file',
      resource: jobs,
      command: cancelJob,
      present: presentJob,
    }),
    permission: null,
  },
  {
    method: 'GET',
    path: `${path}/:id/file`,
    operationId: 'readJobFile',
    permission: null,
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
