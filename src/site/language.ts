/** The languages of the pages; Japanese is the default. */
export const LANGUAGES = ['ja', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The prefix of the paths of a language. */
export const prefixOf = (language: Language): string => (language === 'ja' ? '' : '/en');
