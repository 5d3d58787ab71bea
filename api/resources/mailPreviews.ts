import type { z } from 'zod';
import { Unprintable } from '../../billing/failures.ts';
import type { Presented } from '../../billing/json.ts';
import type { PreviewedType } from '../../billing/mail/emailTemplates.ts';
import type { Permission } from '../../billing/people/permissions.ts';
import { mailedLines } from '../../commands/documents/sending.ts';
import { type Caller, requirePermission } from '../../commands/kernel/caller.ts';
import { ownParts } from '../../commands/mail/customizing.ts';
import { readTemplate } from '../../commands/mail/templates.ts';
import { asQueued, logoOf } from '../../commands/previews/mails.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Email } from '../../db/schema/email.ts';
import { inDryRun } from '../../db/transaction.ts';
import { exampleOfMail } from '../../present/emails/html.ts';
import type { RenderedParts } from '../../present/templates/render.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { pathId, type Route, reply, withBody } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { requireReading } from './emailTemplates/fields.ts';

const recipient = shown.value('MailRecipient', 'Recipient of a mail', {
  name: shown.text('Name of the recipient', 'Ada Lovelace'),
  email: shown.text('Email address', 'ada@example.com'),
});

const mailPreview = shown.value('MailPreview', 'Mail about an object, as it would be sent', {
  to: shown.listOf(recipient, 'Recipients; each gets a separate email'),
  subject: shown.text('Subject of the mail', 'Invoice INV-00001 from Acme'),
  html: shown.text('HTML of the mail to the first recipient; it loads and runs nothing', exampleOfMail),
  text: shown.text('The same as plain text', 'Dear Ada, …'),
});

interface Previewing<Body> {
  path: string;
  operationId: string;
  permission: Permission;
  /** Type of the object that the mail shows. It needs the permission to read this, too. */
  type: PreviewedType;
  /** A further permission that it needs, because the mail shows other objects, too. */
  reads?: Permission;
  summary: string;
  /** Name of the resource in the path. */
  name: string;
  body: z.ZodType<Body>;
  example: Presented;
  /** The command that queues the mails, which the preview rolls back. */
  send(em: EntityManager, input: { caller: Caller; id: number; body: Body }, systemNow: Date): Promise<Email[]>;
}

/** A route that tells what a send would send, and to whom. It takes what the send takes, and refuses what it refuses. */
export function mailPreviewRoute<Body>({ name, type, reads, send, ...route }: Previewing<Body>): Route {
  return withBody({
    ...route,
    method: 'POST',
    storesNothing: true,
    answer: { statusCode: 200, kind: { shape: mailPreview } },
    handle: async (request, body) => {
      const { deps, em, caller, previews } = request;
      requireReading(caller, { type }, 'The preview');
      if (reads) requirePermission(caller, reads, 'The preview', null);
      const id = pathId(request, name);
      const queued = await inDryRun(deps.em, (inner) => send(inner, { caller, id, body }, deps.systemNow()));
      const [first] = queued;
      if (!first) throw new Error(`the send of ${name} ${id} queued no mail`);
      const accountId = caller.account.id;
      const { subject, html, text } = { ...asQueued(first, accountId), ...(await ownPartsOf(request, first)) };
      return reply(200, {
        to: queued.map(({ toName, toAddress }) => ({ name: toName, email: toAddress })),
        subject,
        html: previews.ofMail({ html, logo: await logoOf(em, accountId, html) }),
        text,
      });
    },
  });
}

/** What the account words of a queued mail, as the mail is sent: a template that cannot be rendered leaves the default wording. */
async function ownPartsOf({ deps, em, caller }: ApiRequest, mail: Email): Promise<RenderedParts | null> {
  const { account } = caller;
  const language = mail.view?.language ?? account.language;
  const document = mail.document?.type === 'statement' ? null : (mail.document ?? null);
  const wording = await readTemplate(em, account.id, { template: mail.template, language });
  const linesOf = () => mailedLines(em, { account, document, language }, deps.systemNow());
  try {
    return await ownParts({ templates: deps.templates, wording, linesOf }, mail);
  } catch (error) {
    if (error instanceof Unprintable) return null;
    throw error;
  }
}
