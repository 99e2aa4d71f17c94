/** The languages of the pages; Japanese is the default. */
export const LANGUAGES = ['ja', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What stands before the path of a page in a language. */
export const prefixOf = (language: Language): string => (language === 'ja' ? '' : '/en');
