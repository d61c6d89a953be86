// The public face of client.

export {};
