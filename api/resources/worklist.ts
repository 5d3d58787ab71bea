import { type Assignee, areaOfWork, assignees, type WorkKind, workKinds } from '../../billing/collection/work.ts';
import { Refusal } from '../../billing/refusal.ts';
import { endOfDay, localDay } from '../../billing/time/calendar.ts';
import { latestKnown } from '../../db/queries/clocks/clocks.ts';
import { condition, textArray } from '../../db/queries/kernel/sql.ts';
import { type WorklistOf, worklistOf } from '../../db/queries/reports/worklist.ts';
import { WorkItem } from '../../db/schema/workItem.ts';
import { presentWorkItem, type Reader } from '../../present/reports/worklist.ts';
import { spokenLanguages } from '../../words/languages.ts';
import * as fields from '../body/fields.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { Forbidden } from '../framework/errors.ts';
import { filtered, type Resource, sorted, where } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { list } from '../reading/list.ts';
import { listRoute } from '../reading/readRoutes.ts';
import { customers } from './customers/resource.ts';
import { tasks } from './tasks.ts';

const subject = shown.value('WorkSubject', 'Object that waits', {
  object: shown.choice('Type of the object', 'invoice', 'task', 'payment', 'dispute', 'problem'),
  id: shown.integer('Id of the object', 77),
  path: shown.text('Path of the object', '/invoices/77'),
});

const item = shown.shape('WorkItem', 'Object that waits for a person, with the money at risk and the reason', {
  id: shown.text('Id of the item, the same as long as the object waits', 'broken_promise-0000000077'),
  kind: shown.oneOf(
    '`problem`: a step that a process cannot take; `dispute`: a bank holds money of a charge; `disputed_invoice`: a customer disputes a line; `broken_promise`: a promised payment did not come; `task`: a call, letter or review that is due; `failed_charge`: AutoPay could not charge an open invoice; `unapplied_payment`: money that pays nothing yet',
    'broken_promise',
    workKinds,
  ),
  subject: shown.one(subject, 'Object that waits'),
  title: shown.text('Number of the document, name of the task, or step of the problem', 'INV-00077'),
  why: shown.text(
    'Reason why it waits, in sentences in the language of `Accept-Language`',
    '120.00 USD was promised for 26 March 2027 and did not come.',
  ),
  task: shown.nullable(shown.id('Id of the open task about it; null: it has none', 8)),
  action: shown.nullable(
    shown.choice('Kind of action of the task; null: it has none', 'phone', 'letter', 'email', 'review'),
  ),
  customer: shown.nullable(shown.id('Id of the customer; null: it belongs to none', 15)),
  customer_name: shown.nullable(
    shown.text('Name of the customer; null: it belongs to none, or the caller may not read customers', 'Acme'),
  ),
  user_id: shown.nullable(
    shown.id('Id of the member who does it: that of the task, else the owner of the customer; null: nobody yet', 3),
  ),
  currency: shown.nullable(shown.currency('Currency of `money_at_risk`: three-letter ISO 4217 code')),
  money_at_risk: shown.nullable(
    shown.money(
      'Open balance of the invoice or of the invoices that the task asks for, what the customer of another task owes past its due date, the disputed amount, the unapplied balance, or the amount that a process cannot bill or collect; null: none',
      120,
    ),
  ),
  due_at: shown.nullable(shown.timestamp('Due date of the task, or end of the time for evidence; null: none')),
  since: shown.timestamp('Since when it waits'),
});

/** Whose work a list shows; `memberId`: the member who asks, null: a key of the account. */
function assignedTo(memberId: number | null) {
  const of = (who: Assignee) => {
    if (who === 'team') return condition('true');
    if (who === 'unassigned') return condition('user_id is null');
    if (memberId === null)
      throw new Refusal(
        'parameter_invalid',
        'A key of the account is no member: nothing is its own',
        'filter[assignee]',
      );
    return condition('user_id = ?', memberId);
  };
  const rule = '`me`: of the member who asks; `team`: of everybody; `unassigned`: of nobody';
  return where(fields.described(fields.choice(...assignees), rule, 'me'), of);
}

const kindField = fields.choice(...workKinds);

/** What waits for a person, as it is now for a reader. */
function worklist({
  reader,
  memberId,
  of,
}: {
  reader: Reader;
  memberId: number | null;
  of: WorklistOf | null;
}): Resource<WorkItem, 'id'> {
  return {
    name: 'Work item',
    area: 'collections',
    shape: item,
    row: WorkItem,
    idColumn: 'id',
    listedFrom: () => (of && worklistOf(of)) || undefined,
    listed: () => condition('kind = any(?::text[])', textArray(of?.kinds ?? [])),
    columns: {
      id: filtered('id', fields.text()),
      kind: filtered('kind', kindField),
      assignee: { sort: null, filter: assignedTo(memberId) },
      user_id: filtered('user_id', fields.id),
      customer: filtered('customer_id', fields.id),
      currency: filtered('currency', fields.currency),
      due_at: sorted('due_at'),
      since: sorted('since'),
    },
    order: [{ column: 'place', direction: 'asc' }],
    present: async (_reading, rows) => rows.map((row) => presentWorkItem(row, reader)),
    relations: {
      customer: relation(
        () => customers,
        (row) => row.customerId ?? null,
      ),
      task: relation(
        () => tasks,
        (row) => row.taskId ?? null,
      ),
    },
  };
}

/** The kinds that a caller may read. Throws Forbidden if there are none. */
function kindsOf({ caller }: ApiRequest): WorkKind[] {
  const kinds = workKinds.filter((kind) => caller.permissions.includes(`${areaOfWork[kind]}.read`));
  if (kinds.length > 0) return kinds;
  const areas = [...new Set(Object.values(areaOfWork))].map((area) => `${area}.read`);
  throw new Forbidden(`The worklist needs one of the permissions ${areas.join(', ')}`);
}

async function readWorklist(request: ApiRequest) {
  const { em, caller, deps, language } = request;
  const { account, member } = caller;
  const kinds = kindsOf(request);
  const now = deps.systemNow();
  const { id: accountId, currency, timeZone } = account;
  const until = new Date(endOfDay(localDay(now.getTime(), timeZone), timeZone));
  const latest = await latestKnown(em, account, now);
  const seesNames = caller.permissions.includes('customers.read');
  const seesOwed = caller.permissions.includes('documents.read');
  const of = { accountId, currency, until, latest, kinds, seesOwed };
  const reader = { language, timeZone, seesNames };
  const found = await list(request, worklist({ reader, memberId: member?.id ?? null, of }));
  return { ...found, headers: { ...found.headers, 'Content-Language': language, Vary: 'Accept-Language' } };
}

const declared = worklist({ reader: { language: 'en', timeZone: 'UTC', seesNames: true }, memberId: null, of: null });

export const worklistRoutes: Route[] = [
  {
    ...listRoute({
      path: '/worklist',
      resource: declared,
      summary: `List the objects that wait for a person, by the money at risk: first the currency of the account, then the others by their codes, the largest amount of each first; then what has no amount. Each kind needs the permission to read its objects. Names of customers need \`customers.read\`; what the customer of a task or payment owes needs \`documents.read\`. \`why\` is in the first of the languages ${spokenLanguages.join(', ')} that \`Accept-Language\` names, by default English`,
      handle: readWorklist,
    }),
    permission: null,
  },
];
