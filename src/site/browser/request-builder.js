// The request builder of the page about the API: shows the fields of an operation, calls it, and shows the answer.
const form = document.querySelector('#request');
const select = document.querySelector('#request select');
const shownUrl = document.querySelector('#request-url');
const answer = document.querySelector('#request-answer');

if (
  form instanceof HTMLFormElement &&
  select instanceof HTMLSelectElement &&
  shownUrl instanceof HTMLElement &&
  answer instanceof HTMLElement
) {
  const fieldsets = [...form.querySelectorAll('fieldset')];

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
 * A part of a URL without line breaks, unless it is longer than a line.
 * @param {string} part
 */
function unbroken(part) {
  const made = document.createElement('span');
  made.className = part.length > 24 ? '' : 'nowrap';
  made.textContent = part;
  return made;
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
