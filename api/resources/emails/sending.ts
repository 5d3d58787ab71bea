import type { z } from 'zod';
import type { Caller } from '../../../commands/kernel/caller.ts';
import type { Sending } from '../../../commands/mail/sending.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Email } from '../../../db/schema/email.ts';
import { presentEmail } from '../../../present/mail/email.ts';
import * as fields from '../../body/fields.ts';
import { readEmail, readText, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import { pathId, type Route, withBody } from '../../framework/route.ts';
import { write } from '../../writing/write.ts';
import { emails } from './resource.ts';

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

/** A route that sends an object by email. It responds with a queued email for each recipient. */
export function sendRoute(rule: {
  path: string;
  operationId: string;
  summary: string;
  name: string;
  template: string;
  command: Command;
}): Route {
  const { path, operationId, summary, name, template, command } = rule;
  return withBody({
    method: 'POST',
    path: `${path}/:id/emails`,
    operationId,
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
