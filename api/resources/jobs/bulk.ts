import type { z } from 'zod';
import {
  type BulkAction,
  type BulkList,
  type BulkParameters,
  bulkActions,
  bulkLists,
  MOST_CHOSEN,
  MOST_IDS,
} from '../../../billing/jobs/bulk.ts';
import { Refusal } from '../../../billing/refusal.ts';
import type { SavedQuery } from '../../../billing/savedViews.ts';
import type { WantedBulk } from '../../../commands/jobs/bulkJobs.ts';
import type { ListCsv } from '../../../commands/jobs/jobs.ts';
import { requirePermission } from '../../../commands/kernel/caller.ts';
import { readingOf } from '../../../db/queries/kernel/reading.ts';
import { all, hasId } from '../../../db/queries/kernel/sql.ts';
import { unix } from '../../../present/kernel/values.ts';
import * as fields from '../../body/fields.ts';
import { object, parse } from '../../body/request.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import type { Resource } from '../../framework/resource.ts';
import { columnsIn, csvHeading, csvLines, withEntries } from '../../reading/csv.ts';
import { customFieldsOf } from '../../reading/customFields.ts';
import { presentRows, refuseBelow, wantedBy } from '../../reading/expand.ts';
import { idsFound } from '../../reading/list.ts';
import { inPlace, listQuery, queryField } from '../../reading/queryInBody.ts';
import { creditNotes } from '../creditNotes/resource.ts';
import { customers } from '../customers/resource.ts';
import { sendingFields } from '../emails.ts';
import { estimates } from '../estimates/resource.ts';
import { invoices } from '../invoices/resource.ts';
import { payments } from '../payments/resource.ts';
import { asked } from '../statements.ts';
import { subscriptions } from '../subscriptions/resource.ts';

/** A list whose objects a job acts on. */
interface Source {
  area: Resource<object>['area'];
  find(request: ApiRequest): Promise<number[]>;
  /** The columns with each `*` replaced by the entries that there are now. */
  columns(request: ApiRequest, columns: string): Promise<string>;
  csv: ListCsv;
}

function sourceOf<Row extends object>(resource: Resource<Row>): Source {
  const { row, from, exists, area } = resource;
  return {
    area,
    find: (request) => idsFound(request, resource, MOST_CHOSEN + 1),
    columns: async ({ em, caller }, columns) => {
      const query = await withEntries({ em, caller, query: new URLSearchParams({ columns }) }, resource);
      return query.get('columns') ?? columns;
    },
    csv: async (em, { caller, parameters, ids, systemNow }) => {
      const { columns: names, expand, include } = parameters;
      const query = new URLSearchParams({ columns: names ?? '', expand: expand ?? '', include: include ?? '' });
      const wanted = wantedBy(query, { caller, deps: { systemNow } });
      refuseBelow(caller, resource, wanted);
      const columns = columnsIn(query, resource, await customFieldsOf({ em, query, caller }, resource));
      if (ids === null) return csvHeading(columns);
      const reading = readingOf(em, caller.account.id);
      const where = all([...(exists ? [exists] : []), hasId(ids)]);
      const found = await reading.slice({ row, from, where, order: [BY_ID], limit: ids.length, offset: 0 });
      const byId = new Map(found.map(({ row: one, keyset: [id] }) => [Number(id), one]));
      const rows = ids.flatMap((id) => byId.get(id) ?? []);
      return csvLines(columns, await presentRows(reading, resource, { rows, wanted }));
    },
  };
}

const BY_ID = { column: 'id', direction: 'asc', nullable: false } as const;

const sources: Readonly<Record<BulkList, Source>> = {
  customers: sourceOf(customers),
  invoices: sourceOf(invoices),
  estimates: sourceOf(estimates),
  credit_notes: sourceOf(creditNotes),
  payments: sourceOf(payments),
  subscriptions: sourceOf(subscriptions),
};

