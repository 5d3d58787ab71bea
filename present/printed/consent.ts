import { visibleLine } from '../../billing/look/visibleText.ts';
import type { SourceMethod } from '../../billing/payments/paymentMethods.ts';
import { isSpoken } from '../../words/languages.ts';
import { fill } from '../../words/text.ts';
import { directionOf, isolated } from './formats.ts';

/** A text by which a customer consents to automatic payment. */
export interface ConsentText {
  text: string;
  /** Language of the text. */
  language: string;
}

type Texts = Readonly<Record<SourceMethod, string>>;

/**
 * The consent to automatic payment in the customer's language: who charges, what is charged automatically, and how to stop it. English if it
 * is not translated. A page shows it unchanged, and `recordConsent` stores it as shown. A changed text is a new text: stored ones stay.
 */
export function consentText(
  seller: { name: string; email?: string | null | undefined },
  { language: wanted, method }: { language: string; method: SourceMethod },
): ConsentText {
  const language = isSpoken(wanted) ? wanted : 'en';
  const direction = directionOf(language);
  const name = isolated(visibleLine(seller.name), direction);
  const contact = seller.email ? ` (${isolated(visibleLine(seller.email), direction)})` : '';
  return { language, text: fill((texts[language] ?? english)[method], { seller: name, contact }) };
}

const english: Texts = {
  credit_card:
    'I allow {seller} to store this card and to charge it automatically for my open invoices and for my future invoices, each when it is due and for the amount that it states. This includes renewals of my subscriptions. I can withdraw this consent at any time by telling {seller}{contact}. Charges already made are not affected.',
  ach: 'I authorize {seller} to store this bank account and to debit it automatically for my open invoices and for my future invoices, each when it is due and for the amount that it states, and to credit it if a debit was wrong. This includes renewals of my subscriptions. I can withdraw this authorization at any time by telling {seller}{contact}. Debits already made are not affected.',
};

