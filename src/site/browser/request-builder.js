// The request builder of the page about the API: shows the fields of an operation, calls it, and shows the answer.
const form = document.querySelector('#request');
const select = document.querySelector('#request select');
const shownUrl = document.querySelector('#request-url');
/** A longer part of the URL does not fit in a line of a phone, letters. */
const LONGEST_UNBROKEN = 24;
const answer = document.querySelector('#request-answer');

if (
  form instanceof HTMLFormElement &&
  select instanceof HTMLSelectElement &&
  shownUrl instanceof HTMLElement &&
  answer instanceof HTMLElement
) {
  const fieldsets = [...form.querySelectorAll('fieldset')];

  /** The URL of the request: path and query of the chosen operation with the values of its fields. */
  const target = () => {
    let path = select.selectedOptions[0]?.dataset.path ?? '';
    const query = new URLSearchParams();
    const chosen = fieldsets.find((fields) => fields.dataset.operation === select.value);
    for (const input of chosen?.querySelectorAll('input') ?? []) {
      if (input.dataset.in === 'path') path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
      else if (input.value !== '') query.set(input.name, input.value);
    }
    return (form.dataset.base ?? '') + path + (query.size > 0 ? `?${query}` : '');
  };

  /** Shows the fields of the chosen operation and the URL, which may break before each part. */
  const show = () => {
    for (const fields of fieldsets) fields.hidden = fields.dataset.operation !== select.value;
    const parts = target().split(/(?=[/?&])/);
    shownUrl.replaceChildren(...parts.flatMap((part) => [document.createElement('wbr'), unbroken(part)]));
  };

  form.addEventListener('input', show);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const response = await fetch(target());
    const text = await response.text();
    answer.hidden = false;
    answer.textContent = `${response.status} ${response.headers.get('content-type')}\n\n${pretty(text)}`;
  });
  show();
}

/**
 * An element with a part of a URL. A short part is not broken into lines.
 * @param {string} part
 */
function unbroken(part) {
  const span = document.createElement('span');
  span.className = part.length > LONGEST_UNBROKEN ? '' : 'nowrap';
  span.textContent = part;
  return span;
}

/**
 * JSON with indents; other text without change.
 * @param {string} text
 */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export {};
