import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { spokenOf } from '../words/languages.ts';
import { placeIn } from './place.ts';
import { createDashboardRouter } from './router.tsx';
import { hasEnded, openSession, signInAgain } from './session.ts';
import { loadWords, WordsContext } from './words.ts';
import './styles/base.css';
import './styles/frame.css';
import './styles/controls.css';
import './styles/lists.css';
import './styles/objects.css';
import './styles/palette.css';
import './styles/home.css';
import './styles/golive.css';
import './styles/reports.css';
import './styles/forms.css';
import './styles/customers.css';
import './styles/documents.css';
import './styles/narrow.css';

const RELOADED = 'perennial.reloaded';
const RELOAD_MILLISECONDS = 60_000;

// A part of the page is gone: this version was replaced. The new one is loaded, but not again and again.
addEventListener('vite:preloadError', (event) => {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_MILLISECONDS) return;
  event.preventDefault();
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
});

const place = placeIn(location.pathname);
const root = document.getElementById('dashboard');
if (place && root) {
  const language = spokenOf([document.documentElement.lang]);
  const onError = (error: Error) => hasEnded(error) && signInAgain();
  const caches = { queryCache: new QueryCache({ onError }), mutationCache: new MutationCache({ onError }) };
  const queries = new QueryClient({ ...caches, defaultOptions: { queries: { staleTime: 15_000, retry: false } } });
  const session = openSession({ place, origin: location.origin, language });
  const router = createDashboardRouter({ place, session, queries });
  const words = await loadWords(language);
  createRoot(root).render(
    <StrictMode>
      <WordsContext value={words}>
        <I18nProvider locale={language}>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </I18nProvider>
      </WordsContext>
    </StrictMode>,
  );
}
