import type { Language } from './languages.ts';

/** Words of the page at the root of the address, and of the page for an address without a page. */
export interface HomeWords {
  title: string;
  what: string;
  /** To a customer who looks for an invoice. */
  invoice: string;
  reference: string;
  signIn: string;
  portal: string;
  missing: string;
  missingWhy: string;
  /** Of a browser in which the dashboard cannot run. */
  dashboardScript: string;
}

/** Words by language code. */
export const homeWords: Readonly<Record<Language, HomeWords>> = {
  en: {
    title: 'What runs here',
    what: 'Perennial sends invoices and collects payments for businesses.',
    invoice: 'If you received an invoice, please open it by the link in its mail.',
    reference: 'API reference',
    signIn: 'Sign in',
    portal: 'Customer portal of {seller}',
    missing: 'There is no such page',
    missingWhy: 'The address may be incomplete or out of date.',
    dashboardScript: 'The dashboard needs JavaScript.',
  },
  de: {
    title: 'Was hier läuft',
    what: 'Perennial verschickt Rechnungen und nimmt Zahlungen für Unternehmen entgegen.',
    invoice: 'Wenn Sie eine Rechnung erhalten haben, öffnen Sie sie bitte über den Link in der E-Mail.',
    reference: 'API-Referenz',
    signIn: 'Anmelden',
    portal: 'Kundenportal von {seller}',
    missing: 'Diese Seite gibt es nicht',
    missingWhy: 'Die Adresse ist vielleicht unvollständig oder veraltet.',
    dashboardScript: 'Das Dashboard braucht JavaScript.',
  },
  es: {
    title: 'Qué hay aquí',
    what: 'Perennial envía facturas y cobra pagos para empresas.',
    invoice: 'Si ha recibido una factura, ábrala con el enlace de su correo.',
    reference: 'Referencia de la API',
    signIn: 'Iniciar sesión',
    portal: 'Portal de clientes de {seller}',
    missing: 'Esta página no existe',
    missingWhy: 'Puede que la dirección esté incompleta o anticuada.',
    dashboardScript: 'El panel necesita JavaScript.',
  },
  fr: {
    title: 'Ce qui fonctionne ici',
    what: 'Perennial envoie des factures et encaisse des paiements pour des entreprises.',
    invoice: 'Si vous avez reçu une facture, veuillez l’ouvrir par le lien de l’e-mail.',
    reference: 'Référence de l’API',
    signIn: 'Se connecter',
    portal: 'Espace client de {seller}',
    missing: 'Cette page n’existe pas',
    missingWhy: 'L’adresse est peut-être incomplète ou ancienne.',
    dashboardScript: 'Le tableau de bord a besoin de JavaScript.',
  },
  ar: {
    title: 'ما الذي يعمل هنا',
    what: 'يرسل Perennial الفواتير ويحصّل المدفوعات للشركات.',
    invoice: 'إذا تلقيت فاتورة، فيرجى فتحها من الرابط في رسالتها.',
    reference: 'مرجع واجهة API',
    signIn: 'تسجيل الدخول',
    portal: 'بوابة عملاء {seller}',
    missing: 'لا توجد صفحة كهذه',
    missingWhy: 'قد يكون العنوان ناقصًا أو قديمًا.',
    dashboardScript: 'تحتاج لوحة التحكم إلى JavaScript.',
  },
  he: {
    title: 'מה פועל כאן',
    what: 'Perennial שולחת חשבוניות וגובה תשלומים עבור עסקים.',
    invoice: 'אם קיבלת חשבונית, נא לפתוח אותה דרך הקישור בהודעה.',
    reference: 'מדריך ה-API',
    signIn: 'כניסה',
    portal: 'פורטל הלקוחות של {seller}',
    missing: 'אין דף כזה',
    missingWhy: 'ייתכן שהכתובת חלקית או ישנה.',
    dashboardScript: 'לוח הבקרה זקוק ל-JavaScript.',
  },
  ja: {
    title: 'ここで動いているもの',
    what: 'Perennialは、企業の請求書の送付と代金の受け取りを行います。',
    invoice: '請求書を受け取られた方は、メールのリンクからお開きください。',
    reference: 'APIリファレンス',
    signIn: 'サインイン',
    portal: '{seller}のお客様ポータル',
    missing: 'このページはありません',
    missingWhy: 'アドレスが途中までか、古い可能性があります。',
    dashboardScript: 'ダッシュボードには JavaScript が必要です。',
  },
  zh: {
    title: '这里运行的服务',
    what: 'Perennial 为企业发送发票并收取款项。',
    invoice: '如果您收到了发票，请通过邮件中的链接打开。',
    reference: 'API 参考',
    signIn: '登录',
    portal: '{seller} 的客户门户',
    missing: '没有此页面',
    missingWhy: '地址可能不完整或已过期。',
    dashboardScript: '控制台需要 JavaScript。',
  },
};
