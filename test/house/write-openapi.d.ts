export function writeOpenapi(): Promise<void>;
