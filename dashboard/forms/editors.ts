import type { ComponentType } from 'react';
import type { ListName } from '../kinds/kind.ts';
import type { BesideShown, Editor } from './field.ts';

/** How objects of a kind are made and changed, and what stands beside the fields. */
export interface WholeEditor {
  editor: Editor;
  Beside?: ComponentType<BesideShown>;
}

const documents = async (list: 'invoices' | 'estimates' | 'credit_notes'): Promise<WholeEditor> => {
  const [{ documentEditor }, { documentPreview }] = await Promise.all([
    import('../documents/editors.ts'),
    import('../documents/preview.tsx'),
  ]);
  return { editor: documentEditor(list), Beside: documentPreview(list) };
};

/** The kinds that can be made and changed here. Each is loaded when it is needed. */
export const editors: Readonly<Partial<Record<ListName, () => Promise<WholeEditor>>>> = {
  customers: async () => ({ editor: (await import('../customers/editor.ts')).customerEditor }),
  invoices: () => documents('invoices'),
  estimates: () => documents('estimates'),
  credit_notes: () => documents('credit_notes'),
  payments: async () => {
    const [{ paymentEditor }, { PaymentPreview }] = await Promise.all([
      import('../payments/editor.ts'),
      import('../payments/preview.tsx'),
    ]);
    return { editor: paymentEditor, Beside: PaymentPreview };
  },
};
