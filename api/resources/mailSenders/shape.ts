import { senderStates } from '../../../billing/senderProof.ts';
import * as fields from '../../framework/shape.ts';

export const mailSender = fields.shape(
  'MailSender',
  'Address that your emails come from, with the DKIM key that signs them',
  {
    id: fields.id('Id of the mail sender', 2),
    address: fields.text('Address that emails come from', 'billing@acme.example'),
    domain: fields.text('Domain of the address and of the key, in lower case', 'acme.example'),
    selector: fields.text('Selector of the key, in lower case', 'mail2027'),
    dns_name: fields.text('Name of the TXT record that publishes the key', 'mail2027._domainkey.acme.example'),
    dns_value: fields.text('Value of that record', 'v=DKIM1; k=rsa; p=MIIBIjANBgkqh…'),
    state: fields.oneOf(
      'Proof by the DNS: `pending` means that it never had the key, `proved` that it has it, `lost` that it had it. Only a `proved` address sends emails',
      'proved',
      senderStates,
    ),
    finding: fields.nullable(
      fields.text('Result of the last check of the DNS', 'The TXT record mail2027._domainkey.acme.example has the key'),
    ),
    checked_at: fields.unset(fields.timestamp('When the DNS was last checked; null: not yet')),
    next_check_at: fields.timestamp('When the DNS is checked next'),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  },
);
