import type { z } from 'zod';
import { Refusal } from '../../billing/refusal.ts';
import { type ReportName, reportNames } from '../../billing/reports/report.ts';
import { type Every, everies, ranges, type ScheduledParameters } from '../../billing/reports/schedule.ts';
import { createSchedule, deleteSchedule, type ScheduleFields, updateSchedule } from '../../commands/jobs/schedules.ts';
import { checkAsked } from '../../commands/reports/reports.ts';
import type { EntityManager } from '../../db/orm.ts';
import { ReportSchedule } from '../../db/schema/reportSchedule.ts';
import { presentReportSchedule } from '../../present/reports/job.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import { column, type Resource, readParameter, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';
import { inParameters, parametersField, refuseUnknownParameters } from './reports/inBodies.ts';
import { type Asking, readAsked, reportParameterNames, zoneField } from './reports/parameters.ts';

const skipped = shown.value('SkippedRecipient', 'Recipient who got no report, and why', {
  member: shown.id('Id of the member', 3),
  reason: shown.text('Reason in words', 'the member is deactivated'),
});

const lastRun = shown.value('ScheduleRun', 'Run of a report schedule', {
  at: shown.timestamp('When it was'),
  day: shown.text('Local day on which the report was sent', '2027-04-01'),
  jobs: {
    ...shown.record(''),
    schema: { type: 'array', items: { type: 'integer' }, description: 'Ids of its jobs, one for each recipient' },
    example: [7],
  },
  skipped: shown.listOf(skipped, 'Recipients who got no report'),
});

const RECIPIENTS = 'Ids of the members who get it; each gets what it may see itself';
const HOUR = 'Full hour at which it is sent, 0 to 23, by the clock of `zone`';
const WEEKDAY = 'Day of the week, 1 (Monday) to 7, of a report of each week';
const DAY = 'Day of the month, 1 to 31, of a report of each month; a shorter month ends with its last day';
const RANGE =
  '`range`: `previous_day`, `previous_week` (Monday to Sunday), `previous_month` or `month_to_date`, seen from the day on which it is sent; and other parameters of the report. A report of one day is of the last one';

