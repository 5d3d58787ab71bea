import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.ts';
import { fromRun } from '../support/environment.ts';

/** A client in Python that was written for another billing product: its calls of templates, roles, members and reports, run against the API. */

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
report = client.Report.create(type='aging', parameters={'as_of': '2027-03-31'})
again = client.Report.retrieve(report.id)
reports = [report.object, again.report, again.status, again.parameters['as_of']]
print(json.dumps([mails, papers, gone, roles, people, reports]))
`;

test('it creates, retrieves, lists, updates and deletes email templates, PDF templates, roles and members, and asks for reports', async () => {
  const { key, url } = api.sandbox;
  const { stdout } = await promisify(execFile)(fromRun('PYTHON_CLIENT'), ['-c', PROGRAM, key, url]);
  expect(JSON.parse(stdout)).toEqual([
    ['from_python-en', 'new_invoice_email', true, 'Good day', true],
    ['Export', 'invoice', true, 'compact', true],
    [404, 404],
    [true, ['customers.read', 'customers.write'], true, true],
    ['invited', 'read_only', true, true, 'deactivated'],
    ['job', 'aging', 'queued', '2027-03-31'],
  ]);
});
