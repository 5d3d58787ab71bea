/** A wording of a mail about an invoice, in HTML and Handlebars, as the reference shows it. */
export const exampleOfTemplate = '<p>Dear {{recipient.name}}, please pay {{invoice.balance}}.</p>';

/** The beginning of the HTML of a whole mail, as the reference shows it. */
export const exampleOfMail = '<!doctype html>…';
