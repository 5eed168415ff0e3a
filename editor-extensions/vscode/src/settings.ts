/** The settings that the extension itself needs; the server reads its own from the same section. */

import { workspace } from "vscode";

export interface Settings {
  /** A full command line for the server; empty means: look for one. */
  serverCommand: readonly string[];
  /** A Python interpreter that has pythia-epidoc installed; empty means: look for one. */
  interpreter: string;
}

export const SECTION = "pythia";

/** Settings that only take effect when the server starts. */
export const RESTART_SETTINGS = ["pythia.serverCommand", "pythia.interpreter"] as const;

export function readSettings(): Settings {
  const section = workspace.getConfiguration(SECTION);
  return {
    serverCommand: words(section.get("serverCommand")),
    interpreter: words(section.get("interpreter"))[0] ?? "",
  };
}

/** Whatever stands in the settings file, which need not be what the setting's type says. */
function words(value: unknown): string[] {
  const found: unknown[] = Array.isArray(value) ? value : [value];
  return found.filter((word) => typeof word === "string").map((word) => word.trim()).filter((word) => word !== "");
}
