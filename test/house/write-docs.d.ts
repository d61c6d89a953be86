// The type of write-docs.js, which is plain JavaScript because plain Node runs it.

/** The text of docs/delivery-states.md. */
export function deliveryStatesPage(): string;
