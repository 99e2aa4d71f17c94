// Long pages lay out their first screen alone at first (`blocks.css`); once it is painted, the rest follows.
addEventListener('load', () =>
  requestAnimationFrame(() => setTimeout(() => document.documentElement.classList.add('painted'))),
);

export {};
