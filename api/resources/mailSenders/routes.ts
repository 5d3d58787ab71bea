import {
  createMailSender,
  deleteMailSender,
  findMailSender,
  updateMailSender,
} from '../../../commands/accounts/mailSenders.ts';
import { checkSenderKey, recordCheck } from '../../../commands/mail/senderChecks.ts';
import { presentMailSender } from '../../../present/accounts/mailSender.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { keysOnly, pathId, type Reply, type Route, withBody } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { writeOutside } from '../../writing/writeOutside.ts';
import { createRoute, deleteRoute, noFields, updateRoute, withoutFields } from '../../writing/writeRoutes.ts';
import { mailSenders } from './resource.ts';
import { mailSenderChange, newMailSender } from './schema.ts';

const path = '/mail_senders';

/** Mail senders hold secrets, so applications may neither create nor change them. */
export const mailSenderRoutes: Route[] = [
  ...keysOnly(
    createRoute({
      path,
      resource: mailSenders,
      summary: 'Send emails from your own address, signed by DKIM',
      body: newMailSender,
      example: {
        address: 'billing@acme.example',
        domain: 'acme.example',
        selector: 'mail2027',
        private_key: '-----BEGIN PRIVATE KEY-----…',
      },
      command: (em, { caller, body, request }, now) => {
        const { private_key: privateKey, address, domain, selector } = body;
        return createMailSender(
          em,
          { caller, cipher: request.deps.cipher, address, domain, selector, privateKey },
          now,
        );
      },
      present: presentMailSender,
    }),
    updateRoute({
      path,
      resource: mailSenders,
      summary: 'Change the sender of your emails, or replace its key',
      body: mailSenderChange,
      example: { address: 'invoices@acme.example' },
      command: (em, { caller, id, body, request }, now) => {
        const { private_key: privateKey, address, domain, selector } = body;
        const { cipher } = request.deps;
        return updateMailSender(em, { caller, id, cipher, address, domain, selector, privateKey }, now);
      },
      present: presentMailSender,
    }),
    deleteRoute({
      path,
      resource: mailSenders,
      summary: 'Delete the sender and its key; emails come from the address of the deployment again',
      command: deleteMailSender,
    }),
    withoutFields(
      withBody({
        method: 'POST',
        path: `${path}/:id/verify`,
        operationId: 'verifyMailSender',
        body: noFields,
        summary: 'Check now whether the DNS has the key of a mail sender',
        answer: { statusCode: 200, kind: mailSenders },
        handle: (request) => verifySender(request, pathId(request, mailSenders.name)),
      }),
    ),
  ),
  listRoute({ path, resource: mailSenders, summary: 'List mail senders' }),
  readRoute({ path, resource: mailSenders, summary: 'Read a mail sender with the DNS record of its key' }),
];

/** Checks whether the DNS has the key of a sender, and records what it found. */
function verifySender(request: ApiRequest, id: number): Promise<Reply> {
  const { deps, em } = request;
  const key = { accountId: request.caller.account.id, id };
  return writeOutside(request, {
    check: (inner, by) => findMailSender(inner, { caller: by, id }),
    act: () => checkSenderKey({ em, nameservers: deps.nameservers }, { ...key, isAsked: true }, deps.systemNow()),
    record: (inner, { outcome: check }, now) => recordCheck(inner, { accountId: key.accountId, check }, now),
    present: presentMailSender,
  });
}
