import { useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Row } from '../kinds/kind.ts';
import { Acts, type Begun, type Offered } from '../objects/acts.tsx';
import { asShown, type Own } from '../objects/read.ts';
import { usePayingActs } from '../payments/ofInvoice.tsx';
import { type ActName, DocumentAct } from './act.tsx';
import type { DocumentList } from './editors.ts';
import { Plan, PromiseToPay, WriteOff } from './invoiceActs.tsx';
import { RemoveLateFee, useLateFees } from './lateFee.tsx';
import { SendDocument } from './send.tsx';
import { useInvoicingWords } from './words.ts';

/** Where a document stands. */
interface Standing {
  isDraft: boolean;
  isIssued: boolean;
  /** Something of it is still to happen: it is neither paid nor closed. */
  isOpen: boolean;
  /** It was written off. */
  isWrittenOff: boolean;
}

function standingOf({ draft, status, closed, paid }: Row): Standing {
  const isIssued = draft !== true && status !== 'voided';
  const isOpen = isIssued && closed !== true && paid !== true;
  return { isDraft: draft === true, isIssued, isOpen, isWrittenOff: isIssued && closed === true && paid !== true };
}

/** What a person can do to documents of a list, as far as its permissions allow. */
export function documentActs(list: DocumentList) {
  const area = list === 'credit_notes' ? 'corrections' : 'documents';
  const isInvoice = list === 'invoices';
  const dialogs = {
    issue: (begun: Begun) => <Issue list={list} begun={begun} />,
    send: (begun: Begun) => <SendDocument list={list} begun={begun} />,
    void: (begun: Begun) => <Void list={list} begun={begun} />,
    remove: (begun: Begun) => <Remove list={list} begun={begun} />,
  };
  return function DocumentActs(own: Own) {
    const { acts: words } = useInvoicingWords();
    const navigate = useNavigate();
    const { isDraft, isIssued, isOpen, isWrittenOff } = standingOf(own.row);
    const paying = usePayingActs(own, isInvoice && isOpen);
    const lateFees = useLateFees(own);
    const hasFees = isIssued && !isWrittenOff && lateFees !== null && lateFees.left > 0;
    const act = (name: ActName, permission: string, Dialog: ComponentType<Begun>): Offered => ({
      name,
      label: words[name].act,
      permissions: [permission],
      does: { Dialog },
    });
    const begin = (name: 'credit' | 'duplicate', permission: string, to: DocumentList): Offered => ({
      name,
      label: words[name],
      permissions: [permission],
      does: {
        go: () => void navigate({ to: '/$list/new', params: { list: to }, search: { from: `${list}/${own.id}` } }),
      },
    });
    const offered: (Offered | false)[] = [
      isDraft && act('issue', `${area}.write`, dialogs.issue),
      isIssued && act('send', 'documents.write', dialogs.send),
      ...paying,
      list === 'estimates' && isOpen && !own.row.invoice && act('toInvoice', 'documents.write', ToInvoice),
      isInvoice && isIssued && begin('credit', 'corrections.write', 'credit_notes'),
      begin('duplicate', `${area}.write`, list),
      isInvoice && isOpen && act('promise', 'documents.write', PromiseToPay),
      isInvoice && isOpen && act('plan', 'documents.write', Plan),
      hasFees && act('removeLateFee', 'corrections.write', RemoveLateFee),
      isInvoice && isOpen && act('writeOff', 'corrections.write', WriteOff),
      isIssued && act('void', 'corrections.write', dialogs.void),
      isDraft && act('remove', `${area}.write`, dialogs.remove),
    ];
    return (
      <div className="care">
        <Acts own={own} offered={offered.filter((one) => one !== false)} />
      </div>
    );
  };
}

interface OfList {
  list: DocumentList;
  begun: Begun;
}

function Issue({ list, begun }: OfList) {
  return (
    <DocumentAct
      name="issue"
      list={list}
      begun={begun}
      save={({ api }) => asShown(api, begun).patch(`/${list}/{id}`, { draft: false }, { id: Number(begun.id) })}
    />
  );
}

function Void({ list, begun }: OfList) {
  const { rebillUsage } = useInvoicingWords();
  const id = Number(begun.id);
  const usage = { name: 'rebill_usage', label: rebillUsage, kind: 'flag', initial: true } as const;
  return (
    <DocumentAct
      name="void"
      list={list}
      begun={begun}
      isGrave
      sections={list === 'invoices' && begun.row.subscription ? [{ title: null, fields: [usage] }] : []}
      save={({ api, values }) =>
        list === 'invoices'
          ? api.post('/invoices/{id}/void', { rebill_usage: values.rebill_usage !== false }, { id })
          : api.post(`/${list}/{id}/void`, null, { id })
      }
    />
  );
}

function Remove({ list, begun }: OfList) {
  const navigate = useNavigate();
  return (
    <DocumentAct
      name="remove"
      list={list}
      begun={begun}
      isGrave
      save={({ api }) => api.delete(`/${list}/{id}`, { id: Number(begun.id) })}
      then={() => navigate({ to: '/$list', params: { list }, search: {} })}
    />
  );
}

function ToInvoice(begun: Begun) {
  const navigate = useNavigate();
  return (
    <DocumentAct
      name="toInvoice"
      list="estimates"
      begun={begun}
      save={({ api }) => api.post('/estimates/{id}/invoice', null, { id: Number(begun.id) })}
      then={(answer) => {
        const id = typeof answer === 'object' && answer !== null && 'id' in answer ? String(answer.id) : null;
        return id && navigate({ to: '/$list/$id', params: { list: 'invoices', id } });
      }}
    />
  );
}
