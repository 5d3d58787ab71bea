import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

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

export const newMailSender = object(
  {
    address: fields.required(address),
    domain: fields.required(domain),
    selector: fields.required(selector),
    private_key: fields.required(privateKey),
  },
  { readOnly },
);

export const mailSenderChange = object(
  {
    address: fields.kept(address),
    domain: fields.kept(domain),
    selector: fields.kept(selector),
    private_key: fields.kept(privateKey),
  },
  { readOnly },
);
