import { documentTypes } from '../../../billing/documents/document.ts';
import { customerProcesses } from '../../../billing/processes.ts';
import { type StepText, stepTexts } from '../../../billing/stepTexts.ts';
import { subjectTables } from '../../schema/customerTables.ts';

/** Types of objects that have a timeline. */
export const timelineScopes = ['customer', 'subscription', 'invoice', 'credit_note', 'estimate', 'payment'] as const;
export type TimelineScope = (typeof timelineScopes)[number];

type ScopeWithInvoices = 'customer' | 'subscription' | 'invoice';

/** SQL: invoices that belong to the object with `scope_id`. */
const invoices: Readonly<Record<ScopeWithInvoices, string>> = {
  customer: 'select account_id, customer_id as scope_id, id from invoice',
  subscription: 'select account_id, subscription_id as scope_id, id from invoice where subscription_id is not null',
  invoice: 'select account_id, id as scope_id, id from invoice',
};

/** SQL: attempts to collect these invoices. Applications may have been removed again: only attempts and ledger entries remain. */
const attemptsOf = (invoiceRows: string) => `select i.account_id, i.scope_id, a.attempt_id as id from (${invoiceRows}) i
  join attempt_invoice a on a.account_id = i.account_id and a.invoice_id = i.id`;

const moneyOf = (invoiceRows: string) => `
  select a.account_id, a.scope_id, 'charge' as type, c.id from (${attemptsOf(invoiceRows)}) a
    join charge c on c.account_id = a.account_id and c.attempt_id = a.id
  union select a.account_id, a.scope_id, 'payment', p.id from (${attemptsOf(invoiceRows)}) a
    join charge c on c.account_id = a.account_id and c.attempt_id = a.id
    join payment p on p.account_id = c.account_id and p.charge_id = c.id
  union select i.account_id, i.scope_id, 'payment', l.payment_id from (${invoiceRows}) i
    join ledger_entry l on l.account_id = i.account_id and l.invoice_id = i.id and l.payment_id is not null`;

const selfOf = (scope: TimelineScope) => `select account_id, id as scope_id, '${scope}' as type, id from ${scope}`;

const ownOf = (scope: ScopeWithInvoices) => `
  ${selfOf(scope)}
  union select account_id, scope_id, 'invoice', id from (${invoices[scope]}) i`;

/** SQL: a credit note, the payments that apply it, and the adjustments for what it exceeds its invoice by. */
const OF_NOTE = `${selfOf('credit_note')}
  union select account_id, credit_note_id, 'payment', payment_id from payment_application where credit_note_id is not null
  union select account_id, credit_note_id, 'credit_balance_adjustment', id from credit_balance_adjustment where credit_note_id is not null`;

/** SQL: an estimate, the payments that put its deposit aside, and the invoice that was created from it. */
const OF_ESTIMATE = `${selfOf('estimate')}
  union select account_id, estimate_id, 'payment', payment_id from payment_application where estimate_id is not null
  union select account_id, id, 'invoice', invoice_id from estimate where invoice_id is not null`;

/** SQL: a payment and its charge. */
const OF_PAYMENT = `${selfOf('payment')}
  union select account_id, id, 'charge', charge_id from payment where charge_id is not null`;

/** SQL: objects of the timelines that show no invoices besides. */
const SMALL: Readonly<Record<Exclude<TimelineScope, ScopeWithInvoices>, string>> = {
  credit_note: OF_NOTE,
  estimate: OF_ESTIMATE,
  payment: OF_PAYMENT,
};

const isSmall = (scope: TimelineScope): scope is keyof typeof SMALL => Object.hasOwn(SMALL, scope);

/** SQL: a customer's own objects, payments and charges included, whether applied or not. */
const ofCustomer = subjectTables
  .filter((table) => table !== 'invoice')
  .map((table) => `union select account_id, customer_id, '${table}', id from ${table} where customer_id is not null`)
  .join('\n  ');

/** SQL: subjects whose events a timeline shows: (account_id, scope_id, type, id), each once. */
function subjectsOf(scope: TimelineScope): string {
  if (isSmall(scope)) return SMALL[scope];
  return scope === 'customer'
    ? `${ownOf(scope)} ${ofCustomer}`
    : `${ownOf(scope)} union select * from (${moneyOf(invoices[scope])}) m`;
}

/** SQL: subjects whose wake-ups a timeline shows: (account_id, scope_id, type, id). The type is that of the process. */
function waitersOf(scope: TimelineScope): string {
  if (scope === 'payment')
    return `${selfOf(scope)} union select p.account_id, p.id, 'charge', c.attempt_id from payment p
      join charge c on c.account_id = p.account_id and c.id = p.charge_id`;
  if (isSmall(scope)) return selfOf(scope); // nothing waits for a credit note
  if (scope !== 'customer')
    return `${ownOf(scope)} union select account_id, scope_id, 'charge', id from (${attemptsOf(invoices[scope])}) a`;
  return customerProcesses
    .map(({ process, table }) => `select account_id, customer_id as scope_id, '${process}' as type, id from ${table}`)
    .join(' union ');
}

