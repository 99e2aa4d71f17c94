// A long page shows its first screen sooner because the style sheet `blocks.css` leaves out the rest until the class
// `painted` is set. This script sets it once the first screen is painted.
addEventListener('load', () =>
  requestAnimationFrame(() => setTimeout(() => document.documentElement.classList.add('painted'))),
);

export {};
