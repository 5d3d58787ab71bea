import { type SavedList, type SavedQuery, savedLists } from '../../billing/savedViews.ts';
import { createSavedView, deleteSavedView, updateSavedView } from '../../commands/accounts/savedViews.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { SavedView } from '../../db/schema/savedView.ts';
import { presentSavedView } from '../../present/accounts/savedView.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { checkListQuery, list } from '../reading/list.ts';
import { inPlace, listQuery, queryField } from '../reading/queryInBody.ts';
import { read } from '../reading/read.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';
import { charges } from './charges/resource.ts';
import { coupons } from './coupons.ts';
import { creditBalanceAdjustments } from './creditBalanceAdjustments.ts';
import { creditNotes } from './creditNotes/resource.ts';
import { customers } from './customers/resource.ts';
import { disputes } from './disputes.ts';
import { emails } from './emails.ts';
import { estimates } from './estimates/resource.ts';
import { events } from './events.ts';
import { invoices } from './invoices/resource.ts';
import { items } from './items.ts';
import { notes } from './notes.ts';
import { paymentLinks } from './paymentLinks.ts';
import { payments } from './payments/resource.ts';
import { plans } from './plans.ts';
import { problems } from './problems.ts';
import { refunds } from './refunds/routes.ts';
import { signUpPages } from './signUpPages.ts';
import { subscriptions } from './subscriptions/resource.ts';
import { tasks } from './tasks.ts';
import { textMessages } from './textMessages.ts';
import { writeOffs } from './writeOffs.ts';

interface Checks {
  check(request: ApiRequest, query: URLSearchParams): Promise<void>;
  /** Whether it is sorted or filtered by a name. */
  isOrderedBy(name: string): boolean;
}

const takes = <Row extends object>(resource: Resource<Row>): Checks => ({
  check: (request, query) => checkListQuery({ ...request, query }, resource),
  isOrderedBy: (name) => Object.hasOwn(resource.columns, name),
});

/** How the parameters of each list are checked. */
const lists: Readonly<Record<SavedList, Checks>> = {
  customers: takes(customers),
  invoices: takes(invoices),
  estimates: takes(estimates),
  credit_notes: takes(creditNotes),
  payments: takes(payments),
  charges: takes(charges),
  refunds: takes(refunds),
  disputes: takes(disputes),
  write_offs: takes(writeOffs),
  credit_balance_adjustments: takes(creditBalanceAdjustments),
  subscriptions: takes(subscriptions),
  items: takes(items),
  plans: takes(plans),
  coupons: takes(coupons),
  sign_up_pages: takes(signUpPages),
  payment_links: takes(paymentLinks),
  tasks: takes(tasks),
  notes: takes(notes),
  emails: takes(emails),
  text_messages: takes(textMessages),
  problems: takes(problems),
  events: takes(events),
};

const QUERY =
  'Parameters of the list as texts, by their names: filters, `sort`, `search`, `expand`. Pages and `columns` are none of them';
const COLUMNS = 'Columns in their order; empty: those that the list shows by default';
const SHARED = 'True: every member of the account sees it; false: only the member who made it';
const COLUMN_NAME = 'Name of a field of the objects, the path to a value in it, or a name that the list is sorted by';
const WIDTH = 'Width in pixels; null: as wide as the list decides';

const savedColumn = shown.value('SavedColumn', 'Column of a saved view', {
  name: shown.text(COLUMN_NAME, 'balance'),
  width: shown.nullable(shown.integer(WIDTH, 120)),
});