/** Texts by language. `{contact}` is empty, or the seller's email address in parentheses with a space before it. */
const texts: Readonly<Record<string, Texts>> = {
  en: english,
  de: {
    credit_card:
      'Ich erlaube {seller}, diese Karte zu speichern und damit meine offenen und künftigen Rechnungen automatisch einzuziehen, jede bei Fälligkeit und in Höhe des darauf genannten Betrags. Das schließt Verlängerungen meiner Abonnements ein. Ich kann diese Erlaubnis jederzeit durch eine Nachricht an {seller}{contact} widerrufen. Bereits erfolgte Zahlungen bleiben davon unberührt.',
    ach: 'Ich ermächtige {seller}, dieses Bankkonto zu speichern und davon meine offenen und künftigen Rechnungen automatisch abzubuchen, jede bei Fälligkeit und in Höhe des darauf genannten Betrags, und dem Konto falsch abgebuchte Beträge gutzuschreiben. Das schließt Verlängerungen meiner Abonnements ein. Ich kann diese Ermächtigung jederzeit durch eine Nachricht an {seller}{contact} widerrufen. Bereits erfolgte Abbuchungen bleiben davon unberührt.',
  },
  es: {
    credit_card:
      'Permito que {seller} guarde esta tarjeta y le cargue automáticamente mis facturas pendientes y futuras, cada una a su vencimiento y por el importe que indica. Esto incluye las renovaciones de mis suscripciones. Puedo retirar este consentimiento en cualquier momento avisando a {seller}{contact}. Los cargos ya realizados no se ven afectados.',
    ach: 'Autorizo a {seller} a guardar esta cuenta bancaria y a adeudar en ella automáticamente mis facturas pendientes y futuras, cada una a su vencimiento y por el importe que indica, y a abonar en ella los adeudos erróneos. Esto incluye las renovaciones de mis suscripciones. Puedo retirar esta autorización en cualquier momento avisando a {seller}{contact}. Los adeudos ya realizados no se ven afectados.',
  },
  fr: {
    credit_card:
      "J'autorise {seller} à enregistrer cette carte et à la débiter automatiquement pour mes factures en cours et futures, chacune à son échéance et du montant qu'elle indique. Cela comprend les renouvellements de mes abonnements. Je peux retirer ce consentement à tout moment en le signalant à {seller}{contact}. Les débits déjà effectués ne sont pas concernés.",
    ach: "J'autorise {seller} à enregistrer ce compte bancaire et à le débiter automatiquement pour mes factures en cours et futures, chacune à son échéance et du montant qu'elle indique, et à le créditer en cas de débit erroné. Cela comprend les renouvellements de mes abonnements. Je peux retirer cette autorisation à tout moment en le signalant à {seller}{contact}. Les débits déjà effectués ne sont pas concernés.",
  },
  ar: {
    credit_card:
      'أسمح لـ {seller} بحفظ هذه البطاقة والخصم منها تلقائيًا لسداد فواتيري المفتوحة والمستقبلية، كل فاتورة عند استحقاقها وبالمبلغ المذكور فيها. ويشمل ذلك تجديدات اشتراكاتي. يمكنني سحب هذه الموافقة في أي وقت بإبلاغ {seller}{contact}. ولا يؤثر ذلك في المبالغ التي خُصمت بالفعل.',
    ach: 'أفوّض {seller} بحفظ هذا الحساب المصرفي والخصم منه تلقائيًا لسداد فواتيري المفتوحة والمستقبلية، كل فاتورة عند استحقاقها وبالمبلغ المذكور فيها، وبإيداع ما خُصم خطأً فيه. ويشمل ذلك تجديدات اشتراكاتي. يمكنني سحب هذا التفويض في أي وقت بإبلاغ {seller}{contact}. ولا يؤثر ذلك في المبالغ التي خُصمت بالفعل.',
  },
  he: {
    credit_card:
      'אני מאשר/ת ל-{seller} לשמור את הכרטיס הזה ולחייב אותו אוטומטית עבור החשבוניות הפתוחות והעתידיות שלי, כל אחת במועד פירעונה ובסכום הנקוב בה. האישור כולל חידושים של המינויים שלי. אפשר לבטל את האישור בכל עת בהודעה ל-{seller}{contact}. הביטול אינו משפיע על חיובים שכבר בוצעו.',
    ach: 'אני מרשה ל-{seller} לשמור את חשבון הבנק הזה ולחייב אותו אוטומטית עבור החשבוניות הפתוחות והעתידיות שלי, כל אחת במועד פירעונה ובסכום הנקוב בה, ולזכות אותו אם חיוב היה שגוי. ההרשאה כוללת חידושים של המינויים שלי. אפשר לבטל את ההרשאה בכל עת בהודעה ל-{seller}{contact}. הביטול אינו משפיע על חיובים שכבר בוצעו.',
  },
  ja: {
    credit_card:
      '私は、{seller}がこのカードを保存し、未払いおよび今後の請求書を、それぞれの支払期日に請求書記載の金額で自動的に決済することに同意します。サブスクリプションの更新も含まれます。この同意は、{seller}{contact}に連絡することでいつでも撤回できます。すでに行われた決済には影響しません。',
    ach: '私は、{seller}がこの銀行口座を保存し、未払いおよび今後の請求書を、それぞれの支払期日に請求書記載の金額で自動的に引き落とすこと、また誤った引き落としがあった場合に口座へ返金することを承認します。サブスクリプションの更新も含まれます。この承認は、{seller}{contact}に連絡することでいつでも撤回できます。すでに行われた引き落としには影響しません。',
  },
  zh: {
    credit_card:
      '我允许{seller}保存此卡，并在我的未付账单和今后的账单到期时，按账单所列金额自动从此卡扣款。这包括我的订阅续期。我可以随时通知{seller}{contact}撤回此同意。已完成的扣款不受影响。',
    ach: '我授权{seller}保存此银行账户，并在我的未付账单和今后的账单到期时，按账单所列金额自动从此账户扣款，并在扣款有误时将款项退回此账户。这包括我的订阅续期。我可以随时通知{seller}{contact}撤回此授权。已完成的扣款不受影响。',
  },
};
