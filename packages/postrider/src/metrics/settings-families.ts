// Which revision of the settings of the store this server has in force, so that all servers can be seen to agree.

import { gauge, type ReadFamilies } from "./program-families.js";

const FACTS = {
  name: "postrider.settings.revision",
  help: "The revision of the store's settings that is in force; 0 before the first. None if the file owns them.",
};

/** `inForce` is undefined if the settings are those of a file. */
export function createSettingsFamilies({ inForce }: { readonly inForce: () => number | undefined }): ReadFamilies {
  return () => [gauge(FACTS, inForce())];
}
