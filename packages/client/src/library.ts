// How the client names itself in the context of each call.

/** The version is that of package.json; a test holds the two equal. */
export const LIBRARY: { readonly name: string; readonly version: string } = {
  name: "@postrider/client",
  version: "0.1.0",
};
