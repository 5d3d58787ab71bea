import type { z } from 'zod';
import type { PreviewedType } from '../../billing/mail/emailTemplates.ts';
import type { Caller } from '../../commands/kernel/caller.ts';
import type { Sending } from '../../commands/mail/sending.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Email, emailStates } from '../../db/schema/email.ts';
import { presentEmail } from '../../present/mail/email.ts';
import * as fields from '../body/fields.ts';
import { readEmail, readText, unfit } from '../body/readers.ts';
import { object } from '../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { pathId, type Route, withBody } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { write } from '../writing/write.ts';
import { customers } from './customers/resource.ts';
import { mailPreviewRoute } from './mailPreviews.ts';

const opening = shown.value('Opening', 'One opening of an email', {
  timestamp: shown.timestamp('When it was opened'),
  ip: shown.text('IP address of the reader', '192.0.2.17'),
  user_agent: shown.nullable(shown.text('User agent of the mail program', 'Mozilla/5.0')),
});

const email = shown.shape('Email', 'Email to one recipient', {
  id: shown.text('Id of the email', '4711'),
  customer: shown.nullable(shown.id('Id of the customer; null: the email was sent to your own address')),
  email: shown.text('Email address of the recipient', 'ada@example.com'),
  message: shown.text('Text of the email, without amounts and footer', 'Your invoice INV-00001 is here.'),
  subject: shown.text('Subject of the email', 'Invoice INV-00001 from Acme'),
  template: shown.text('Template of the email, such as `new_invoice_email`', 'new_invoice_email'),
  state: shown.choice(
    '`bounced`: permanently refused by the mail server; `failed`: given up after 48 hours of temporary failures',
    ...emailStates,
  ),
  opens: shown.integer('Number of openings, as far as mail programs load images', 0),
  opens_detail: shown.listOf(opening, 'First 100 openings'),
  reject_reason: shown.unset(
    shown.text('Reason why it was not delivered, such as the answer of the mail server', '550 no such user'),
  ),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const states = fields.choice(...emailStates);

export const emails: Resource<Email, 'id'> = {
  name: 'Email',
  area: 'documents',
  shape: email,
  row: Email,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    email: column('to_address', fields.text()),
    template: filtered('template', fields.text()),
    state: filtered('state', states),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer?.id ?? null,
    ),
  },
  present: async (_reading, rows) => rows.map(presentEmail),
};

const MOST_PEOPLE = 20;

const person = object({
  name: fields.described(fields.name, 'Name of the recipient'),
  email: fields.required(fields.described(fields.email, 'Email address of the recipient')),
});

/** Comma-separated addresses: `a@example.com, b@example.com`. */
const addresses = fields.field(
  (value) => {
    const parts = readText(value, 10_000)
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    if (parts.length > MOST_PEOPLE) unfit(`may have at most ${MOST_PEOPLE} addresses`);
    return parts.map((part) => readEmail(part));
  },
  { type: 'string', maxLength: 10_000 },
);

/** The fields of a request that sends something. */
export const sendingFields = {
  to: fields.described(
    fields.list(person, MOST_PEOPLE),
    'Recipients; each gets a separate email. Default: the customer and its primary contacts',
  ),
  bcc: fields.described(
    addresses,
    'Comma-separated email addresses that get a blind copy of the first of these emails',
  ),
  template: fields.described(
    fields.text(),
    'Template, such as `new_invoice_email`; default: the one that fits the document',
  ),
  subject: fields.described(fields.text(), 'Subject, instead of the one of the template'),
  message: fields.described(fields.longText, 'Text, instead of the one of the template; amounts and footer stay'),
};

const sending = object(sendingFields);

/** The fields of a request about a mail, completed. */
export function sendingOf(body: z.infer<typeof sending>): Sending {
  const { to, bcc, template, subject, message } = body;
  return {
    to: to?.map((one) => ({ name: one.name ?? '', email: one.email })) ?? null,
    bcc: bcc ?? [],
    template: template ?? null,
    subject: subject ?? null,
    message: message ?? null,
  };
}

type Command = (
  em: EntityManager,
  input: { caller: Caller; id: number; sending: Sending },
  systemNow: Date,
) => Promise<Email[]>;

interface Sends {
  path: string;
  operationId: string;
  summary: string;
  name: string;
  type: Exclude<PreviewedType, 'customer'>;
  template: string;
  command: Command;
}

/** A route that sends an object by email, and one that previews this mail. */
export function sendRoutes(rule: Sends): Route[] {
  const { path, operationId, name, type, command } = rule;
  const object = operationId
    .replace('send', '')
    .replaceAll(/(?<=[a-z])[A-Z]/g, ' $&')
    .toLowerCase();
  const preview = mailPreviewRoute({
    path: `${path}/:id/emails/preview`,
    operationId: `${operationId.replace('send', 'preview')}Email`,
    permission: 'documents.write',
    name,
    type,
    summary: `Preview the mail with ${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object}; nothing is stored or sent`,
    body: sending,
    example: { message: 'Please pay by Friday.' },
    send: (em, { caller, id, body }, now) => command(em, { caller, id, sending: sendingOf(body) }, now),
  });
  return [sendRoute(rule), preview];
}

/** It responds with a queued email for each recipient. */
function sendRoute(rule: Sends): Route {
  const { path, operationId, summary, name, template, command } = rule;
  return withBody({
    method: 'POST',
    path: `${path}/:id/emails`,
    operationId,
    permission: 'documents.write',
    summary,
    body: sending,
    example: { to: [{ name: 'Ada Lovelace', email: 'ada@example.com' }], bcc: 'books@example.com', template },
    answer: { statusCode: 200, kind: emails, isArray: true },
    handle: (request, body) => {
      const id = pathId(request, name);
      return write(request, {
        statusCode: 200,
        command: (em, caller, now) => command(em, { caller, id, sending: sendingOf(body) }, now),
        present: (sent) => sent.map(presentEmail),
      });
    },
  });
}

const path = '/emails';

export const emailRoutes: Route[] = [
  listRoute({ path, resource: emails, summary: 'List emails' }),
  readRoute({ path, resource: emails, summary: 'Read an email with its state and openings' }),
];