const reportSchedule = shown.shape('ReportSchedule', 'Report that is mailed to members each day, week or month', {
  id: shown.id('Id of the schedule', 2),
  name: shown.text('Name, the subject of its mails', 'Aging for the board'),
  report: shown.oneOf('Name of the report', 'aging', reportNames),
  format: shown.choice('Form of its file', 'csv', 'xlsx'),
  parameters: shown.record(RANGE, { range: 'previous_month' }),
  every: shown.oneOf('Interval at which it is sent', 'month', everies),
  weekday: shown.unset(shown.integer(`${WEEKDAY}; null: of none`, 1)),
  day: shown.nullable(shown.integer(`${DAY}; null: of none`, 1)),
  hour: shown.integer(HOUR, 7),
  zone: shown.text('Time zone of its hour and of the days of the report', 'America/Chicago'),
  recipients: {
    ...shown.record(''),
    schema: { type: 'array', items: { type: 'integer' }, description: RECIPIENTS },
    example: [3],
  },
  last_run: shown.nullable(shown.one(lastRun, 'Last run; null: none yet')),
  member: shown.nullable(shown.id('Id of the member who made it; null: a key of the account', 3)),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const MOST_RECIPIENTS = 20;
const readOnly = ['id', 'object', 'last_run', 'member', 'created_at', 'updated_at'];
const shared = {
  weekday: fields.described(fields.wholeNumber(1, 7), WEEKDAY, 1),
  day: fields.described(fields.wholeNumber(1, 31), DAY, 1),
};
const own = {
  name: fields.name,
  format: fields.choice('csv', 'xlsx'),
  parameters: fields.described(parametersField, RANGE, { range: 'previous_month' }),
  every: fields.choice(...everies),
  hour: fields.described(fields.wholeNumber(0, 23), HOUR, 7),
  zone: fields.described(zoneField, 'Time zone of its hour and of the days; default: that of the account'),
  recipients: fields.described(fields.list(fields.required(fields.id), MOST_RECIPIENTS), RECIPIENTS, [3]),
};

const newSchedule = object(
  {
    ...own,
    ...shared,
    name: fields.required(own.name),
    report: fields.required(fields.choice(...reportNames)),
    parameters: fields.required(own.parameters),
    every: fields.required(own.every),
    hour: fields.required(own.hour),
    recipients: fields.required(own.recipients),
  },
  { readOnly },
);

const scheduleChange = object(
  {
    ...shared,
    name: fields.kept(own.name),
    format: fields.kept(own.format),
    parameters: fields.kept(own.parameters),
    every: fields.kept(own.every),
    hour: fields.kept(own.hour),
    zone: fields.kept(own.zone),
    recipients: fields.kept(own.recipients),
  },
  { readOnly, fixed: ['report'] },
);

const reportSchedules: Resource<ReportSchedule, 'id'> = {
  name: 'Report schedule',
  area: 'reports',
  shape: reportSchedule,
  row: ReportSchedule,
  idColumn: 'id',
  columns: { id: column('id', fields.id), created_at: sorted('created_at'), updated_at: sorted('updated_at') },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentReportSchedule),
};

const range = fields.choice(...ranges);

/** What a scheduled report is asked for. Refuses parameters that it does not have, and days, which follow from the range. */
async function parametersOf(
  em: EntityManager,
  { report, query }: { report: ReportName; query: URLSearchParams },
  of: Pick<Asking, 'account' | 'now'>,
): Promise<ScheduledParameters> {
  const days = ['as_of', 'start', 'end', 'zone', 'known_at', 'owner_on'];
  const known = ['range', ...reportParameterNames(report).filter((name) => !days.includes(name))];
  return inParameters(async () => {
    refuseUnknownParameters(query, { report, known });
    const wanted = readParameter(range, query.get('range') ?? '', 'range');
    const asked = readAsked(report, { ...of, latest: of.now, query });
    await checkAsked(em, report, asked);
    const { currency, customer, owner, metadata, options, fields: columns, groupBy } = asked;
    return {
      range: wanted ?? 'previous_day',
      currency,
      customer,
      owner,
      metadata,
      options,
      fields: columns,
      groupBy,
    };
  });
}

interface SentDay {
  weekday?: number | null | undefined;
  day?: number | null | undefined;
}

/** The day of a schedule by its two names; null: not sent. Refuses the one that does not fit. */
function dayIn({ weekday = null, day = null }: SentDay, every: Every): number | null {
  const isUnfit = { weekday: weekday !== null && every !== 'week', day: day !== null && every !== 'month' };
  const unfit = isUnfit.weekday ? 'weekday' : isUnfit.day ? 'day' : null;
  if (unfit) throw new Refusal('parameter_invalid', `A report of each ${every} has no ${unfit}`, unfit);
  return every === 'week' ? weekday : day;
}

/** The fields of a schedule after a change. */
async function changed(
  em: EntityManager,
  { schedule, body }: { schedule: ReportSchedule; body: z.output<typeof scheduleChange> },
  of: Pick<Asking, 'account' | 'now'>,
): Promise<ScheduleFields> {
  const { report } = schedule;
  const every = body.every ?? schedule.every;
  const before = every === schedule.every ? (schedule.day ?? null) : null;
  return {
    name: body.name ?? schedule.name,
    report,
    format: body.format ?? schedule.format,
    parameters: body.parameters ? await parametersOf(em, { report, query: body.parameters }, of) : schedule.parameters,
    every,
    day: dayIn(body, every) ?? before,
    hour: body.hour ?? schedule.hour,
    zone: body.zone ?? schedule.zone,
    recipients: body.recipients ?? schedule.recipients,
  };
}

const path = '/report_schedules';
const present = presentReportSchedule;

const routes: Route[] = [
  createRoute({
    path,
    resource: reportSchedules,
    summary: 'Mail a report to members each day, week or month',
    body: newSchedule,
    present,
    example: {
      name: 'Aging for the board',
      report: 'aging',
      parameters: { range: 'previous_month' },
      every: 'month',
      day: 1,
      hour: 7,
      recipients: [3],
    },
    command: async (em, { caller, body }, now) => {
      const { account } = caller;
      const { name, report, every, hour, recipients } = body;
      const parameters = await parametersOf(em, { report, query: body.parameters }, { account, now });
      const rest = { format: body.format ?? 'csv', zone: body.zone ?? account.timeZone, day: dayIn(body, every) };
      return createSchedule(
        em,
        { caller, fields: { name, report, parameters, every, hour, recipients, ...rest } },
        now,
      );
    },
  }),
  listRoute({ path, resource: reportSchedules, summary: 'List report schedules' }),
  readRoute({ path, resource: reportSchedules, summary: 'Read a report schedule' }),
  updateRoute({
    path,
    resource: reportSchedules,
    summary: 'Change a report schedule: who made it may, and who may change settings',
    body: scheduleChange,
    present,
    example: { hour: 8 },
    command: (em, { caller, id, body }, now) => {
      const { account } = caller;
      return updateSchedule(
        em,
        { caller, id, change: (schedule) => changed(em, { schedule, body }, { account, now }) },
        now,
      );
    },
  }),
  deleteRoute({
    path,
    resource: reportSchedules,
    permission: 'reports.read',
    summary: 'Delete a report schedule: who made it may, and who may change settings',
    command: deleteSchedule,
  }),
];

export const reportScheduleRoutes: Route[] = routes.map((route) => ({ ...route, ofAllCustomers: true }));
