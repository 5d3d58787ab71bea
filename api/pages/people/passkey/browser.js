// Asks the browser for a passkey when the form of one is sent, and sends what it answers. Runs in browsers. script.ts puts the library
// @simplewebauthn/browser (`SimpleWebAuthnBrowser`) before this text, and wraps both in a function.

const { browserSupportsWebAuthn, startAuthentication, startRegistration } = SimpleWebAuthnBrowser;

/** What a person reads when no passkey comes back. */
const texts = {
  canceled: 'No passkey was used. Try again, or go on in another way.',
  known: 'This device has a passkey of yours already.',
  domain: 'Passkeys work only at the public address of this site, over https.',
  many: 'Too many tries. Wait some minutes and try again.',
  stale: 'This page has expired. Load it again and repeat what you did.',
  failed: 'The passkey could not be used. Try again, or go on in another way.',
};

class Told extends Error {}

/** What the server asks the browser for. Null: the person has to sign in first, and the browser goes there. */
async function askedBy(form, path) {
  const answer = await fetch(path, {
    method: 'POST',
    body: new URLSearchParams(new FormData(form)),
    headers: { Accept: 'application/json' },
    mode: 'same-origin',
  });
  const type = answer.headers.get('Content-Type') || '';
  if (answer.status === 429) throw new Told(texts.many);
  if (!type.startsWith('application/json')) throw new Told(answer.status < 500 ? texts.stale : texts.failed);
  const asked = await answer.json();
  if (!asked.sign_in) return asked;
  location.assign(asked.sign_in);
  return null;
}

function textOf(error) {
  if (error instanceof Told) return error.message;
  if (error.name === 'InvalidStateError') return texts.known;
  if (error.name === 'SecurityError') return texts.domain;
  return error.name === 'NotAllowedError' || error.name === 'AbortError' ? texts.canceled : texts.failed;
}

/** Shows a part of a page that is hidden from browsers without passkeys. */
function begin(place) {
  const form = place.querySelector('form');
  const answer = form.elements.namedItem('passkey');
  const start = place.dataset.passkey === 'create' ? startRegistration : startAuthentication;
  let isBusy = false;
  const say = (text) => {
    place.querySelector('[role=alert]')?.remove();
    if (text === null) return;
    const alert = document.createElement('p');
    alert.className = 'alert';
    alert.setAttribute('role', 'alert');
    alert.textContent = text;
    place.append(alert);
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    say(null);
    try {
      const optionsJSON = await askedBy(form, place.dataset.options);
      if (!optionsJSON) return;
      answer.value = JSON.stringify(await start({ optionsJSON }));
      form.submit();
    } catch (error) {
      say(textOf(error));
    } finally {
      isBusy = false;
    }
  });
  window.addEventListener('pageshow', () => {
    answer.value = ''; // a page that was gone back to
  });
  place.hidden = false;
}

if (browserSupportsWebAuthn()) for (const place of document.querySelectorAll('[data-passkey]')) begin(place);
