import { useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { useWords } from '../words.ts';

const Collections = lazy(async () => ({ default: (await import('./page.tsx')).CollectionsPage }));
const Stand = lazy(async () => ({ default: (await import('./standPage.tsx')).StandPage }));
const Held = lazy(async () => ({ default: (await import('./heldPage.tsx')).HeldPage }));
const Editor = lazy(async () => ({ default: (await import('./editorPage.tsx')).CadenceEditor }));

/** A page whose code and words are loaded when it is first shown. */
const waiting = (Page: ComponentType) =>
  function Waiting() {
    const words = useWords();
    return (
      <Suspense fallback={<p role="status">{words.loading}</p>}>
        <Page />
      </Suspense>
    );
  };

export const CollectionsPage = waiting(Collections);
export const StandPage = waiting(Stand);
export const HeldPage = waiting(Held);
export const NewCadencePage = waiting(() => <Editor list="chasing_cadences" id={null} />);
export const NewInvoiceCadencePage = waiting(() => <Editor list="invoice_chasing_cadences" id={null} />);

export const EditCadencePage = waiting(() => {
  const { id } = useParams({ from: '/collections/cadences/$id/edit' });
  return <Editor list="chasing_cadences" id={id} />;
});

export const EditInvoiceCadencePage = waiting(() => {
  const { id } = useParams({ from: '/collections/invoice_cadences/$id/edit' });
  return <Editor list="invoice_chasing_cadences" id={id} />;
});