/** SQL: a text of a notice, with SQL for its values. */
function textOf(name: StepText, values: Readonly<Record<string, string>> = {}): string {
  const parts = stepTexts[name].split(/\{(\w+)\}/).map((part, index) => (index % 2 ? values[part] : `'${part}'`));
  return parts.filter((part) => part !== "''").join(' || ');
}

const NOTICE_TEMPLATES = "('contract_ending_email', 'subscription_renews_soon_email')";
const CARD_TEMPLATE = 'card_expiring_email';
const NOTICE = `split_part(e.cause, ':', 1) as type, split_part(e.cause, ':', 2)::int as id, e.id as email_id, e.created_at,
    case e.template when 'contract_ending_email' then 'contract_ending' when '${CARD_TEMPLATE}' then 'card_expiring' else 'renews_soon' end as rule`;
/** Their causes name the object and the announced event; those of copies to further recipients are longer. */
const ANNOUNCED = '(contract:[-0-9]+|renewal:[-0-9]+:[-0-9]+)$';

/** SQL: the mailed notices, with the rules of their wake-ups. Reads the mail of one customer. */
const mailedNotices = {
  customer: `select e.account_id, e.customer_id as scope_id, ${NOTICE} from email e
    where e.template in ${NOTICE_TEMPLATES} and e.cause ~ '^subscription:[0-9]+:${ANNOUNCED}'
      or e.template = '${CARD_TEMPLATE}' and e.cause ~ '^payment_source:[0-9]+:[0-9]{4}-[0-9]{2}$'`,
  subscription: `select s.account_id, s.id as scope_id, ${NOTICE}
    from subscription s, lateral (select * from email e where e.account_id = s.account_id and e.customer_id = s.customer_id
      and e.template in ${NOTICE_TEMPLATES} and e.cause ~ ('^subscription:' || s.id || ':${ANNOUNCED}') offset 0) e`,
};

/** SQL: the mailed notices of an object as rows of its timeline. Documents and payments show none. */
function noticesOf(scope: TimelineScope): string {
  if (scope === 'invoice' || isSmall(scope)) return '';
  return `union all
    select n.account_id, n.scope_id, 'email-' || lpad(n.email_id::text, 16, '0'), n.created_at, false, n.rule, n.type, n.id,
      null, -1, null, null, null,
      case n.rule when 'renews_soon' then ${textOf('renewal_mailed')} when 'card_expiring' then ${textOf('card_mailed')}
        else ${textOf('contract_mailed')} end, null, null, null
    from (${mailedNotices[scope]}) n`;
}

/** SQL: addresses to which a customer stopped or resumed reminders, as rows of its timeline. */
function stopsOf(scope: TimelineScope): string {
  if (scope !== 'customer') return '';
  const rows = (['stopped', 'resumed'] as const).map(
    (done) => `union all
    select account_id, customer_id, 'reminders-' || lpad(id::text, 16, '0') || '-${done}', ${done}_at, false, 'reminders_${done}',
      'customer', customer_id, null, -1, null, null, null, ${textOf(`reminders_${done}`, { address: 'address' })}, null, null, null
    from reminder_address where ${done}_at is not null`,
  );
  return rows.join('\n    ');
}

/** SQL: the steps of cadences that asked a customer otherwise than by mail, as rows of its timeline. */
function remindersOf(scope: TimelineScope): string {
  if (scope !== 'customer') return '';
  return `union all
    select account_id, customer_id, 'chased-' || lpad(id::text, 16, '0'), created_at, false, 'chased', 'customer', customer_id,
      null, -1, null, null, null,
      case when task_id is null then ${textOf('reminder_text')} else ${textOf('reminder_task', { id: 'task_id', action: 'channel' })} end, null, null, null
    from reminder where task_id is not null or channel = 'sms'`;
}

/** SQL: the statements of a schedule that became a task, as rows of the timeline of a customer. */
function statementsOf(scope: TimelineScope): string {
  if (scope !== 'customer') return '';
  return `union all
    select account_id, customer_id, 'statement-' || lpad(id::text, 16, '0'), created_at, false, 'stated', 'customer', customer_id,
      null, -1, null, null, null,
      ${textOf('statement_task', { month: 'month', currency: 'currency', id: 'task_id' })}, null, null, null
    from scheduled_statement where task_id is not null`;
}

