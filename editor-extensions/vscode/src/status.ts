/** The status item: which model, on which device, and whether it is at work. */

import { type Disposable, languages, MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { ServerStatus } from "./protocol";

const XML = { language: "xml" };

export class Status implements Disposable {
  private readonly item = window.createStatusBarItem("pythia.status", StatusBarAlignment.Right, 90);
  private readonly watcher = window.onDidChangeActiveTextEditor(() => {
    this.showWhereUseful();
  });

  constructor() {
    this.item.name = "Pythia EpiDoc";
    this.item.command = "pythia.showLog";
    this.show({ state: "idle", model: "", device: "", message: "" });
  }

  show(status: ServerStatus): void {
    const busy = status.state === "busy" || status.state === "loading";
    const icon = status.state === "failed" ? "warning" : busy ? "loading~spin" : "symbol-text";
    this.item.text = `$(${icon}) Pythia`;
    this.item.tooltip = tooltip(status);
    this.item.backgroundColor =
      status.state === "failed" ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    this.item.accessibilityInformation = { label: `Pythia EpiDoc, ${status.message || status.state}` };
    this.showWhereUseful();
  }

  private showWhereUseful(): void {
    const document = window.activeTextEditor?.document;
    if (document !== undefined && languages.match(XML, document) > 0) {
      this.item.show();
    } else {
      this.item.hide();
    }
  }

  dispose(): void {
    this.watcher.dispose();
    this.item.dispose();
  }
}

const STATES: Record<ServerStatus["state"], string> = {
  idle: "ready",
  loading: "loading the model…",
  busy: "restoring…",
  failed: "not available",
};

function tooltip(status: ServerStatus): MarkdownString {
  const text = new MarkdownString();
  text.appendMarkdown(`**Pythia EpiDoc** — ${STATES[status.state]}\n\n`);
  if (status.model !== "") {
    text.appendText(`Model: ${status.model}`).appendMarkdown("\n\n");
    text.appendText(`Device: ${status.device}`).appendMarkdown("\n\n");
  } else if (status.state === "idle") {
    text.appendText("The model is loaded when it is first needed.");
  }
  text.appendText(status.message);
  return text;
}
