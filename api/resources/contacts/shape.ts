import * as fields from '../../framework/shape.ts';

export const contact = fields.shape('Contact', 'Person at a customer, with a separate email and postal address', {
  id: fields.id('Id of the contact', 5),
  name: fields.text('Full name of the contact', 'Grace Hopper'),
  title: fields.unset(fields.text('Job title', 'Controller')),
  email: fields.nullable(fields.text('Email address of the contact', 'grace@example.com')),
  phone: fields.unset(fields.text('Phone number of the contact', '+1 512 555 0101')),
  primary: fields.flag('True: emails to the customer are sent to this contact too', true),
  sms_enabled: fields.flag('True: the contact may receive text messages', false),
  department: fields.unset(fields.text('Department of the contact', 'Accounts payable')),
  ...fields.address,
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
