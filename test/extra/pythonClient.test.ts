import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';

/** A client in Python that was written for another billing product: its calls of templates, roles, members, custom fields, reports and accounts, run against the API. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const PROGRAM = `
import json, sys, invoiced
key, url = sys.argv[1:3]
client = invoiced.Client(key)
client.api_url = url

mail = client.EmailTemplate.create(id='from_python', template='new_invoice_email', language='en', subject='Hello')
found = client.EmailTemplate.retrieve('from_python')
found.subject = 'Good day'
saved = found.save()
again = client.EmailTemplate.retrieve(mail.id)
mails = [mail.id, mail.template, saved, again.subject, again.delete()]

look = client.PdfTemplate.create(name='Export', layout='modern')
kept = client.PdfTemplate.retrieve(look.id)
kept.layout = 'compact'
changed = kept.save()
papers = [look.name, look.kind, changed, client.PdfTemplate.retrieve(look.id).layout, kept.delete()]

gone = []
for template, id in ((client.EmailTemplate, mail.id), (client.PdfTemplate, look.id)):
    try:
        template.retrieve(id)
    except invoiced.errors.InvalidRequestError as error:
        gone.append(error.status_code)

role = client.Role.create(id='from-python', name='Clerk', permissions=['customers.read'])
role.permissions = ['customers.write']
roles = [role.save(), role.permissions, 'from-python' in [one.id for one in client.Role.list()[0]]]
member = client.Member.create(email='from.python@example.com', role='from-python', name='Ada')
known = client.Member.retrieve(member.id)
known.role = 'read_only'
roles += [client.Role.retrieve('from-python').delete()] if known.save() else []
members, more = client.Member.list()
people = [member.status, known.role, more.total_count == len(members), known.delete()]
people.append(client.Member.retrieve(member.id).status)
field = client.CustomField.create(id='from_python', object='customer', name='Segment', type='enum', choices=['Retail', 'Public'])
ann = client.Customer.create(name='Ann', metadata={'from_python': 'Retail'})
refusals = []
try:
    client.Customer.create(name='Bob', metadata={'from_python': 'Other'})
except invoiced.errors.InvalidRequestError as error:
    refusals.append(error.status_code)
read = client.CustomField.retrieve('from_python')
read.choices = ['Public']
fields = [field.object, read.save(), read.choices, ann.metadata, [one.id for one in client.CustomField.list(filter={'object': 'customer'})[0]]]
fields += [read.delete(), refusals]
report = client.Report.create(type='aging', parameters={'as_of': '2027-03-31'})
again = client.Report.retrieve(report.id)
reports = [report.object, again.report, again.status, again.parameters['as_of']]
print(json.dumps([mails, papers, gone, roles, people, fields, reports]))
`;

test('it creates, retrieves, lists, updates and deletes templates, roles, members and custom fields, and asks for reports', async () => {
  const { key, url } = api.sandbox;
  const { stdout } = await promisify(execFile)(fromRun('PYTHON_CLIENT'), ['-c', PROGRAM, key, url]);
  expect(JSON.parse(stdout)).toEqual([
    ['from_python-en', 'new_invoice_email', true, 'Good day', true],
    ['Export', 'invoice', true, 'compact', true],
    [404, 404],
    [true, ['customers.read', 'customers.write'], true, true],
    ['invited', 'read_only', true, true, 'deactivated'],
    ['customer', true, ['Public'], { from_python: 'Retail' }, ['from_python'], true, [400]],
    ['job', 'aging', 'queued', '2027-03-31'],
  ]);
});

const GL_ACCOUNTS = `
import json, sys, invoiced
key, url = sys.argv[1:3]
client = invoiced.Client(key)
client.api_url = url

made = client.GlAccount.create(code='4000', name='Sales')
found = client.GlAccount.retrieve(made.id)
found.name = 'Services'
saved = found.save()
listed, more = client.GlAccount.list()
print(json.dumps([made.code, saved, [one.name for one in listed], more.total_count, found.delete(), client.GlAccount.list()[1].total_count]))
`;

test('it creates, retrieves, lists, updates and deletes general ledger accounts', async () => {
  const { key, url } = api.sandbox;
  const { stdout } = await promisify(execFile)(fromRun('PYTHON_CLIENT'), ['-c', GL_ACCOUNTS, key, url]);
  expect(JSON.parse(stdout)).toEqual(['4000', true, ['Services'], 1, true, 0]);
});

const SIGN_UP_PAGES = `
import json, sys, invoiced
key, url = sys.argv[1:3]
client = invoiced.Client(key)
client.api_url = url

client.Plan.create(id='from_python', name='Python', interval='month', amount=5)
made = client.SignUpPage.create(name='Join', plans=['from_python'])
found = client.SignUpPage.retrieve(made.id)
found.name = 'Join us'
saved = found.save()
listed, more = client.SignUpPage.list()
customer = client.Customer.create(name='Ann', sign_up_page=made.id)
known = customer.sign_up_url.startswith('http')
customer.sign_up_page = None
freed = customer.save()
print(json.dumps([made.object, saved, [one.name for one in listed], known, freed, customer.sign_up_url, found.delete(), client.SignUpPage.list()[1].total_count]))
`;

test('it creates, retrieves, lists, updates and deletes sign-up pages, and gives one to a customer', async () => {
  const { key, url } = api.sandbox;
  const { stdout } = await promisify(execFile)(fromRun('PYTHON_CLIENT'), ['-c', SIGN_UP_PAGES, key, url]);
  expect(JSON.parse(stdout)).toEqual(['sign_up_page', true, ['Join us'], true, true, null, true, 0]);
});
