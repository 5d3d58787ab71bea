import { inLanguage, type Language } from './languages.ts';

/** Words of the samples that previews show. */
export interface SampleWords {
  /** Name of the customer. */
  customer: string;
  street: string;
  plan: string;
  service: string;
  serviceDetail: string;
}

const words: Readonly<Record<Language, SampleWords>> = {
  ar: {
    customer: 'ليلى المثال',
    street: '١ شارع المثال',
    plan: 'الباقة الذهبية',
    service: 'ساعة دعم',
    serviceDetail: 'دعم عن بعد من قبل مهندس',
  },
  de: {
    customer: 'Erika Beispiel',
    street: 'Beispielstraße 1',
    plan: 'Gold-Tarif',
    service: 'Supportstunde',
    serviceDetail: 'Fernwartung durch eine Ingenieurin',
  },
  en: {
    customer: 'Ada Example',
    street: '1 Example Street',
    plan: 'Gold plan',
    service: 'Support hour',
    serviceDetail: 'Remote support by an engineer',
  },
  es: {
    customer: 'Ana Ejemplo',
    street: 'Calle del Ejemplo 1',
    plan: 'Plan Oro',
    service: 'Hora de soporte',
    serviceDetail: 'Asistencia remota de una ingeniera',
  },
  fr: {
    customer: 'Ada Exemple',
    street: '1 rue de l’Exemple',
    plan: 'Formule Or',
    service: 'Heure d’assistance',
    serviceDetail: 'Assistance à distance par une ingénieure',
  },
  he: {
    customer: 'עדה לדוגמה',
    street: 'רחוב הדוגמה 1',
    plan: 'מסלול זהב',
    service: 'שעת תמיכה',
    serviceDetail: 'תמיכה מרחוק על ידי מהנדסת',
  },
  ja: {
    customer: '見本 花子',
    street: '見本町1-1-1',
    plan: 'ゴールドプラン',
    service: 'サポート（1時間）',
    serviceDetail: 'エンジニアによるリモートサポート',
  },
  zh: {
    customer: '示例客户',
    street: '示例路1号',
    plan: '黄金套餐',
    service: '支持工时',
    serviceDetail: '工程师远程支持',
  },
};

/** The words of samples in a language. English if documents are not translated into it. */
export function sampleWordsOf(language: string): SampleWords {
  return inLanguage(words, language);
}