/** SQL: what became of the texts to a customer, as rows of its timeline. */
function textsOf(scope: TimelineScope): string {
  if (scope !== 'customer') return '';
  const text = { id: 'id', state: 'state' };
  return `union all
    select account_id, customer_id, 'text-' || lpad(id::text, 16, '0'), updated_at, false, 'texted', 'customer', customer_id,
      null, -1, null, null, null, 
      case when failure_reason is null then ${textOf('text_ended', text)} else ${textOf('text_failed', { ...text, reason: 'failure_reason' })} end, null, null, null
    from text_message where next_attempt_at is null`;
}

/** SQL: an email `e` as a row of a timeline. Its `object` says what was mailed to whom. An erased address is empty. */
const mailRow = (columns: {
  scopeId: string;
  subject: string;
}) => `select e.account_id, ${columns.scopeId}, 'mail-' || lpad(e.id::text, 16, '0'),
      case when e.failure_reason is null then e.created_at else e.updated_at end, false,
      case split_part(e.cause, ':', 1) when 'reminder' then 'chased' when 'statement' then 'stated' else 'mailed' end, ${columns.subject},
      null, -1, null, json_build_object('template', coalesce(e.kind, e.template), 'cause', split_part(e.cause, ':', 1), 'to', e.to_address, 'state', e.state, 'reason', e.failure_reason),
      null, null, null, null, null`;

/** SQL: the mails to a customer besides the notices that arrived, or those of a document, as rows of its timeline. Reads the mail of one customer or document. */
function mailsOf(scope: TimelineScope): string {
  if (scope === 'subscription') return '';
  if (scope !== 'customer')
    return `union all ${mailRow({ scopeId: 'o.id', subject: `'${scope}', o.id` })}
    from ${scope} o, lateral (select * from email m where m.account_id = o.account_id and m.customer_id = o.customer_id
      and m.document is not null and m.document->>'type' = '${scope}' and m.document->>'id' = o.id::text offset 0) e`;
  const isOfDocument = `e.document->>'type' in (${documentTypes.map((type) => `'${type}'`).join()})`;
  const subject = `case when ${isOfDocument} then e.document->>'type' else 'customer' end,
      case when ${isOfDocument} then (e.document->>'id')::int else e.customer_id end`;
  return `union all ${mailRow({ scopeId: 'e.customer_id', subject })}
    from email e where e.failure_reason is not null or e.template not in ${NOTICE_TEMPLATES} and e.template <> '${CARD_TEMPLATE}'`;
}

/** SQL: the invoices that nobody could get when they were issued, as rows of the timeline. */
function unmailedOf(scope: TimelineScope): string {
  if (isSmall(scope)) return '';
  const task = 'n.unmailed_task_id';
  return `union all
    select i.account_id, i.scope_id, 'unmailed-' || lpad(i.id::text, 16, '0'), n.issued_at, false, 'unmailed', 'invoice', i.id,
      null, -1, null, null, null,
      case when n.number is null then ${textOf('unnumbered_unmailed', { invoice: 'n.id', id: task })}
        else ${textOf('unmailed', { number: 'n.number', id: task })} end, null, null, null
    from (${invoices[scope]}) i join invoice n on n.account_id = i.account_id and n.id = i.id where n.unmailed_task_id is not null and n.issued_at is not null`;
}

/**
 * SQL: the timelines of all objects of a type, as a query in parentheses that returns `TimelineEntry` rows. With conditions on `account_id`
 * and `scope_id` it reads only that object's rows. Events, mails, reminders, statements, texts and stopped reminders are the past,
 * wake-ups the future. `offset 0` makes the planner look up each subject's rows instead of joining all of them.
 */
export function timelineOf(scope: TimelineScope): string {
  return `(select s.account_id, s.scope_id, 'event-' || lpad(e.id::text, 16, '0') as id, e.occurred_at as at, false as upcoming,
      e.type as rule, s.type as subject_type, s.id as subject_id, e.id as event_id, e.user_id, e.credential, e.object, e.previous,
      null as step, e.reason as event_reason, null as reason, null as reason_detail
    from (${subjectsOf(scope)}) s, lateral (select * from event e
      where e.account_id = s.account_id and e.subject_type = s.type and e.subject_id = s.id::text offset 0) e
    union all
    select s.account_id, s.scope_id, 'wakeup-' || s.type || '-' || lpad(s.id::text, 10, '0') || '-' || w.rule, w.at, true,
      w.rule, s.type, s.id, null, null, null, null, null, w.step, null, w.reason, w.reason_detail
    from (${waitersOf(scope)}) s, lateral (select * from wakeup w
      where w.account_id = s.account_id and w.process = s.type and w.subject_id = s.id offset 0) w
    ${noticesOf(scope)} ${stopsOf(scope)} ${remindersOf(scope)} ${statementsOf(scope)}
    ${textsOf(scope)} ${mailsOf(scope)} ${unmailedOf(scope)})`;
}
