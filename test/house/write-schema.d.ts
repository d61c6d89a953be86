export function schemaText(): Promise<string>;
export function readmeWithKeys(readme: string): Promise<string>;
export function keyPaths(): readonly string[];
export function writeSchema(): Promise<void>;
