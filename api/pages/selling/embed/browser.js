// Puts a link to a sign-up page or a payment link where its script tag stands:
// <script src="…/js/embed.js" data-page="https://…/sign_up/1/2/…" data-text="Subscribe" data-plan="gold" data-quantity="3"></script>
// The page opens in the whole window: it cannot be framed, so that nobody can hide it below something else.
(() => {
  const tag = document.currentScript;
  if (!(tag instanceof HTMLScriptElement)) return;
  const { page, text, plan, quantity, coupon, returnUrl } = tag.dataset;
  const origin = new URL(tag.src).origin;
  const address = URL.parse(page ?? '', origin);
  if (address?.origin !== origin || !/^\/(sign_up|pay)\//.test(address.pathname)) return;
  const values = { plan, quantity, coupon, return_url: returnUrl };
  for (const [name, value] of Object.entries(values)) if (value) address.searchParams.set(name, value);
  const link = document.createElement('a');
  link.href = address.href;
  link.textContent = text || document.title;
  link.className = 'perennial-link';
  tag.after(link);
})();
