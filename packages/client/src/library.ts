// The name and version of the client, as the context of each call has them.

/** The version is that of package.json; a test checks that they are equal. */
export const LIBRARY: { readonly name: string; readonly version: string } = {
  name: "@postrider/client",
  version: "0.1.0",
};