/** What reading the lists needs. */
export const listPermissions = bulkLists.map((list) => `${sources[list].area}.read` as const);

export const listCsv: ListCsv = (em, wanted) => sources[wanted.list].csv(em, wanted);

const ACTION = [
  'Action on each object, of a job of type `bulk`: `send` mails invoices, estimates or credit notes; `remind` mails unpaid invoices a reminder;',
  '`assign` gives customers an owner; `void` voids invoices, estimates or credit notes; `write_off` writes off what invoices owe;',
  '`statement` mails customers their statement; `csv` writes objects to the file',
].join(' ');

/** The fields of a job of type `bulk`. */
export const bulkFields = {
  action: fields.described(fields.choice(...bulkActions), ACTION, 'send'),
  list: fields.described(fields.choice(...bulkLists), 'List of the objects, by the name in its path', 'invoices'),
  ids: fields.described(
    fields.list(fields.id, MOST_IDS),
    `Ids of the objects, in the order in which they are acted on, at most ${MOST_IDS}; instead of \`query\``,
  ),
  query: fields.described(
    queryField,
    `Parameters of the list as texts: filters, \`search\`, \`sort\`. The objects that they find now are acted on, at most ${MOST_CHOSEN}; \`{}\`: all of them`,
    { 'filter[status]': 'past_due' },
  ),
};

/** Parameters of all acts; which one an act takes, its command says. */
const acted = object({
  template: sendingFields.template,
  subject: sendingFields.subject,
  message: sendingFields.message,
  owner: fields.id,
  reason: fields.text(),
  rebill_usage: fields.boolean,
  ...asked,
  columns: fields.longText,
  expand: fields.longText,
  include: fields.longText,
});

const withParameters = object({ parameters: fields.nested(acted) });

function storedOf({ start, end, ...parameters }: Partial<z.infer<typeof acted>>): BulkParameters {
  return {
    ...parameters,
    start: start ? unix(start) : start,
    end: end ? unix(end) : end,
  };
}

interface SentBulk {
  action?: BulkAction | null | undefined;
  list?: BulkList | null | undefined;
  ids?: readonly (number | null | undefined)[] | null | undefined;
  query?: SavedQuery | null | undefined;
  parameters?: unknown;
}

/** The act that a body asks a job for. Its objects are found before the transaction, which would hold up others. */
export async function bulkIn(request: ApiRequest, body: SentBulk): Promise<WantedBulk> {
  const { caller, deps } = request;
  const { action, list } = body;
  if (!action) throw new Refusal('parameter_missing', 'Action missing', 'action');
  if (!list) throw new Refusal('parameter_missing', 'List missing', 'list');
  const source = sources[list];
  const reading = `${source.area}.read` as const;
  requirePermission(caller, reading, `list=${list}`);
  const read = parse(withParameters, { parameters: body.parameters });
  const stored = storedOf(read.parameters ?? {});
  const { columns } = stored;
  const parameters = columns ? { ...stored, columns: await source.columns(request, columns) } : stored;
  if (action === 'csv')
    await inPlace(
      (param) => `parameters[${param}]`,
      () => source.csv(deps.em, { caller, list, parameters, ids: null, systemNow: deps.systemNow }),
    );
  return { caller, action, list, reading, parameters, chosen: await chosenIn(request, source, body) };
}

async function chosenIn(request: ApiRequest, source: Source, { ids, query }: SentBulk): Promise<WantedBulk['chosen']> {
  if (ids && query) throw new Refusal('parameter_invalid', 'Send ids or query, not both', 'query');
  if (ids) return { by: 'ids', ids: [...new Set(ids.flatMap((id) => id ?? []))] };
  if (!query) throw new Refusal('parameter_missing', 'Ids missing, or a query', 'ids');
  const asked = { ...request, query: listQuery(query, 'A job') };
  const found = await inPlace(
    (param) => `query[${param}]`,
    () => source.find(asked),
  );
  return { by: 'query', ids: found };
}
