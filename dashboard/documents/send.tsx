import { idIn } from '../kinds/kind.ts';
import type { Begun } from '../objects/acts.tsx';
import { MailPreview, mailFields, sentMail, useRecipients } from '../objects/mailPreview.tsx';
import { useFormWords } from '../words.ts';
import { DocumentAct } from './act.tsx';
import type { DocumentList } from './editors.ts';
import { useInvoicingWords } from './words.ts';

/** Mails a document. Who gets it and what it says are shown before. */
export function SendDocument({ list, begun }: { list: DocumentList; begun: Begun }) {
  const { care } = useFormWords();
  const words = useInvoicingWords();
  const id = Number(begun.id);
  const names = useRecipients(idIn(begun.row.customer));
  if (names === null) return null;
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
