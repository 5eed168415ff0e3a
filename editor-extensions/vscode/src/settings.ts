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
    serverCommand: section.get<string[]>("serverCommand", []).filter((part) => part !== ""),
    interpreter: section.get<string>("interpreter", "").trim(),
  };
}
