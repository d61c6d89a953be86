// The type of the module that the build makes of the folder `page`: everything a browser loads but the page itself.

/** A file, as it is sent. */
export interface Asset {
  readonly type: string;
  /** The bytes, in base64: plain, and compressed in the two ways that browsers accept. */
  readonly plain: string;
  readonly gzip: string;
  readonly brotli: string;
}

/** The files by their names, which have a digest of their content. */
export const ASSETS: Readonly<Record<string, Asset>>;

/** The names of the script, the style and the icon of the page. */
export const ENTRY: { readonly script: string; readonly style: string; readonly icon: string };
