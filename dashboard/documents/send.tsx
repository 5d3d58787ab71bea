import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { idIn } from '../kinds/kind.ts';
import type { Begun } from '../objects/acts.tsx';
import { MailPreview, mailFields, sentMail } from '../objects/mailPreview.tsx';
import { useFormWords } from '../words.ts';
import { DocumentAct } from './act.tsx';
import type { DocumentList } from './editors.ts';
import { useInvoicingWords } from './words.ts';

/** Mails a document. Who gets it and what it says are shown before. */
export function SendDocument({ list, begun }: { list: DocumentList; begun: Begun }) {
  const { care } = useFormWords();
  const words = useInvoicingWords();
  const { session } = useRouteContext({ from: '__root__' });
  const id = Number(begun.id);
  const customer = Number(idIn(begun.row.customer));
  const known = useQuery({
    queryKey: ['recipients', customer],
    queryFn: async () => {
      const primary = { customer_id: customer, filter: { primary: true }, per_page: 100 };
      const [own, contacts] = await Promise.all([
        session.api.get('/customers/{id}', { id: customer }),
        session.api.get('/customers/{customer_id}/contacts', primary),
      ]);
      return [own, ...contacts].flatMap(({ name, email }): [string, string][] => (email ? [[email, name]] : []));
    },
  });
  if (known.isPending) return null;
  const names = new Map(known.data);
  return (
    <DocumentAct
      name="send"
      list={list}
      begun={begun}
      sections={[{ title: null, fields: mailFields(care, { addresses: [...names.keys()] }) }]}
      beside={(values) => (
        <MailPreview
          title={words.mail}
          about={`${list}/${id}`}
          sent={sentMail(values, names)}
          read={(api, sent) => api.post(`/${list}/{id}/emails/preview`, sent, { id })}
        />
      )}
      save={({ api, values }) => api.post(`/${list}/{id}/emails`, sentMail(values, names), { id })}
    />
  );
}