const savedView = shown.shape('SavedView', 'List with its filters, order and columns, kept under a name', {
  id: shown.id('Id of the saved view', 4),
  name: shown.text('Name of the view', 'Overdue, largest first'),
  list: shown.oneOf('List that it shows, by the name in its path', 'invoices', savedLists),
  query: shown.record(QUERY, { 'filter[status]': 'past_due', sort: 'due_date asc' }),
  columns: shown.listOf(savedColumn, COLUMNS),
  shared: shown.flag(SHARED, true),
  member: shown.nullable(shown.id('Id of the member who made it; null: a key of the account', 3)),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const MOST_COLUMNS = 100;
const NARROWEST = 20;
const WIDEST = 2000;

const columnField = object({
  name: fields.described(fields.required(fields.text()), COLUMN_NAME, 'balance'),
  width: fields.described(fields.wholeNumber(NARROWEST, WIDEST), WIDTH, 120),
});

const own = {
  name: fields.name,
  query: fields.described(queryField, QUERY, { 'filter[status]': 'past_due', sort: 'due_date asc' }),
  columns: fields.described(fields.list(columnField, MOST_COLUMNS), COLUMNS),
  shared: fields.described(
    fields.boolean,
    `${SHARED}. Default: false; of a key of the account, whose views are shared: true`,
  ),
};

const readOnly = ['id', 'object', 'member', 'created_at', 'updated_at'];

const newView = object(
  { ...own, name: fields.required(own.name), list: fields.required(fields.choice(...savedLists)) },
  { readOnly },
);

const viewChange = object(
  { ...own, name: fields.kept(own.name), shared: fields.kept(own.shared) },
  { readOnly, fixed: ['list'] },
);

const savedViews: Resource<SavedView, 'id'> = {
  name: 'Saved view',
  area: 'settings',
  shape: savedView,
  row: SavedView,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    name: column('name', fields.text()),
    list: filtered('list', fields.choice(...savedLists)),
    member: filtered('member_id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentSavedView),
};

/** The views that a caller sees: shared ones, and its own. */
function seenBy({ member }: Caller): typeof savedViews {
  const exists = member ? condition('(shared or member_id = ?)', member.id) : condition('shared');
  return { ...savedViews, exists };
}

interface SentView {
  query?: SavedQuery | null | undefined;
  columns?: readonly { name: string; width?: number | null | undefined }[] | null | undefined;
}

/** Query and columns in a body, checked as the list would. Undefined: not sent; null empties them. Refusals name their place. */
async function checkedIn({ query, columns }: SentView, { of, request }: { of: SavedList; request: ApiRequest }) {
  const kept = listQuery(query, 'A view');
  await inPlace(
    (param) => `query[${param}]`,
    () => lists[of].check(request, kept),
  );
  for (const [index, { name }] of (columns ?? []).entries())
    if (!lists[of].isOrderedBy(name))
      await inPlace(
        () => `columns[${index}][name]`,
        () => lists[of].check(request, new URLSearchParams({ columns: name })),
      );
  return {
    query: query === null ? {} : query,
    columns: columns === null ? [] : columns?.map(({ name, width = null }) => ({ name, width })),
  };
}

const path = '/saved_views';
const present = presentSavedView;

const routes: Route[] = [
  createRoute({
    path,
    resource: savedViews,
    summary: 'Save a view of a list',
    body: newView,
    present,
    example: {
      name: 'Overdue, largest first',
      list: 'invoices',
      query: { 'filter[status]': 'past_due' },
      columns: [{ name: 'number' }, { name: 'balance', width: 120 }],
    },
    command: async (em, { caller, body, request }, now) => {
      const { name, list: of, shared } = body;
      const { query = {}, columns = [] } = await checkedIn(body, { of, request });
      return createSavedView(em, { caller, fields: { name, list: of, query, columns, shared: shared ?? null } }, now);
    },
  }),
  listRoute({
    path,
    resource: savedViews,
    summary: 'List saved views: shared ones, and your own',
    handle: (request) => list(request, seenBy(request.caller)),
  }),
  readRoute({
    path,
    resource: savedViews,
    summary: 'Read a saved view',
    handle: (request) => read(request, seenBy(request.caller)),
  }),
  updateRoute({
    path,
    resource: savedViews,
    summary: 'Change a saved view: who made it may, and of a shared one who may change settings',
    body: viewChange,
    present,
    example: { columns: [{ name: 'number' }, { name: 'due_date' }], shared: true },
    command: (em, { caller, id, body, request }, now) => {
      const change = async (view: SavedView) => ({
        name: body.name,
        shared: body.shared,
        ...(await checkedIn(body, { of: view.list, request })),
      });
      return updateSavedView(em, { caller, id, change }, now);
    },
  }),
  deleteRoute({
    path,
    resource: savedViews,
    summary: 'Delete a saved view: who made it may, and of a shared one who may change settings',
    command: deleteSavedView,
  }),
];

/** Every member keeps views, whatever its role; who may change shared ones, the commands say. */
export const savedViewRoutes: Route[] = routes.map((route) => ({ ...route, permission: null }));
