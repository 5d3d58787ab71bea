import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Answer } from '../../client/index.ts';
import type { FormField, Values } from '../forms/field.ts';
import { canTo, type Own } from '../objects/read.ts';
import { Problem } from '../shell/problem.tsx';
import { useCaringWords, useFormWords, useWords } from '../words.ts';
import { ActDialog, type Begun } from './act.tsx';
import { Panel } from './panel.tsx';

type Contact = Answer<'get', '/customers/{customer_id}/contacts'>[number];

/** What was begun with a contact; absent: with a new one. */
interface Doing {
  act: 'addContact' | 'changeContact' | 'removeContact';
  contact?: Contact;
}

/** The people at a customer. */
export function Contacts(own: Own) {
  const { id } = own;
  const { care } = useFormWords();
  const { session, me } = useRouteContext({ from: '__root__' });
  const [doing, setDoing] = useState<Doing | null>(null);
  const [told, tell] = useState('');
  const { noEmail } = useCaringWords();
  const mayWrite = canTo(me, 'customers.write', own.row);
  const contacts = useQuery({
    queryKey: ['contacts', id],
    queryFn: () =>
      session.api.get('/customers/{customer_id}/contacts', { customer_id: Number(id), sort: 'name', per_page: 100 }),
  });
  return (
    <Panel title={care.contacts} error={contacts.error}>
      {contacts.data?.length === 0 && <p className="none">{care.noContacts}</p>}
      <ul className="entries">
        {contacts.data?.map((contact) => (
          <li key={contact.id}>
            <div>
              <strong dir="auto">{contact.name}</strong>{' '}
              {contact.primary && <span className="status">{care.primary}</span>}
              <p className="none" dir="auto">
                {[contact.title, contact.email, contact.phone].filter(Boolean).join(' · ')}
              </p>
              {contact.primary && contact.email === null && <p className="warning">{noEmail}</p>}
            </div>
            {mayWrite &&
              (['changeContact', 'removeContact'] as const).map((act) => (
                <Button
                  key={act}
                  className="secondary"
                  aria-label={`${care[act].act}: ${contact.name}`}
                  onPress={() => setDoing({ act, contact })}
                >
                  {care[act].act}
                </Button>
              ))}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <Button className="secondary" onPress={() => setDoing({ act: 'addContact' })}>
          {care.addContact.act}
        </Button>
      )}
      <p role="status" className="told">
        {told}
      </p>
      {doing && <ContactDialog {...own} doing={doing} tell={tell} close={() => setDoing(null)} />}
    </Panel>
  );
}

function ContactDialog({ doing: { act, contact }, ...begun }: Begun & { doing: Doing }) {
  const fields = useContactFields();
  const customer = { customer_id: Number(begun.id) };
  if (act === 'changeContact') return contact ? <ChangeContact {...begun} contact={contact.id} /> : null;
  if (act === 'removeContact')
    return (
      <ActDialog
        name={act}
        begun={begun}
        isGrave
        named={contact?.name ?? ''}
        save={({ api }) => api.delete('/customers/{customer_id}/contacts/{id}', { ...customer, id: contact?.id ?? 0 })}
      />
    );
  return (
    <ActDialog
      name={act}
      begun={begun}
      sections={[{ title: null, fields }]}
      beside={(values) => <Unreachable {...values} />}
      save={({ api, body }) =>
        api.post('/customers/{customer_id}/contacts', Object.assign({ name: '' }, body), customer)
      }
    />
  );
}

/** Says that no mail reaches a contact that gets the mails and has no address. */
function Unreachable({ primary, email }: Values) {
  const { noEmail } = useCaringWords();
  return primary === true && String(email ?? '').trim() === '' ? (
    <p className="preview" aria-live="polite">
      {noEmail}
    </p>
  ) : null;
}

/** Changes a contact as it is now: the list may have been read long before. */
function ChangeContact({ contact, ...begun }: Begun & { contact: number }) {
  const fields = useContactFields();
  const words = useWords();
  const { session } = useRouteContext({ from: '__root__' });
  const one = { customer_id: Number(begun.id), id: contact };
  const read = useQuery({
    queryKey: ['contact', one],
    queryFn: () => session.api.full('get', '/customers/{customer_id}/contacts/{id}', one),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (read.isError) return <Problem error={read.error} again={() => read.refetch()} />;
  if (!read.data) return null;
  return (
    <ActDialog
      name="changeContact"
      begun={begun}
      of={String(contact)}
      row={{ ...read.data.data }}
      etag={read.data.etag}
      sections={[{ title: null, fields }]}
      beside={(values) => <Unreachable {...values} />}
      submit={words.save}
      save={({ api, body }) => api.patch('/customers/{customer_id}/contacts/{id}', Object.assign({}, body), one)}
    />
  );
}

function useContactFields(): FormField[] {
  const { care } = useFormWords();
  const { fields } = useWords();
  return [
    { name: 'name', label: fields.name, kind: 'text', isRequired: true },
    { name: 'title', label: care.jobTitle, kind: 'text' },
    { name: 'email', label: fields.email, kind: 'email' },
    { name: 'phone', label: fields.phone, kind: 'phone' },
    { name: 'department', label: care.department, kind: 'text' },
    {
      name: 'portal_role',
      label: care.portalRole,
      kind: 'choice',
      none: care.noPortal,
      choices: Object.entries(care.portalRoles).map(([id, name]) => ({ id, name })),
    },
    { name: 'primary', label: care.primary, kind: 'flag' },
  ];
}
