import type { Language } from '../language.ts';
import { care } from './care.ts';
import { frame } from './frame.ts';
import { map } from './map.ts';
import { prose } from './prose.ts';
import { scene } from './scene.ts';
import { sunlight } from './sunlight.ts';
import { whatIf } from './what-if.ts';

/** Every text of the pages, by language and page; both languages have the same keys. */
export const TEXTS = {
  ja: {
    frame: frame.ja,
    sunlight: sunlight.ja,
    care: care.ja,
    map: map.ja,
    prose: prose.ja,
    scene: scene.ja,
    whatIf: whatIf.ja,
  },
  en: {
    frame: frame.en,
    sunlight: sunlight.en,
    care: care.en,
    map: map.en,
    prose: prose.en,
    scene: scene.en,
    whatIf: whatIf.en,
  },
} satisfies Record<Language, object>;

export type Texts = (typeof TEXTS)['ja'];
