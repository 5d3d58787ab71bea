import { lazy, Suspense, useEffect, useState } from 'react';
import { Button, Modal, ModalOverlay } from 'react-aria-components';
import { tinykeys } from 'tinykeys';
import { useWords } from '../words.ts';

const load = () => import('./paletteDialog.tsx');
const PaletteDialog = lazy(load);

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** After it, the page is there, and the dialog is loaded before anybody asks for it. */
const IDLE_MILLISECONDS = 500;
const SHORTCUT = isApple ? '⌘K' : 'Ctrl K';

/** The button that opens the search over everything. Ctrl+K (on a Mac Command+K) and `/` do so, too. */
export function Palette() {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const idle = setTimeout(load, IDLE_MILLISECONDS);
    return () => clearTimeout(idle);
  }, []);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      event.preventDefault();
      setOpen(true);
    };
    const anywhere = tinykeys(window, { '$mod+k': open }, { ignore: () => false });
    const outsideFields = tinykeys(window, { '/': open });
    return () => {
      anywhere();
      outsideFields();
    };
  }, []);
  return (
    <>
      <Button className="finder" onPress={() => setOpen(true)}>
        {words.search} <kbd>{SHORTCUT}</kbd>
      </Button>
      <ModalOverlay className="over" isOpen={isOpen} onOpenChange={setOpen} isDismissable>
        <Modal className="palette">
          <Suspense fallback={<p role="status">{words.loading}</p>}>
            <PaletteDialog close={() => setOpen(false)} />
          </Suspense>
        </Modal>
      </ModalOverlay>
    </>
  );
}
