// Gives a person a text as a file, made in the browser.

export function download(text: string, name: string, type: "application/json" | "text/csv"): void {
  const link = Object.assign(document.createElement("a"), {
    href: URL.createObjectURL(new Blob([text], { type })),
    download: name,
  });
  link.click();
  URL.revokeObjectURL(link.href);
}

export function downloadJson(value: unknown, name: string): void {
  download(`${JSON.stringify(value, null, 2)}\n`, name, "application/json");
}
