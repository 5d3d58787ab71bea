import * as fields from '../../framework/shape.ts';

export const contact = fields.shape('Contact', 'Another recipient, or another address, of a customer', {
  id: fields.id('Its id', 5),
  name: fields.text('Full name', 'Grace Hopper'),
  title: fields.unset(fields.text('Job title', 'Controller')),
  email: fields.nullable(fields.text('Where its mail goes', 'grace@example.com')),
  phone: fields.unset(fields.text('Phone number', '+1 512 555 0101')),
  primary: fields.flag('Whether mail to the customer goes to it too', true),
  sms_enabled: fields.flag('Whether it may be texted', false),
  department: fields.unset(fields.text('Where it works', 'Accounts payable')),
  ...fields.address,
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
