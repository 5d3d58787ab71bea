import { senderStates } from '../../billing/mail/mailSender.ts';
import {
  createMailSender,
  deleteMailSender,
  findMailSender,
  updateMailSender,
} from '../../commands/accounts/mailSenders.ts';
import { checkSenderKey, recordCheck } from '../../commands/mail/senderChecks.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { MailSender } from '../../db/schema/mailSender.ts';
import { presentMailSender } from '../../present/accounts/providers.ts';
import * as fields from '../body/fields.ts';
import { object } from '../body/request.ts';
import type { ApiRequest } from '../framework/apiRequest.ts';
import { column, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import { keysOnly, pathId, type Reply, type Route, withBody } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { writeOutside } from '../writing/writeOutside.ts';
import { createRoute, deleteRoute, noFields, updateRoute, withoutFields } from '../writing/writeRoutes.ts';

const mailSender = shown.shape('MailSender', 'Address that your emails come from, with the DKIM key that signs them', {
  id: shown.id('Id of the mail sender', 2),
  address: shown.text('Address that emails come from', 'billing@acme.example'),
  domain: shown.text('Domain of the address and of the key, in lower case', 'acme.example'),
  selector: shown.text('Selector of the key, in lower case', 'mail2027'),
  dns_name: shown.text('Name of the TXT record that publishes the key', 'mail2027._domainkey.acme.example'),
  dns_value: shown.text('Value of that record', 'v=DKIM1; k=rsa; p=MIIBIjANBgkqh…'),
  state: shown.oneOf(
    'Proof by the DNS: `pending` means that it never had the key, `proved` that it has it, `lost` that it had it. Only a `proved` address sends emails',
    'proved',
    senderStates,
  ),
  finding: shown.nullable(
    shown.text('Result of the last check of the DNS', 'The TXT record mail2027._domainkey.acme.example has the key'),
  ),
  checked_at: shown.unset(shown.timestamp('When the DNS was last checked; null: not yet')),
  next_check_at: shown.timestamp('When the DNS is checked next'),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const MOST_OF_DOMAIN = 253;
const MOST_OF_SELECTOR = 63;
const address = fields.described(fields.email, 'Address that emails come from, of the domain of the key');
const domain = fields.described(fields.text(MOST_OF_DOMAIN), 'Domain of the key, such as `acme.example`');
const selector = fields.described(fields.text(MOST_OF_SELECTOR), 'Selector of the key, such as `mail2027`');
const privateKey = fields.described(
  fields.longText,
  'Private RSA key of 2048 to 4096 bits as PEM; stored encrypted, never returned',
);
const readOnly = [
  'id',
  'object',
  'dns_name',
  'dns_value',
  'state',
  'finding',
  'checked_at',
  'next_check_at',
  'created_at',
  'updated_at',
];

const newMailSender = object(
  {
    address: fields.required(address),
    domain: fields.required(domain),
    selector: fields.required(selector),
    private_key: fields.required(privateKey),
  },
  { readOnly },
);

const mailSenderChange = object(
  {
    address: fields.kept(address),
    domain: fields.kept(domain),
    selector: fields.kept(selector),
    private_key: fields.kept(privateKey),
  },
  { readOnly },
);

const mailSenders: Resource<MailSender, 'id'> = {
  name: 'Mail sender',
  area: 'settings',
  shape: mailSender,
  row: MailSender,
  idColumn: 'id',
  exists: condition('deleted_at is null'),
  columns: {
    id: column('id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentMailSender),
};

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
        permission: 'settings.write',
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
