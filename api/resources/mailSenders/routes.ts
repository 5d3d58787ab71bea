import { createMailSender, deleteMailSender, updateMailSender } from '../../../commands/accounts/mailSenders.ts';
import { presentMailSender } from '../../../present/accounts/mailSender.ts';
import { keysOnly, type Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
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
  ),
  listRoute({ path, resource: mailSenders, summary: 'List mail senders' }),
  readRoute({ path, resource: mailSenders, summary: 'Read a mail sender with the DNS record of its key' }),
];
