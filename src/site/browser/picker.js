// A form of the class `picker` is sent as soon as a choice is made with a pointer. With the keyboard this would send
// every entry that the arrow keys pass in a list; there the button or Enter sends the form.
let isByKeys = false;
addEventListener('pointerdown', () => (isByKeys = false), true);
addEventListener('keydown', () => (isByKeys = true), true);
for (const form of document.querySelectorAll('form.picker')) {
  if (!(form instanceof HTMLFormElement)) continue;
  form.addEventListener('change', () => {
    if (!isByKeys) form.requestSubmit();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLSelectElement) form.requestSubmit();
  });
}

// Scroll position and focus stay when a choice reloads the page: path, scroll position and number of the focused field.
// A choice is a sent form or a link that changes only the query. Behind other links a page begins at its answer.
const KEY = 'hidamari-place';
const fields = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('form.picker :is(select, input, button)')]);
const [path, top, field] = read().split(' ');
store('');
if (path === location.pathname) {
  const focused = fields[Number(field)];
  focused?.focus({ preventScroll: true });
  scrollTo(0, Number(top));
  // A choice in the form changes the answer, which must be seen.
  const answer = document.querySelector('.answer');
  if (focused !== undefined && answer !== null && answer.getBoundingClientRect().top < 0) answer.scrollIntoView();
}
let isChoice = false;
addEventListener('submit', () => (isChoice = true));
addEventListener('click', ({ target }) => {
  isChoice = target instanceof Element && target.closest('a[href^="?"]') !== null;
});
addEventListener('pagehide', () => {
  if (!isChoice) return;
  const focused = fields.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  store(`${location.pathname} ${scrollY} ${focused}`);
});

/** The stored text; empty when there is none, or the browser blocks storage. */
function read() {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** Stores a text, unless the browser blocks storage. @param {string} text */
function store(text) {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // The page begins at its top.
  }
}

export {};
