/** The HTML of a page, without the elements that only keep words on one line. */
export async function pageText(address: string | URL): Promise<string> {
  const answer = await fetch(address, { headers: { accept: 'text/html' } });
  return (await answer.text()).replaceAll(/<span class="nowrap">([^<]*)<\/span>/g, '$1');
}
