/** The URLs that the landing document of a server names. */
export async function landingUrls(url: string): Promise<string[]> {
  const { data } = (await (await fetch(`${url}/index.json`)).json()) as { data: { urls: { url: string }[] } };
  return data.urls.map((one) => one.url);
}
